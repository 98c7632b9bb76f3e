"""RUN learns tiny labels by heart, is saved and loaded, and rewrites through the same commands."""

import json
from pathlib import Path

import pytest
import torch

from tests import tiny
from tests.command_line import CommandLine, write_rows
from tests.training.recipes import tiny_table
from utterly import Rewriter
from utterly.baselines.run.grid import Cell, Grid
from utterly.baselines.run.model import Run
from utterly.baselines.run.network import RunNetwork, RunShape
from utterly.dialogues.jsonl import dialogue_to_json
from utterly.errors import ModelError, TrainingError
from utterly.model.folder import ModelConfig
from utterly.training.recipe import Recipe
from utterly.training.run import train_run

SMALL = {"embedding": 24, "hidden": 24, "channels": 12}
DIALOGUES = [labels.script.dialogue for labels in tiny.labels()]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    table = tiny_table(folder, Path("none"), kind="run", epochs=20, patience=20, batch_size=4, learning_rate=4e-3)
    train_run(Recipe.from_dict(table), sizes=SMALL)
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


def test_the_same_seed_gives_the_same_model(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        table = tiny_table(tmp_path / name, Path("none"), kind="run", epochs=1)
        found.append(train_run(Recipe.from_dict(table), sizes=SMALL).network.state_dict())
    assert all(torch.equal(weight, found[1][name]) for name, weight in found[0].items())


def test_padding_changes_neither_reading_nor_features() -> None:
    torch.manual_seed(0)
    network = RunNetwork(RunShape(words=9, embedding=4, hidden=3, channels=2)).eval()
    rows, columns = torch.tensor([[3, 4, 5]]), torch.tensor([[6, 2]])
    padded = torch.tensor([[3, 4, 5, 0, 0], [3, 4, 5, 6, 7]]), torch.tensor([[6, 2, 0], [6, 7, 2]])
    for alone, together, size in zip(network._read(rows, columns), network._read(*padded), (3, 2), strict=True):
        assert torch.allclose(alone[0], together[0, :size], atol=1e-6)
    assert network(*padded).shape == (2, len(Cell), 5, 3)


def test_pairs_have_their_product_cosine_and_bilinear_form() -> None:
    network = RunNetwork(RunShape(words=9, embedding=4, hidden=1, channels=2)).eval()
    given: list[torch.Tensor] = []
    network.unet.register_forward_pre_hook(lambda _, inputs: given.append(inputs[0]))
    vectors = torch.tensor([[[3.0, 4.0]]]), torch.tensor([[[1.0, 0.0]]])
    network._read = lambda *_: vectors  # type: ignore[method-assign]
    network.bilinear.weight.data = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    network(torch.tensor([[3]]), torch.tensor([[4]]))
    # product (3, 0), cosine 3 / 5, bilinear form: the context swapped is (4, 3), times (1, 0)
    assert given[0].flatten().tolist() == pytest.approx([3, 0, 0.6, 4])


def test_words_are_known_from_their_second_occurrence_and_whatever_their_case() -> None:
    model = Run.untrained(ModelConfig(tagger="run"), DIALOGUES[:1] * 2, **SMALL)
    rows, columns = model.numbers(Grid(DIALOGUES[0]))
    assert (rows > 1).all()
    assert columns[-1] == 2
    strange, _ = model.numbers(Grid(tiny.labels()[-1].script.dialogue))
    assert (strange == 1).any()


def test_a_context_without_words_leaves_the_turn(trained: Path) -> None:
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
    table = tiny_table(tmp_path, Path("none"), kind="run")
    Path(table["data"]["dev"]).write_text("")
    with pytest.raises(TrainingError, match=r"got 0 and 0; check data\.train and data\.dev"):
        train_run(Recipe.from_dict(table))
