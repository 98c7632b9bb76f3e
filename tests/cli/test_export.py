"""`utterly export`: a trained folder becomes one without torch, and it says how far both agree."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests import tiny
from tests.command_line import CommandLine
from tests.networks.models import untrained
from utterly.dialogues.jsonl import write_jsonl
from utterly.model.folder import ModelFolder, write_config
from utterly.model.model import Confidence
from utterly.rewriter import Rewriter

DIALOGUES = [each.script.dialogue for each in tiny.labels()]


@pytest.fixture
def trained(encoder_folder: Path, tmp_path: Path) -> Path:
    untrained("hct", encoder_folder).with_config(notes={"data": "ours"}).save_pretrained(tmp_path / "trained")
    return tmp_path / "trained"


def test_a_model_is_exported_and_compared_on_a_sample(utterly: CommandLine, trained: Path, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "sample.jsonl", DIALOGUES)
    out = tmp_path / "out"
    status, printed, error = utterly("export", trained, out, "--sample", tmp_path / "sample.jsonl")
    assert (status, error) == (0, "")
    wrote, agreed = printed.splitlines()
    assert wrote.startswith("wrote 0.")
    assert wrote.endswith(f" MB to {out}")
    assert agreed == f"rewrites are the same for {len(DIALOGUES)} of {len(DIALOGUES)} dialogues (100.0%)"
    assert ModelFolder.find(out).config.notes == {"data": "ours"}
    assert Rewriter.load(out).rewrite(DIALOGUES[0]).text == Rewriter.load(trained).rewrite(DIALOGUES[0]).text


def test_without_a_sample_dialogues_of_ours_are_compared(utterly: CommandLine, trained: Path, tmp_path: Path) -> None:
    status, printed, _ = utterly("export", trained, tmp_path / "out", "--no-int8")
    assert status == 0
    assert printed.splitlines()[1] == "rewrites are the same for 12 of 12 dialogues (100.0%)"


def test_weights_can_be_stored_in_four_bits(utterly: CommandLine, trained: Path, tmp_path: Path) -> None:
    assert utterly("export", trained, tmp_path / "out", "--bits", 4).status == 0
    assert "ONNX in int8, stored in 4 bits" in (tmp_path / "out" / "README.md").read_text()
    assert "must have 4, 8, 32 bits, got 3" in utterly("export", trained, tmp_path / "other", "--bits", 3).err
    assert not (tmp_path / "other").exists()


def test_the_confidence_of_a_model_goes_with_it(utterly: CommandLine, trained: Path, tmp_path: Path) -> None:
    curve = Confidence(0.5, 1.0)
    write_config(trained, replace(ModelFolder.find(trained).config, confidence=curve))
    assert utterly("export", trained, tmp_path / "out").status == 0
    assert ModelFolder.find(tmp_path / "out").config.confidence == curve


def test_what_cannot_be_exported_is_one_line_of_error(
    utterly: CommandLine, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("so")
    faults: list[tuple[list[object], str]] = [
        ([tmp_path, tmp_path / "out"], "a model's folder needs config.json"),
        ([trained, tmp_path / "file"], "the output must be a folder, but this is a file"),
        ([trained, tmp_path / "out", "--sample", tmp_path / "none.jsonl"], "there is no such file; check the path"),
    ]
    for arguments, problem in faults:
        status, out, error = utterly("export", *arguments)
        assert (status, out, error.count("\n")) == (2, "", 1)
        assert problem in error
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert "pip install 'utterly[export]'" in utterly("export", trained, tmp_path / "out").err


def test_a_folder_with_files_is_written_to_only_by_force_and_the_model_itself_never(
    utterly: CommandLine, trained: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert utterly("export", trained, out).status == 0
    assert "the output folder must be empty, but has files; name another" in utterly("export", trained, out).err
    assert utterly("export", trained, out, "--force").status == 0
    (tmp_path / "link").symlink_to(trained)
    assert (
        "the output must not be the model's own folder" in utterly("export", trained, tmp_path / "link", "--force").err
    )
