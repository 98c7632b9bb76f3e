"""Training as a whole: it learns, it comes out the same, it survives being stopped, and it says what is wrong."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from tests import tiny
from tests.networks.exported import save_encoder_of
from tests.networks.models import KINDS
from tests.training.recipes import tiny_recipe, tiny_table, tiny_toml
from utterly.errors import FileError, ModelError, PiecesError, TrainingError, UtterlyError
from utterly.model.model import Confidence
from utterly.networks.rounding import FOUR_BIT_LEVELS
from utterly.networks.torch_model import TorchModel
from utterly.training.batches import tensors
from utterly.training.checkpoint import save_checkpoint
from utterly.training.data import ExampleEncoder
from utterly.training.loop import deterministic, train
from utterly.training.losses import Logits, Losses, label_losses, mean_logits
from utterly.training.recipe import Recipe

ALONE = {**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"}
"""The environment of a program that keeps to one core and to this machine."""

DIALOGUES = [labels.script.dialogue for labels in tiny.labels()]


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "run" / "model" / "model.safetensors")


def log(folder: Path) -> list[dict[str, Any]]:
    """What was scored after each epoch, without the time it took."""
    lines = [json.loads(line) for line in (folder / "run" / "log.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines if "epoch" in line]


def assert_same_run(one: Path, other: Path) -> None:
    assert log(one) == log(other)
    assert_same_weights(one, other)


def assert_same_weights(one: Path, other: Path) -> None:
    for name, weight in weights(one).items():
        assert torch.equal(weight, weights(other)[name]), name


def rewritten(model: TorchModel) -> list[str]:
    return [best[0].script.apply() for best in model.scripts_in_batches(DIALOGUES)]


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    return one, other


@pytest.mark.parametrize("kind", KINDS)
def test_a_tagger_learns_its_labels_by_heart(encoder_folder: Path, kind: str, tmp_path: Path) -> None:
    recipe = tiny_recipe(tmp_path, encoder_folder, kind=kind, epochs=8, patience=8, batch_size=2)
    events: list[dict[str, Any]] = []
    model = train(recipe, report=events.append)
    losses = [event["loss"] for event in events if "epoch" in event]
    assert losses[-1] < losses[0] / 5
    best = max(line["dev_em"] for line in log(tmp_path))
    assert best >= (90 if kind == "hct" else 40)  # the others cannot say `besides`
    said = rewritten(model)
    meant = [dialogue.target.text for dialogue in DIALOGUES if dialogue.target]
    assert 100 * sum(s == m for s, m in zip(said, meant, strict=True)) / len(meant) == pytest.approx(best, abs=0.01)
    assert model.config.notes["dev"]["dev_em"] == best
    assert model.config.language == "en"


@pytest.mark.parametrize(
    "more",
    [{}, {"reward_weight": 0.5}, {"accumulate": 2}, {"agreement_weight": 0.5}],
    ids=["plain", "rewards", "accumulated", "agreement"],
)
def test_the_same_recipe_gives_the_same_scores_and_weights(
    encoder_folder: Path, more: dict[str, Any], two: tuple[Path, Path]
) -> None:
    for folder in two:
        train(tiny_recipe(folder, encoder_folder, **more))
    assert_same_run(*two)


def test_another_seed_gives_another_model(encoder_folder: Path, two: tuple[Path, Path]) -> None:
    for seed, folder in enumerate(two):
        train(tiny_recipe(folder, encoder_folder, seed=seed, epochs=1))
    assert not torch.equal(weights(two[0])["action_head.bias"], weights(two[1])["action_head.bias"])


class Killed(BaseException):
    """As a kill: nothing catches it."""


@pytest.mark.parametrize("checkpoints", [1, 3])
@pytest.mark.parametrize("more", [{}, {"accumulate": 2, "batch_size": 4}], ids=["plain", "accumulated"])
def test_a_run_stopped_at_a_checkpoint_resumes_to_the_same_result(
    encoder_folder: Path,
    checkpoints: int,
    more: dict[str, Any],
    two: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, stopped = two
    train(tiny_recipe(whole, encoder_folder, epochs=4, patience=9, **more))
    written = 0

    def save_and_die(*arguments: Any) -> None:
        nonlocal written
        save_checkpoint(*arguments)
        written += 1
        if written == checkpoints:
            raise Killed

    recipe = tiny_recipe(stopped, encoder_folder, epochs=4, patience=9, **more)
    monkeypatch.setattr("utterly.training.loop.save_checkpoint", save_and_die)
    with pytest.raises(Killed):
        train(recipe)
    monkeypatch.undo()
    train(recipe)
    assert_same_weights(whole, stopped)
    assert {e["epoch"]: e["dev_bleu4"] for e in log(stopped)}[4] == log(whole)[-1]["dev_bleu4"]


def test_a_run_stopped_between_checkpoints_resumes_to_the_same_result(
    encoder_folder: Path, two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = two
    train(tiny_recipe(whole, encoder_folder))
    recipe = tiny_recipe(stopped, encoder_folder)
    batches = 0

    def losses_and_die(*arguments: Any) -> Any:
        nonlocal batches
        batches += 1
        if batches == 5:  # amid the second epoch of three batches
            raise Killed
        return label_losses(*arguments)

    monkeypatch.setattr("utterly.training.step.label_losses", losses_and_die)
    with pytest.raises(Killed):
        train(recipe)
    monkeypatch.undo()
    train(recipe)
    assert_same_run(whole, stopped)


@pytest.mark.skipif(os.name == "nt", reason="a kill is another thing there")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_killed_run_resumes_to_the_same_result(encoder_folder: Path, two: tuple[Path, Path]) -> None:
    whole, killed = two
    settings: dict[str, Any] = {"batch_size": 2, "epochs": 4, "patience": 9}
    train(tiny_recipe(whole, encoder_folder, **settings))
    recipe = tiny_recipe(killed, encoder_folder, **settings)
    child = os.fork()  # torch is loaded already
    if not child:
        try:
            train(recipe)
        finally:
            os._exit(0)  # not into pytest
    while not (killed / "run" / "checkpoint.pt").exists() and not os.waitpid(child, os.WNOHANG)[0]:
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    train(recipe)
    assert [line["dev_bleu4"] for line in log(killed)] == [line["dev_bleu4"] for line in log(whole)]
    assert_same_weights(whole, killed)


def test_a_finished_run_returns_its_model_without_training(encoder_folder: Path, tmp_path: Path) -> None:
    recipe = tiny_recipe(tmp_path, encoder_folder)
    train(recipe)
    events: list[dict[str, Any]] = []
    assert isinstance(train(recipe, report=events.append), TorchModel)
    assert events == []


def test_the_log_has_every_term_of_the_loss(encoder_folder: Path, tmp_path: Path) -> None:
    train(tiny_recipe(tmp_path, encoder_folder, epochs=1, agreement_weight=0.5, reward_weight=0.5))
    assert {"loss", "action", "rule", "span", "agreement", "rewards"} <= log(tmp_path)[0].keys()


def test_training_stops_early_if_dev_does_not_improve(encoder_folder: Path, tmp_path: Path) -> None:
    train(tiny_recipe(tmp_path, encoder_folder, learning_rate=0.0, weight_decay=0.0, epochs=9, patience=2))
    assert [line["epoch"] for line in log(tmp_path)] == [1, 2, 3]


def test_patience_never_stops_a_run_before_min_epochs(encoder_folder: Path, tmp_path: Path) -> None:
    recipe = tiny_recipe(
        tmp_path, encoder_folder, learning_rate=0.0, weight_decay=0.0, epochs=9, patience=2, min_epochs=5
    )
    train(recipe)
    assert [line["epoch"] for line in log(tmp_path)] == [1, 2, 3, 4, 5]


ENDS_WITH = """
import hashlib, sys
from pathlib import Path
from utterly.training.loop import _Run
from utterly.training.recipe import Recipe

