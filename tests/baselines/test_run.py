"""RUN learns tiny labels by heart, is saved and loaded, and rewrites through the same commands."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from tests import tiny
from tests.command_line import CommandLine, write_rows
from tests.training.recipes import tiny_table
from utterly import Rewriter
from utterly.baselines.run.grid import Cell, Grid
from utterly.baselines.run.model import Run
from utterly.baselines.run.network import Packing, RunNetwork, RunShape
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.jsonl import dialogue_to_json
from utterly.errors import ModelError, TrainingError, UtterlyError
from utterly.model.folder import ModelFolder
from utterly.model.model import ModelConfig
from utterly.networks.layers import Encoder
from utterly.networks.torch_model import pretrained_network
from utterly.training.recipe import Recipe
from utterly.training.run import train

SMALL: dict[str, Any] = {"embedding": 24, "hidden": 24, "channels": 24, "dropout": 0.0}
DIALOGUES = [labels.script.dialogue for labels in tiny.labels()]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    table = tiny_table(folder, "", kind="run", epochs=20, patience=20, batch_size=4, learning_rate=4e-3)
    train(Recipe.from_dict(table | {"network": SMALL}))
    return folder


def test_it_learns_and_keeps_its_best_epoch(trained: Path) -> None:
    log = [json.loads(line) for line in (trained / "run" / "log.jsonl").read_text().splitlines()]
    assert log[-1]["loss"] < log[0]["loss"] / 2
    assert max(line["dev_em"] for line in log) > 50
    config = json.loads((trained / "run" / "model" / "config.json").read_text())
    assert config["notes"]["dev"]["dev_bleu4"] == max(line["dev_bleu4"] for line in log)


def test_it_rewrites_like_any_model(utterly: CommandLine, trained: Path, tmp_path: Path) -> None:
    model = trained / "run" / "model"
    path = write_rows(tmp_path / "in.jsonl", [dialogue_to_json(dialogue) for dialogue in DIALOGUES])
    assert utterly("rewrite", "--model", model, "--input", path, "--output", tmp_path / "out.jsonl").status == 0
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert sum(row["rewrite"] == row["target"] for row in rows) > len(rows) / 2
    changed = next(dialogue for dialogue, row in zip(DIALOGUES, rows, strict=True) if row["changed"])
    result = Rewriter.load(model).rewrite(changed)
    assert "by rule" in result.explain()
    assert 0 < result.confidence <= 1
    assert "run" in utterly("models", model).out


def test_a_run_that_is_stopped_resumes_to_the_same_model(tmp_path: Path) -> None:
    def stop(event: dict[str, Any]) -> None:
        if event["epoch"] == 1 and not (tmp_path / "stopped").exists():
            (tmp_path / "stopped").touch()
            raise KeyboardInterrupt

    found, logs = [], []
    for name in ("whole", "resumed"):
        (tmp_path / name).mkdir()
        table = tiny_table(tmp_path / name, "", kind="run", epochs=3)
        recipe = Recipe.from_dict(table | {"network": SMALL | {"dropout": 0.3}})
        if name == "resumed":
            with pytest.raises(KeyboardInterrupt):
                train(recipe, report=stop)
        found.append(train(recipe).network.state_dict())
        lines = (tmp_path / name / "run" / "log.jsonl").read_text().splitlines()
        logs.append([json.loads(line) | {"seconds": 0} for line in lines])
    assert all(torch.equal(weight, found[1][name]) for name, weight in found[0].items())
    assert logs[0] == logs[1]


def test_in_16_bits_it_learns_as_well(tmp_path: Path) -> None:
    losses = []
    for precision in ("no", "bf16"):
        (tmp_path / precision).mkdir()
        table = tiny_table(tmp_path / precision, "", kind="run", batch_size=4, learning_rate=4e-3, precision=precision)
        train(Recipe.from_dict(table | {"network": SMALL}))
        log = (tmp_path / precision / "run" / "log.jsonl").read_text().splitlines()
        losses.append([json.loads(line)["loss"] for line in log])
    assert losses[1] == pytest.approx(losses[0], rel=0.05)
    assert losses[1] != losses[0]


def test_a_changed_recipe_does_not_resume(tmp_path: Path) -> None:
    table = tiny_table(tmp_path, "", kind="run", epochs=1) | {"network": SMALL}
    train(Recipe.from_dict(table))
    with pytest.raises(TrainingError, match="the recipe has changed since this checkpoint"):
        train(Recipe.from_dict(table | {"network": SMALL | {"hidden": 8}}))


@pytest.mark.parametrize(
    ("training", "network", "message"),
    [
        ({"precision": "fp16"}, SMALL, 'trains with precision "no", "tf32" or "bf16", got "fp16"'),
        ({}, {"heads": 8}, "network has no setting 'heads'; it has: words, embedding, hidden, channels"),
    ],
)
def test_invalid_settings_are_refused(
    tmp_path: Path, training: dict[str, Any], network: dict[str, Any], message: str
) -> None:
    table = tiny_table(tmp_path, "", kind="run", **training) | {"network": network}
    with pytest.raises(UtterlyError, match=message):
        train(Recipe.from_dict(table))


def test_padding_changes_nothing() -> None:
    torch.manual_seed(0)
    network = RunNetwork(RunShape(words=9, embedding=4, hidden=3, channels=2))
    rows, columns = torch.tensor([[3, 4, 5, 0, 0, 0], [3, 4, 5, 6, 7, 8]]), torch.tensor([[6, 2, 0], [6, 7, 2]])
    padded = rows.unsqueeze(-1), columns.unsqueeze(-1)
    network(*padded)  # batch norm has seen something
    network.eval()
    alone, together = network(padded[0][:1, :3], padded[1][:1, :2]), network(*padded)
    assert together.shape == (2, len(Cell), 6, 3)
    assert torch.allclose(alone[0], together[0, :, :3, :2], atol=1e-6)


def test_texts_are_packed_as_torch_packs_them() -> None:
    lengths, texts = torch.tensor([2, 4, 1, 4]), torch.arange(16).view(4, 4)
    packed = pack_padded_sequence(texts, lengths, batch_first=True, enforce_sorted=False)
    packing = Packing.of(lengths)
    assert texts.flatten()[packing.words].tolist() == packed.data.tolist()
    assert packing.sizes.tolist() == packed.batch_sizes.tolist() == [4, 3, 2, 2]
    at = torch.tensor([[0, 1, 9], [3, 2, 1], [0, 9, 9], [0, 3, 3]])
    unpacked = packed.data[packing.places_of(at)]
    again, _ = pad_packed_sequence(packed, batch_first=True)
    there = at < lengths.unsqueeze(1)
    assert unpacked[there].tolist() == again.gather(1, at.clamp(max=3))[there].tolist()


def test_dialogues_read_together_are_rewritten_as_alone(trained: Path) -> None:
    model = Run.load(ModelFolder.find(trained / "run" / "model"), "cpu")
    dialogues = [*DIALOGUES, Dialogue.of(["", "Why?"])]
    alone = [model.scripts(dialogue)[0] for dialogue in dialogues]
    together = model.scripts_in_batches(dialogues, batch_size=5)
    assert [each.script for each in together] == [each.script for each in alone]
    assert [each.log_probability for each in together] == pytest.approx([each.log_probability for each in alone], 1e-3)


def test_pairs_have_their_product_and_four_ways_to_compare_them() -> None:
    network = RunNetwork(RunShape(words=9, embedding=4, hidden=1, channels=2)).eval()
    given: list[torch.Tensor] = []
    network.unet.register_forward_pre_hook(lambda _, inputs: given.append(inputs[0]))
    vectors = torch.tensor([[[3.0, 4.0]]]), torch.tensor([[[1.0, 0.0]]])
    network._read = lambda *_: vectors  # type: ignore[method-assign]
    network.bilinear.weight.data = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    network.of_row.weight.data, network.of_row.bias.data = torch.tensor([[2.0, 1.0]]), torch.tensor([0.5])
    network.of_column.weight.data = torch.tensor([[7.0, 0.0]])
    network(torch.tensor([[[3]]]), torch.tensor([[[4]]]))
    # product (3, 0), dot 3, cosine 3 / 5, linear 10 + 0.5 + 7; bilinear: the context swapped is (4, 3), times (1, 0)
    assert given[0].flatten().tolist() == pytest.approx([3, 0, 3, 0.6, 17.5, 4, 0, 0])


def test_words_are_known_from_their_second_occurrence_and_whatever_their_case() -> None:
    model = Run.untrained(ModelConfig(tagger="run"), DIALOGUES[:1] * 2, **SMALL)
    rows, columns = model.numbers(Grid(DIALOGUES[0]))
    assert (rows > 1).all()
    assert columns[-1].tolist() == [2]
    strange, _ = model.numbers(Grid(tiny.labels()[-1].script.dialogue))
    assert (strange == 1).any()


def test_a_context_without_words_leaves_the_turn_unchanged(trained: Path) -> None:
    result = Rewriter.load(trained / "run" / "model").rewrite(["", "Why?"])
    assert result.text == "Why?"


def test_a_broken_folder_is_refused(trained: Path, tmp_path: Path) -> None:
    model = trained / "run" / "model"
    config = json.loads((model / "config.json").read_text())
    for file in model.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    config["encoder"]["hidden"] = 3
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match=r"cannot read this model of RUN: [\s\S]*train it again"):
        Rewriter.load(tmp_path)


def test_nothing_to_learn_is_refused(tmp_path: Path) -> None:
    table = tiny_table(tmp_path, "", kind="run")
    Path(table["data"]["dev"]).write_text("")
    with pytest.raises(TrainingError, match=r"got 0 and 0; check data\.train and data\.dev"):
        train(Recipe.from_dict(table))


def on_encoder(folder: Path) -> Run:
    encoder = Encoder(pretrained_network(folder, positions=64))
    config = ModelConfig(tagger="run", max_length=64)
    return Run.on_encoder(config, encoder, tiny.tokenizer(), hidden=6, channels=4)


def test_with_an_encoder_a_word_has_its_vector_at_its_first_piece(encoder_folder: Path) -> None:
    model = on_encoder(encoder_folder)
    model.network.eval()
    words = [["who", "is", "xyz", "|"], ["he", "[end]"]]  # letters: three pieces
    rows, columns = (model.vocabulary.tensor(each).unsqueeze(0) for each in words)
    assert (rows > 0).sum(dim=-1).tolist() == [[1, 1, 3, 1]]
    vectors = model.network.vectors(torch.cat([rows, columns], dim=1), torch.tensor([4]))
    ids = [[tiny.vocabulary()[piece] for piece in "[CLS] who is x ##y ##z [SEP] he [SEP]".split()]]
    types = torch.tensor([[0] * 7 + [1] * 2])
    encoder: Any = model.network.vectors.encoder
    hidden = encoder.norm(encoder.network(torch.tensor(ids), token_type_ids=types).last_hidden_state)
    assert torch.allclose(vectors, hidden[:, [1, 2, 3, 6, 7, 8]], atol=1e-5)


def test_with_an_encoder_turns_that_do_not_fit_its_window_are_not_read(encoder_folder: Path) -> None:
    model = on_encoder(encoder_folder).with_config(max_length=24, topic_turns=0)
    read = model.grid(Dialogue.of(["xyzxyzxyz", "who is he ?", "xy", "is he ?"]))
    assert read
    assert [row.word for row in read.rows][:3] == ["xy", "|", "besides"]
    assert model.grid(Dialogue.of(["who", "who " * 30])) is None
    (unchanged,) = model.scripts(Dialogue.of(["who", "who " * 30]))
    assert not unchanged.script.has_changes


def test_it_learns_on_an_encoder_and_is_saved_with_it(encoder_folder: Path, tmp_path: Path) -> None:
    table = tiny_table(tmp_path, encoder_folder, kind="run", epochs=12, patience=12, batch_size=4, learning_rate=1e-3)
    table["training"]["head_rate_factor"] = 4.0
    train(Recipe.from_dict(table | {"network": SMALL}))
    log = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    best = max(line["dev_em"] for line in log)
    assert best >= 50
    rewriter = Rewriter.load(tmp_path / "run" / "model")
    right = [rewriter.rewrite(dialogue).text == dialogue.target.text for dialogue in DIALOGUES if dialogue.target]
    assert 100 * sum(right) / len(right) == pytest.approx(best, abs=0.01)


def test_the_encoder_learns_more_slowly(encoder_folder: Path, tmp_path: Path) -> None:
    table = tiny_table(tmp_path, encoder_folder, kind="run", epochs=1, batch_size=24, learning_rate=1e-3, warmup=1.0)
    table["training"]["head_rate_factor"] = 10.0
    before, after = on_encoder(encoder_folder), train(Recipe.from_dict(table | {"network": SMALL}))
    of_encoder: list[Any] = [each.network.vectors.encoder for each in (before, after)]
    weights = [each.network.requires_grad_(False).parameters() for each in of_encoder]
    steps = [float((a - b).abs().max()) for a, b in zip(*weights, strict=True)]
    assert max(steps) == pytest.approx(1e-3, rel=0.05)  # Adam's first step
