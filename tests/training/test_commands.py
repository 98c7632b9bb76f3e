"""The commands that train and use taggers: what they write, what they show, and how they refuse."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import tiny
from tests.command_line import CommandLine
from tests.networks.models import untrained
from tests.training.recipes import tiny_toml
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.jsonl import write_jsonl
from utterly.model.folder import bundled_folders
from utterly.model.model import Confidence
from utterly.model.settings import DecodeSettings
from utterly.networks.torch_model import TorchModel
from utterly.training import calibrate
from utterly.training.calibrate import Trial, fit_confidence, fit_decode

DIALOGUES = [each.script.dialogue for each in tiny.labels()]


@pytest.fixture
def dialogues(tmp_path: Path) -> Path:
    path = tmp_path / "dialogues.jsonl"
    write_jsonl(path, DIALOGUES)
    return path


@pytest.fixture
def model(encoder_folder: Path, tmp_path: Path) -> Path:
    untrained("hct", encoder_folder).save_pretrained(tmp_path / "model")
    return tmp_path / "model"


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_train_shows_an_epoch_a_line_and_says_where_the_model_is(
    utterly: CommandLine, encoder_folder: Path, tmp_path: Path
) -> None:
    toml = tiny_toml(tmp_path, encoder_folder)
    status, out, error = utterly("train", toml)
    assert (status, error) == (0, "")
    data, first, second, last = out.splitlines()
    assert data == "training on 24 labels (skipped: 0 too long, 0 inexact), dev has 24 dialogues"
    assert first.startswith("epoch 1: loss ")
    assert "dev BLEU-4 " in second
    assert last == f"the best model is in {tmp_path / 'run' / 'model'}"
    assert utterly("train", toml) == (0, f"{last}\n", "")  # all is done


def test_train_takes_a_variant_of_the_recipe(utterly: CommandLine, encoder_folder: Path, tmp_path: Path) -> None:
    toml = tiny_toml(tmp_path, encoder_folder)
    toml.write_text(f'{toml.read_text()}\n[variants.short]\nabout = "one epoch"\ntraining.epochs = 1\n')
    assert utterly("train", toml, "--list-variants") == (0, "(default)\nshort      one epoch\n", "")
    assert not (tmp_path / "run").exists()
    status, out, error = utterly("train", toml, "--variant", "short")
    assert (status, error) == (0, "")
    _, epoch, last = out.splitlines()
    assert epoch.startswith("epoch 1: loss ")
    assert last == f"the best model is in {tmp_path / 'run' / 'short' / 'model'}"
    status, out, error = utterly("train", toml, "--variant", "short", "--seed", "5")
    assert (status, error) == (0, "")
    assert out.splitlines()[-1] == f"the best model is in {tmp_path / 'run' / 'short' / 'seed-5' / 'model'}"
    status, _, error = utterly("train", toml, "--variant", "long")
    assert (status, error) == (2, f"error: {toml} has no variant 'long'; its variants: short\n")


def test_a_trained_model_rewrites_a_file_that_can_be_scored(
    utterly: CommandLine, model: Path, dialogues: Path, tmp_path: Path
) -> None:
    out = tmp_path / "predictions.jsonl"
    status, _, error = utterly("rewrite", "--model", model, "--device", "cpu", "--input", dialogues, "--output", out)
    assert (status, error) == (0, "")
    expected = [best[0] for best in TorchModel.from_pretrained(model).scripts_in_batches(DIALOGUES)]
    for line, dialogue, scored in zip(lines_of(out), DIALOGUES, expected, strict=True):
        assert dialogue.target
        assert (line["id"], line["target"]) == (dialogue.id, dialogue.target.text)
        assert line["rewrite"] == scored.script.apply()
    status, shown, _ = utterly("evaluate", "--predictions", out, "--references", dialogues)
    assert status == 0
    assert "BLEU-4" in shown


def test_calibrate_saves_the_best_setting_into_the_model(utterly: CommandLine, model: Path, dialogues: Path) -> None:
    before = TorchModel.from_pretrained(model)
    trials = fit_decode(before, DIALOGUES)
    status, out, error = utterly("calibrate", model, dialogues)
    assert (status, error) == (0, "")
    after = TorchModel.from_pretrained(model)
    assert before.config.decode == DecodeSettings()
    assert after.config.decode == trials[0].settings
    rows = [line.split() for line in out.splitlines()]
    assert [f"{trials[0].bleu4:.2f}", f"{trials[0].exact:.2f}", f"{trials[0].value:.2f}"] in [row[5:] for row in rows]
    assert "best of 55 settings on 24 dialogues" in out
    assert all(
        a.script == b.script
        for [a], [b] in zip(
            before.with_decode(after.config.decode).scripts_in_batches(DIALOGUES),
            after.scripts_in_batches(DIALOGUES),
            strict=True,
        )
    )


def test_calibrate_takes_the_most_exact_setting_with_the_required_bleu(
    utterly: CommandLine, model: Path, dialogues: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = [(63.0, 36.0), (61.0, 37.0), (60.0, 37.5)]
    trials = [Trial(DecodeSettings(null_bias=float(i)), *each) for i, each in enumerate(scores)]
    monkeypatch.setattr(calibrate, "fit_decode", lambda *_, **__: trials)
    status, out, error = utterly("calibrate", model, dialogues, "--least-bleu", "60.5")
    assert (status, error) == (0, "")
    assert TorchModel.from_pretrained(model).config.decode == trials[1].settings
    rows = [line.split()[5:] for line in out.splitlines()]
    shown = [row for row in rows if len(row) == 3 and row[0][0].isdigit()]
    assert shown == [["61.00", "37.00", "49.00"], ["63.00", "36.00", "49.50"], ["60.00", "37.50", "48.75"]]


def test_calibrate_can_leave_decoding_unchanged(utterly: CommandLine, model: Path, dialogues: Path) -> None:
    before = TorchModel.from_pretrained(model)
    status, out, error = utterly("calibrate", model, dialogues, "--keep-decoding", "--min-confidence", "0.3")
    assert (status, error) == (0, "")
    after = TorchModel.from_pretrained(model)
    assert (after.config.decode, after.config.min_confidence) == (before.config.decode, 0.3)
    assert after.config.confidence == fit_confidence(before, DIALOGUES)
    assert ("confidence: slope" in out) == (after.config.confidence is not None)
    assert "settings on" not in out


def test_calibrate_keeps_the_threshold_unless_told_otherwise(
    utterly: CommandLine, model: Path, dialogues: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrate, "fit_confidence", lambda *_: Confidence(1.0, 0.0))
    for options, threshold in ((("--min-confidence", "0.3"), 0.3), ((), 0.3), (("--min-confidence", "0"), 0.0)):
        status, _, error = utterly("calibrate", model, dialogues, "--keep-decoding", *options)
        assert (status, error) == (0, "")
        assert TorchModel.from_pretrained(model).config.min_confidence == threshold


def test_calibrate_saves_decoding_but_no_threshold_without_a_fitted_confidence(
    utterly: CommandLine, model: Path, dialogues: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrate, "fit_confidence", lambda *_: None)
    chosen = Trial(DecodeSettings(null_bias=0.25), 60.0, 30.0)
    monkeypatch.setattr(calibrate, "fit_decode", lambda *_, **__: [chosen])
    status, _, error = utterly("calibrate", model, dialogues, "--min-confidence", "0.3")
    assert (status, error.startswith("error: a threshold needs a fitted confidence")) == (2, True)
    after = TorchModel.from_pretrained(model).config
    assert (after.decode, after.min_confidence) == (chosen.settings, 0.0)


def test_an_exported_model_is_calibrated_in_place(
    utterly: CommandLine, model: Path, dialogues: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    status, _, _ = utterly("export", model, tmp_path / "exported")
    assert status == 0
    before = {file.name: file.read_bytes() for file in (tmp_path / "exported").iterdir()}
    chosen = Trial(DecodeSettings(null_bias=0.25), 60.0, 30.0)
    monkeypatch.setattr(calibrate, "fit_decode", lambda *_, **__: [chosen])
    status, _, error = utterly("calibrate", tmp_path / "exported", dialogues)
    assert (status, error) == (0, "")
    after = {file.name: file.read_bytes() for file in (tmp_path / "exported").iterdir()}
    assert {name for name in before | after if before.get(name) != after.get(name)} == {"config.json"}
    assert TorchModel.from_pretrained(tmp_path / "exported").config.decode == chosen.settings  # checksums hold


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["train", "nowhere.toml"], "nowhere.toml: cannot read the recipe: No such file"),
        (["rewrite", "so", "--model", "MODEL", "--device", "abacus"], "torch cannot use the device 'abacus' here"),
        (["calibrate", "nowhere", "IN"], "nowhere: no such folder"),
        (["calibrate", "owner/name", "IN"], "owner/name: no such folder; give a model's folder"),
        (
            ["calibrate", "en", "IN"],
            "en: a bundled model cannot be changed",
        ),
        (["calibrate", str(bundled_folders()["zh"]), "IN"], "a bundled model cannot be changed"),
        (["calibrate", "MODEL", "BARE"], "fitting needs dialogues that all have a target"),
        (["calibrate", "MODEL", "IN", "--least-bleu", "100"], "no setting reaches 100 BLEU-4, the best has"),
    ],
)
def test_an_impossible_command_fails_with_one_line_of_error(
    utterly: CommandLine, model: Path, dialogues: Path, arguments: list[str], problem: str, tmp_path: Path
) -> None:
    write_jsonl(tmp_path / "bare.jsonl", [Dialogue.of(["who ?"])])
    paths = {"IN": dialogues, "MODEL": model, "OUT": tmp_path / "out.jsonl", "BARE": tmp_path / "bare.jsonl"}
    status, out, error = utterly(*(paths.get(argument, argument) for argument in arguments))
    assert (status, out) == (2, "")
    assert error.startswith("error: ")
    assert problem in error
    assert error.count("\n") == 1
    assert not paths["OUT"].exists()


@pytest.mark.parametrize("command", ["train", "calibrate"])
@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_a_missing_package_is_reported_with_the_extra_that_installs_it(
    utterly: CommandLine,
    encoder_folder: Path,
    command: str,
    package: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arguments: dict[str, list[object]] = {
        "train": [tiny_toml(tmp_path, encoder_folder)],
        "calibrate": ["m", "i"],
    }
    monkeypatch.setitem(sys.modules, package, None)
    status, _, error = utterly(command, *arguments[command])
    assert status == 2
    assert error == (
        f"error: this needs the package {package!r}, which is not installed; "
        "install it with: pip install 'utterly[train]'\n"
    )


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("train", ["RECIPE", "utterly[train]", "accelerate launch", "Example"]),
        ("calibrate", ["MODEL", "HELD_OUT", "--device", "--jobs", "--least-bleu", "Example"]),
    ],
)
def test_help_names_the_main_options_and_has_an_example(utterly: CommandLine, command: str, words: list[str]) -> None:
    status, out, _ = utterly(command, "--help")
    assert status == 0
    assert [word for word in words if word not in out] == []