run = _Run(Recipe.read(sys.argv[1]), None)
run.run()
weights = b"".join(weight.detach().numpy().tobytes() for weight in run.tagger.parameters())
Path(sys.argv[1] + f".{run.accelerator.process_index}").write_text(hashlib.sha256(weights).hexdigest())
"""


def in_two_processes(*command: str) -> str:
    # On CPUs `accelerate launch --cpu` starts several processes only through MPI; this way it starts them itself.
    launch = ["accelerate.commands.launch", "--multi_gpu", "--num_processes", "2", "--num_machines", "1"]
    launch += ["--mixed_precision", "no", "--dynamo_backend", "no", "--main_process_port", "0"]
    result = subprocess.run(
        [sys.executable, "-m", *launch, *command],
        capture_output=True,
        text=True,
        check=False,
        env={**ALONE, "ACCELERATE_USE_CPU": "true"},
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_two_processes_train_together(encoder_folder: Path, tmp_path: Path) -> None:
    printed = in_two_processes("-m", "utterly.training", str(tiny_toml(tmp_path, encoder_folder)))
    assert [line["steps"] for line in log(tmp_path)] == [4, 4]  # three batches an epoch, two for each process
    assert [line.split()[0] for line in printed.splitlines() if line.startswith("epoch")] == ["epoch=1", "epoch=2"]
    assert TorchModel.from_pretrained(tmp_path / "run" / "model").tagger.kind == "hct"


def test_two_processes_learn_from_rewards_and_end_with_the_same_weights(encoder_folder: Path, tmp_path: Path) -> None:
    toml = tiny_toml(tmp_path, encoder_folder, epochs=8, reward_weight=0.5, reward_from_epoch=1)
    program = tmp_path / "program.py"
    program.write_text(ENDS_WITH)
    in_two_processes(str(program), str(toml))
    first, second = (Path(f"{toml}.{process}").read_text() for process in range(2))
    assert first == second
    losses = [line["action"] for line in log(tmp_path)]
    assert losses[-1] < losses[0] / 2


def checkpoint(folder: Path) -> bytes:
    return (folder / "run" / "checkpoint.pt").read_bytes()


@pytest.mark.parametrize(
    ("spoil", "batch_size", "batch"),
    [
        (lambda loss: loss * math.nan, 8, 5),
        (lambda loss: loss + (loss * 0).sqrt(), 24, 2),  # a number, but its gradient is none
    ],
    ids=["the loss", "the last gradient of an epoch"],
)
def test_a_loss_or_weight_that_is_not_finite_ends_training_and_keeps_the_last_checkpoint(
    encoder_folder: Path,
    spoil: Callable[[Tensor], Tensor],
    batch_size: int,
    batch: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recipe = tiny_recipe(tmp_path, encoder_folder, batch_size=batch_size)
    batches = 0

    def losses_and_spoil(*arguments: Any) -> Losses:
        nonlocal batches
        batches += 1
        found = label_losses(*arguments)
        return replace(found, action=spoil(found.action)) if batches == batch else found

    monkeypatch.setattr("utterly.training.step.label_losses", losses_and_spoil)
    kept: list[bytes] = []
    with pytest.raises(TrainingError, match=r"is not a finite number after step \d+; the last checkpoint is"):
        train(recipe, report=lambda event: kept.append(checkpoint(tmp_path)) if "epoch" in event else None)
    assert kept == [checkpoint(tmp_path)]
    monkeypatch.undo()
    train(recipe)
    assert all(weight.isfinite().all() for weight in weights(tmp_path).values())


def test_an_infinite_learning_rate_is_a_clear_error(encoder_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r'lower learning_rate, or set precision = "no"'):
        train(tiny_recipe(tmp_path, encoder_folder, learning_rate=float("inf")))
    assert not (tmp_path / "run" / "checkpoint.pt").exists()


def test_a_full_disk_is_a_clear_error_and_keeps_the_last_checkpoint(
    encoder_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = tiny_recipe(tmp_path, encoder_folder)
    kept: list[bytes] = []

    def full(_: object, path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    def after_the_first_epoch(event: dict[str, Any]) -> None:
        if "epoch" in event:
            kept.append(checkpoint(tmp_path))
            monkeypatch.setattr("utterly.training.checkpoint.torch.save", full)

    with pytest.raises(
        TrainingError,
        match=r"cannot write the checkpoint: .*No space left on device.*; the previous one is",
    ):
        train(recipe, report=after_the_first_epoch)
    assert [checkpoint(tmp_path)] == kept
    assert list((tmp_path / "run").glob(".*.part")) == []
    monkeypatch.undo()
    train(recipe)
    assert [line["epoch"] for line in log(tmp_path)] == [1, 2]


def test_a_checkpoint_resumes_only_with_its_own_recipe(encoder_folder: Path, tmp_path: Path) -> None:
    train(tiny_recipe(tmp_path, encoder_folder, epochs=1))
    with pytest.raises(
        TrainingError, match="the recipe has changed since this checkpoint; set another `out`, or delete"
    ):
        train(tiny_recipe(tmp_path, encoder_folder, epochs=1, learning_rate=1e-3))


def test_a_checkpoint_resumes_though_settings_were_added_since(encoder_folder: Path, tmp_path: Path) -> None:
    recipe = tiny_recipe(tmp_path, encoder_folder, epochs=1)
    train(recipe)
    path = tmp_path / "run" / "checkpoint.pt"
    saved = torch.load(path, weights_only=True)
    del saved["recipe"]["data"]["exact_only"]
    torch.save(saved, path)
    events: list[dict[str, Any]] = []
    train(recipe, report=events.append)
    assert events == []  # it was done already
    saved["recipe"]["data"]["of_a_later_release"] = True
    torch.save(saved, path)
    with pytest.raises(TrainingError, match="the recipe has changed since this checkpoint"):
        train(recipe)


def test_a_checkpoint_of_another_version_or_a_broken_one_is_refused(encoder_folder: Path, tmp_path: Path) -> None:
    recipe = tiny_recipe(tmp_path, encoder_folder, epochs=1)
    path = tmp_path / "run" / "checkpoint.pt"
    path.parent.mkdir()
    torch.save({"version": 99}, path)
    with pytest.raises(ModelError, match="checkpoint format must be version 1, got 99; resume with the release"):
        train(recipe)
    path.write_bytes(b"half")
    with pytest.raises(ModelError, match=r"broken checkpoint: .*; delete it to start over"):
        train(recipe)


def spoiled(table: dict[str, Any], **changes: Any) -> Recipe:
    for path, value in changes.items():
        section, key = path.split("__")
        table[section][key] = value
    return Recipe.from_dict(table)


@pytest.mark.parametrize(
    ("changes", "error", "problem"),
    [
        ({"data__train": ["nowhere.jsonl"]}, FileError, "nowhere.jsonl: there is no such file; check the path"),
        ({"data__dev": "nowhere.jsonl"}, FileError, "nowhere.jsonl: there is no such file; check the path"),
        ({"data__book": "nowhere.json"}, FileError, "nowhere.json: there is no such file; check the path"),
        ({"tagger__encoder": "nowhere"}, ModelError, "nowhere: there is no such folder; give a model's folder"),
        ({"tagger__start_from": "nowhere"}, ModelError, "nowhere: there is no such folder; give a model's folder"),
        ({"tagger__max_length": 999}, PiecesError, "at most the encoder's 128 positions, got 999"),
    ],
)
def test_a_missing_file_or_a_window_too_long_for_the_encoder_is_reported(
    encoder_folder: Path, changes: dict[str, Any], error: type[UtterlyError], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=problem):
        train(spoiled(tiny_table(tmp_path, encoder_folder), **changes))


def test_an_encoder_without_a_fast_tokenizer_is_refused(encoder_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "slow").mkdir()
    for name in ("config.json", "model.safetensors"):
        (tmp_path / "slow" / name).symlink_to(encoder_folder / name)
    with pytest.raises(PiecesError, match=r"needs a fast tokenizer, the file tokenizer\.json"):
        train(spoiled(tiny_table(tmp_path, encoder_folder), tagger__encoder=str(tmp_path / "slow")))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is one")
def test_a_missing_gpu_is_reported(encoder_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match='device = "cuda" needs a GPU that torch can use, and there is none; set'):
        train(tiny_recipe(tmp_path, encoder_folder, device="cuda"))


def test_an_empty_label_file_is_refused(encoder_folder: Path, tmp_path: Path) -> None:
    recipe = tiny_recipe(tmp_path, encoder_folder)
    Path(recipe.data.train[0]).write_text("")
    with pytest.raises(TrainingError, match=r"got 0 and 0; check data\.train and data\.dev"):
        train(recipe)


def test_exact_only_trains_on_exact_scripts_and_says_how_many_it_skipped(encoder_folder: Path, tmp_path: Path) -> None:
    table = tiny_table(tmp_path, encoder_folder, epochs=1, dev_limit=1)
    path = Path(table["data"]["train"][0])
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines[:5]:
        line["rewrite"] += " indeed"  # what its script does not say
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    events: list[dict[str, Any]] = []
    train(spoiled(table, data__exact_only=True), report=events.append)
    said = {"examples": 19, "too_long": 0, "inexact": 5, "dev": 1}
    assert events[0] == json.loads((tmp_path / "run" / "log.jsonl").read_text().splitlines()[0]) == said
    assert events[-1]["steps"] == 3  # batches of eight
    path.write_text("".join(json.dumps(line) + "\n" for line in lines[:5]))
    with pytest.raises(TrainingError, match=r"got 0 and 1; check data\.train and data\.dev, or set exact_only"):
        train(spoiled(table, data__exact_only=True))


def test_a_tagger_can_start_from_another_of_its_kind_and_book(encoder_folder: Path, two: tuple[Path, Path]) -> None:
    first, second = two
    train(tiny_recipe(first, encoder_folder, epochs=1))
    table = tiny_table(second, encoder_folder, learning_rate=0.0, weight_decay=0.0, epochs=1)
    train(spoiled(table, tagger__start_from=str(first / "run" / "model")))
    assert torch.equal(weights(first)["rule_head.weight"], weights(second)["rule_head.weight"])
    with pytest.raises(
        TrainingError,
        match=r"tagger.start_from must be of kind mst with the rules of .* is of kind hct with the book .*; set",
    ):
        train(spoiled(table, tagger__start_from=str(first / "run" / "model"), tagger__kind="mst"))


def test_a_run_can_start_from_a_narrowed_tagger_that_the_whole_one_teaches(
    encoder_folder: Path, two: tuple[Path, Path]
) -> None:
    first, second = two
    train(tiny_recipe(first, encoder_folder, epochs=1))
    whole = str(first / "run" / "model")
    table = tiny_table(second, encoder_folder, epochs=1)
    model = train(spoiled(table, tagger__start_from=whole, tagger__teachers=[whole], tagger__feed_forward=48))
    assert model.config.encoder["intermediate_size"] == 48
    assert weights(second)["encoder.network.encoder.layer.0.output.dense.weight"].shape == (32, 48)
    assert weights(first)["encoder.network.encoder.layer.0.output.dense.weight"].shape == (32, 64)


def test_a_tagger_in_four_bits_learns_is_saved_as_it_computes_and_resumes_to_the_same_result(
    two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    encoder = save_encoder_of("bert", one / "encoder", hidden_size=128, intermediate_size=128)
    whole = train(tiny_recipe(one, encoder, weight_bits=4, epochs=2))
    key = weights(one)["span_predictor.start.key.weight"]  # (128, 128)
    assert all(len(row.unique()) <= 2 * FOUR_BIT_LEVELS + 1 for row in key)
    unrounded = torch.load(one / "run" / "checkpoint.pt", weights_only=True)["model"]["span_predictor.start.key.weight"]
    assert min(len(row.unique()) for row in unrounded) > 100

    def save_and_die(*arguments: Any) -> None:
        save_checkpoint(*arguments)
        raise Killed

    recipe = tiny_recipe(other, encoder, weight_bits=4, epochs=2)
    monkeypatch.setattr("utterly.training.loop.save_checkpoint", save_and_die)
    with pytest.raises(Killed):
        train(recipe)
    monkeypatch.undo()
    train(recipe)
    assert_same_weights(one, other)
    assert rewritten(TorchModel.from_pretrained(one / "run" / "model")) == rewritten(whole)


def test_a_tagger_learns_the_rewrites_of_its_teacher(encoder_folder: Path, two: tuple[Path, Path]) -> None:
    first, second = two
    teacher = train(tiny_recipe(first, encoder_folder, epochs=8))
    table = tiny_table(second, encoder_folder, epochs=8, teacher_weight=1.0)
    student = train(spoiled(table, tagger__teachers=[str(first / "run" / "model")]))
    rewrites = [
        [best[0].script.apply() for best in model.scripts_in_batches(DIALOGUES)] for model in (teacher, student)
    ]
    assert rewrites[0] == rewrites[1]


def test_teachers_teach_together_and_both_readings_of_a_dialogue(
    encoder_folder: Path, two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def noted(logits: Sequence[Logits], *, readings: int) -> Logits:
        asked.append((len(logits), readings))
        return mean_logits(logits, readings=readings)

    monkeypatch.setattr("utterly.training.step.mean_logits", noted)
    first, second = two
    for name in "ab":
        (first / name).mkdir()
    teachers = [train(tiny_recipe(first / name, encoder_folder, epochs=8, seed=seed)) for seed, name in enumerate("ab")]
    table = tiny_table(second, encoder_folder, epochs=8, teacher_weight=1.0, agreement_weight=0.5)
    folders = [str(first / name / "run" / "model") for name in "ab"]
    student = train(spoiled(table, tagger__teachers=folders))
    rewrites = [
        [best[0].script.apply() for best in model.scripts_in_batches(DIALOGUES)] for model in (*teachers, student)
    ]
    agreed = [i for i, (one, other) in enumerate(zip(rewrites[0], rewrites[1], strict=True)) if one == other]
    assert len(agreed) > len(DIALOGUES) / 2
    assert [rewrites[2][i] for i in agreed] == [rewrites[0][i] for i in agreed]
    assert set(asked) == {(2, 2)}


def test_cuda_graphs_need_a_single_process(
    encoder_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("utterly.training.loop.Accelerator.num_processes", 2)
    with pytest.raises(TrainingError, match="cuda_graphs needs a single process, got 2; run without"):
        train(tiny_recipe(tmp_path, encoder_folder, cuda_graphs=True))


def test_teachers_must_have_the_same_pieces(encoder_folder: Path, two: tuple[Path, Path]) -> None:
    first, second = two
    folders = [str(first / name / "run" / "model") for name in "ab"]
    for name, length in zip("ab", (64, 48), strict=True):
        (first / name).mkdir()
        train(spoiled(tiny_table(first / name, encoder_folder, epochs=1), tagger__max_length=length))
    with pytest.raises(TrainingError, match=r"teachers must cut dialogues into the same pieces, but .*b.run.model and"):
        train(spoiled(tiny_table(second, encoder_folder), tagger__teachers=folders))


def test_agreement_draws_the_readings_of_a_dialogue_together(encoder_folder: Path, two: tuple[Path, Path]) -> None:
    models = [
        train(tiny_recipe(folder, encoder_folder, epochs=6, agreement_weight=weight))
        for folder, weight in zip(two, (0.0, 4.0), strict=True)
    ]
    apart = []
    for model in models:
        examples = ExampleEncoder("hct", model.book, model.encoder).encode(tiny.labels()).examples
        batch, gold = tensors([*examples, *examples], max_slots=model.tagger.max_slots, stops=model.tagger.stops)
        model.tagger.train()
        torch.manual_seed(0)
        probs = model.tagger(batch, gold.queries)[0].action_logits.softmax(-1)
        apart.append((probs - probs.roll(len(examples), dims=0)).abs().mean().item())
    assert apart[1] < apart[0]


def test_a_teacher_must_be_of_the_same_kind_and_book(encoder_folder: Path, two: tuple[Path, Path]) -> None:
    first, second = two
    train(tiny_recipe(first, encoder_folder, epochs=1))
    table = tiny_table(second, encoder_folder, kind="mst")
    with pytest.raises(
        TrainingError,
        match=r"a teacher must be of kind mst with the rules of .* is of kind hct with the book .*; train",
    ):
        train(spoiled(table, tagger__teachers=[str(first / "run" / "model")]))


def test_a_tagger_continued_from_another_must_be_calibrated_again(encoder_folder: Path, two: tuple[Path, Path]) -> None:
    first, second = two
    calibrated = train(tiny_recipe(first, encoder_folder, epochs=1)).with_config(confidence=Confidence(1.0, 0.0))
    calibrated.save_pretrained(first / "run" / "model")
    table = tiny_table(second, encoder_folder, epochs=1)
    assert train(spoiled(table, tagger__start_from=str(first / "run" / "model"))).config.confidence is None


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("wanted", [False, True])
def test_deterministic_algorithms_are_set_inside_and_restored_afterwards(
    before: bool, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":16:8")
    torch.use_deterministic_algorithms(before)
    try:
        with deterministic(wanted):
            assert torch.are_deterministic_algorithms_enabled() == wanted
        assert torch.are_deterministic_algorithms_enabled() == before
    finally:
        torch.use_deterministic_algorithms(False)


def test_a_step_without_a_deterministic_form_is_an_error_that_says_so() -> None:
    expected = pytest.raises(TrainingError, match=r"has no deterministic form on this device: .* set determ")
    with expected, deterministic(True):
        raise RuntimeError("kthvalue CUDA does not have a deterministic implementation")
    with pytest.raises(RuntimeError, match="of another kind"), deterministic(True):
        raise RuntimeError("of another kind")
    assert not torch.are_deterministic_algorithms_enabled()
