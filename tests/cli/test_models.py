"""`utterly models`: what is bundled, or a folder of one's own."""

import json
from pathlib import Path

import pytest

from tests.command_line import CommandLine


@pytest.fixture
def noted(model_folder: Path, tmp_path: Path) -> Path:
    """A model with notes of the kind that bundled ones have."""
    folder = tmp_path / "en"
    folder.mkdir()
    for file in model_folder.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    config = json.loads((folder / "config.json").read_text())
    config["min_confidence"] = 0.25
    config["notes"] = {"encoder": "gte-tiny", "data": ["ours", "yours"], "scores": {"dev": {"BLEU-4": 57.5, "EM": 29}}}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def test_a_table_has_a_line_a_model_with_notes_beneath(utterly: CommandLine, noted: Path) -> None:
    status, out, error = utterly("models", noted)
    assert (status, error) == (0, "")
    cells = next(line.split() for line in out.splitlines() if line.split()[:1] == ["en"])
    assert cells[:5] == ["en", "en", "hct", "gte-tiny", "0.25"]
    assert cells[-1] == "MB"
    assert "en, data: ours, yours\nen, scores: dev (BLEU-4 57.5, EM 29)\n" in out


def test_everything_is_there_as_json(utterly: CommandLine, noted: Path) -> None:
    (model,) = json.loads(utterly("models", noted, "--json").out)
    assert (model["name"], model["language"], model["encoder"], model["folder"]) == ("en", "en", "gte-tiny", str(noted))
    assert model["bytes"] == sum(file.stat().st_size for file in noted.iterdir())
    assert model["notes"]["scores"]["dev"]["EM"] == 29


def test_an_encoder_without_a_name_is_told_by_its_shape(utterly: CommandLine, model_folder: Path) -> None:
    (model,) = json.loads(utterly("models", model_folder, "--json").out)
    assert model["encoder"] == "bert, width 32"


def test_bundled_models_are_those_of_the_package(
    utterly: CommandLine, noted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("utterly.model.folder.bundled_folders", lambda: {"en": noted})
    assert [model["folder"] for model in json.loads(utterly("models", "--json").out)] == [str(noted)]
    monkeypatch.setattr("utterly.model.folder.bundled_folders", dict)
    assert utterly("models", "--json").out == "[]\n"
    status, out, error = utterly("models")
    assert (status, out) == (0, "")
    assert error.startswith("no model is bundled")


def test_a_folder_that_is_no_model_is_refused(utterly: CommandLine, tmp_path: Path) -> None:
    status, out, error = utterly("models", tmp_path)
    assert (status, out) == (2, "")
    assert "a model's folder needs config.json" in error
