"""`utterly label`: what it writes, what it shows, and how it refuses."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from utterly.labels.labels import read_labels

ROWS: list[dict[str, Any]] = [
    {"id": "a", "history": ["Federer won."], "utterance": "Is he Swiss?", "rewrite": "Is Federer Swiss?"},
    {"id": "b", "history": [], "utterance": "Why?", "rewrite": "Why did the band split?"},
]
NO_TARGET = {"history": [], "utterance": "Why?"}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_labels_are_written_and_their_coverage_shown(utterly: CommandLine, rows: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    status, out, error = utterly("label", rows, path, "--syntax", "none")
    assert (status, error) == (0, "")
    assert [labels.id for labels in read_labels(path)] == ["a", "b"]
    shown = {" ".join(line.split()) for line in out.splitlines()}
    assert {"dialogues 2", "covered: the script gives the target 2 100.00%"} <= shown
    assert "free of unaligned phrases 1 50.00%" in shown
    assert {"phrases 2", "made of one span 1 50.00%", "made of rule words only 1 50.00%", "syntax:none"} <= shown
    assert {"words added 5", "copied 1 20.00%", "of rules 4 80.00%", "words added per phrase 2.50"} <= shown
    assert out.endswith(f"wrote labels for 2 dialogues to {path}\n")


def test_literal_labels_take_function_words_as_spans(utterly: CommandLine, rows: Path, tmp_path: Path) -> None:
    rows.write_text(json.dumps({"history": ["the end"], "utterance": "why", "rewrite": "why the"}) + "\n")
    for options, rule in ((["--literal"], "_"), ([], "the")):
        assert utterly("label", rows, tmp_path / "labels.jsonl", "--syntax", "none", "--force", *options)[0] == 0
        (labels,) = read_labels(tmp_path / "labels.jsonl")
        assert str(labels.script.edits[-1].rule) == rule


def test_coverage_of_nothing_is_shown_too(utterly: CommandLine, rows: Path, tmp_path: Path) -> None:
    rows.write_text("")
    status, out, _ = utterly("label", rows, tmp_path / "labels.jsonl", "--syntax", "none")
    assert status == 0
    assert "words added per phrase 0.00" in {" ".join(line.split()) for line in out.splitlines()}


def test_dialogues_that_cannot_be_labelled_are_refused_or_skipped(
    utterly: CommandLine, rows: Path, tmp_path: Path
) -> None:
    rows.write_text(rows.read_text() + json.dumps(NO_TARGET) + "\n")
    command = ["label", rows, tmp_path / "labels.jsonl", "--syntax", "none"]
    status, out, error = utterly(*command)
    assert (status, out) == (2, "")
    assert "rows.jsonl, line 3: labels need a target, but the field 'rewrite' is missing; add it" in error
    status, out, error = utterly(*command, "--skip-bad")
    assert (status, error.splitlines()[0]) == (0, "skipped 1 bad record(s), starting with:")
    assert "wrote labels for 2 dialogues" in out


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--syntax", "spicy"], "error: no syntax provider called 'spicy'; known: none, spacy, zh"),
        (["--jobs", "0"], "Invalid value for '--jobs'"),
    ],
)
def test_wrong_options_are_refused(
    utterly: CommandLine, rows: Path, tmp_path: Path, options: list[str], problem: str
) -> None:
    status, _, error = utterly("label", rows, tmp_path / "labels.jsonl", *options)
    assert status == 2
    assert problem in error


def test_without_the_extra_it_is_named(
    utterly: CommandLine, rows: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    for module in ("lcs", "extract", "files"):
        monkeypatch.delitem(sys.modules, f"utterly.labels.{module}", raising=False)
    status, _, error = utterly("label", rows, tmp_path / "labels.jsonl")
    assert status == 2
    assert error == (
        "error: this needs the package 'rapidfuzz', which is not installed; "
        "install it with: pip install 'utterly[labels]'\n"
    )
