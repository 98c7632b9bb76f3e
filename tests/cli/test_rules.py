"""`utterly rules`: the book it writes and shows, and how it refuses."""

import json
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from utterly.dialogues.dialogue import Dialogue
from utterly.labels.extract import LabelExtractor
from utterly.labels.labels import labels_to_json
from utterly.labels.syntax import load_syntax
from utterly.rules.book import RuleBook

DIALOGUES = [
    Dialogue.of(["He hurt his back.", "Any other injuries?"], "Any other injuries besides his back?", id="a"),
    Dialogue.of(["Federer won.", "Why did he win?"], "Why did Federer win?", id="b"),
    Dialogue.of(["Federer won.", "Is he Swiss?"], "Is Federer Swiss?", id="c"),
    Dialogue.of(["Federer won.", "What about his coach?"], "What about Federer's coach?", id="d"),
    Dialogue.of(["Federer won.", "So?"], "So okay?", id="e"),
]


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return write_labels(tmp_path / "labels.jsonl", DIALOGUES)


def write_labels(path: Path, dialogues: list[Dialogue]) -> Path:
    lines = map(labels_to_json, LabelExtractor(load_syntax("none")).extract(dialogues))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def rows(out: str) -> list[list[str]]:
    """The rows of a table as lists of cells."""
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in out.splitlines() if line.strip()]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("rules", "LABELS BOOK --threshold --max-slots --size --literal --seed Example".split()),
    ],
)
def test_help_names_what_can_be_given_with_an_example(utterly: CommandLine, command: str, words: list[str]) -> None:
    status, out, _ = utterly(command, "--help")
    assert status == 0
    assert [word for word in words if word not in out] == []


def test_the_papers_own_book_counts_only_phrases_that_no_single_span_says(
    utterly: CommandLine, labels: Path, tmp_path: Path
) -> None:
    status, _, error = utterly("rules", labels, tmp_path / "rules.json", "--literal", "--max-slots", 1)
    assert (status, error) == (0, "")
    made = RuleBook.load(tmp_path / "rules.json")
    counted = {"∅": 0, "_": 0, "_ 's": 1, "besides _": 1, "okay": 1}
    assert dict(zip(map(str, made.rules), made.counts, strict=True)) == counted


def test_a_book_is_made_and_shown(utterly: CommandLine, labels: Path, tmp_path: Path) -> None:
    book = tmp_path / "rules.json"
    status, out, error = utterly("rules", labels, book, "--threshold", "0.2", "--max-slots", 1)
    assert (status, error) == (0, "")
    assert [row for row in rows(out) if row[0] in ("_", "besides _", "_ 's", "okay", "∅")] == [
        ["∅", "0", "0.00%"],
        ["_", "2", "40.00%"],
        ["_ 's", "1", "20.00%"],
        ["besides _", "1", "20.00%"],
        ["okay", "1", "20.00%"],
    ]
    assert list(map(str, RuleBook.load(book))) == ["∅", "_", "_ 's", "besides _", "okay"]


def test_without_a_name_the_book_is_only_shown(utterly: CommandLine, labels: Path, tmp_path: Path) -> None:
    status, out, _ = utterly("rules", labels, "--size", 4)
    assert (status, [row[0] for row in rows(out)][2:]) == (0, ["∅", "_", "_ _", "_ _ _", "_ 's"])
    assert list(tmp_path.iterdir()) == [labels]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["rules", "nowhere.jsonl"], "nowhere.jsonl: there is no such file; check the path"),
        (["rules", "LABELS", "--size", "2"], "size at least max_slots"),
        (["rules", "EMPTY"], "built from inserted phrases, but these labels insert none"),
        (["rules", "LABELS", "nowhere/rules.json"], "rules.json: cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_line_of_error(
    utterly: CommandLine, arguments: list[str], problem: str, labels: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    paths = {"LABELS": str(labels), "EMPTY": str(empty)}
    status, out, error = utterly(*(paths.get(each, each) for each in arguments))
    assert (status, out) == (2, "")
    assert error.startswith("error: ")
    assert problem in error
    assert error.count("\n") == 1
