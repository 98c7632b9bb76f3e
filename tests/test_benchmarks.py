"""The ceiling of a rule book is what it should be on dialogues small enough to check by hand."""

import json
from pathlib import Path

import pytest
from benchmarks.oracles import main

from benchmarks import decodings
from utterly import Dialogue
from utterly.dialogues.jsonl import write_jsonl
from utterly.labels.extract import LabelExtractor
from utterly.labels.labels import labels_to_json
from utterly.labels.syntax import load_syntax

PRONOUN = Dialogue.of(["Federer won.", "Why did he win?"], "Why did Federer win?")
BESIDES = Dialogue.of(["He hurt his back.", "Any other injuries?"], "Any other injuries besides his back?")


@pytest.fixture
def labels(tmp_path: Path) -> str:
    """Nine pronouns for each `besides _`."""
    lines = [labels_to_json(each) for each in LabelExtractor(load_syntax("none")).extract([PRONOUN] * 9 + [BESIDES])]
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def rows(printed: str) -> dict[str, tuple[str, float]]:
    """Number of rules and EM by row."""
    table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in printed.splitlines() if line.startswith("|")]
    return {cells[0]: (cells[1], float(cells[-1])) for cells in table[2:]}


def test_a_book_without_the_rule_cannot_say_the_target(labels: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([labels, labels, "--thresholds", "0.05", "0.5", "--sizes", "1", "--max-slots", "1"])
    found = rows(capsys.readouterr().out)
    assert found["labels as they are"] == ("", 100)
    assert found["RaST"] == found["MST"] == ("", 90)
    assert found["HCT, 5 %, nearest"] == found["HCT, 5 %, copies"] == ("2", 100)
    assert found["HCT, 50 %, nearest"] == found["HCT, 1 rules, nearest"] == ("1", 90)


def test_the_papers_own_book_is_made_from_what_no_single_span_says(
    labels: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([labels, labels, "--literal", "--thresholds", "0.5", "--max-slots", "1"])  # `besides _` is all that counts
    found = rows(capsys.readouterr().out)
    assert found["RaST"] == found["MST, up to 1 spans"] == ("", 90)
    assert found["HCT, 50 %"] == ("2", 100)


def test_decodings_of_one_model_stand_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turns = ["Why did Federer withdraw?", "He hurt his back.", "Did he have any other injuries?"]
    injuries = Dialogue.of(turns, "Did Federer have any other injuries besides his back?")
    write_jsonl(tmp_path / "held.jsonl", [PRONOUN, injuries, Dialogue.of(["Thanks."])])
    decodings.main(["en", str(tmp_path / "held.jsonl")])
    found = rows(capsys.readouterr().out)
    assert list(found) == ["argmax", "beam, unguarded", "beam", "tuned"]
    assert found["argmax"][1] == found["tuned"][1] == 100
