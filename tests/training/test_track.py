"""Curves of a run for TensorBoard: the figures of the log, once each, also after an interruption."""

import json
import sys
from pathlib import Path

import pytest

from tests.training.recipes import tiny_recipe
from utterly.errors import MissingExtraError, RecipeError
from utterly.training.loop import train
from utterly.training.recipe import TrainingSettings
from utterly.training.track import Tracker

event_accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")


def curves(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """What TensorBoard would show."""
    read = event_accumulator.EventAccumulator(str(folder / "tensorboard")).Reload()
    return {tag: [(each.step, round(each.value, 4)) for each in read.Scalars(tag)] for tag in read.Tags()["scalars"]}


def test_the_curves_have_the_figures_of_the_log(encoder_folder: Path, tmp_path: Path) -> None:
    train(tiny_recipe(tmp_path, encoder_folder, track="tensorboard"))
    lines = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    epochs = [line for line in lines if "epoch" in line]
    shown = curves(tmp_path / "run")
    for tag, name in (("dev/bleu4", "dev_bleu4"), ("train/loss", "loss")):
        assert [step for step, _ in shown[tag]] == [line["step"] for line in epochs]
        assert [value for _, value in shown[tag]] == pytest.approx([line[name] for line in epochs])
    assert not {"train/step", "train/steps", "train/epoch"} & shown.keys()


def test_a_resumed_run_takes_back_what_lay_after_its_checkpoint(tmp_path: Path) -> None:
    first = Tracker(tmp_path, step=0)
    for step in (1, 2, 3):
        first.add({"step": step, "loss": float(step)})
    Tracker(tmp_path, step=2).add({"step": 2, "loss": 20.0})
    assert curves(tmp_path)["train/loss"] == [(1, 1), (2, 20)]


def test_without_the_package_its_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'utterly\[tensorboard\]'"):
        Tracker(tmp_path, step=0)


def test_another_tracker_is_refused() -> None:
    with pytest.raises(RecipeError, match="track must be one of '', 'tensorboard', got 'wandb'"):
        TrainingSettings(track="wandb")
