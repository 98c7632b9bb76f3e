"""`utterly rules` and `utterly restrict`."""

import json
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from utterly.dialogues.dialogue import Dialogue
from utterly.labels.extract import LabelExtractor
from utterly.labels.labels import labels_to_json
from utterly.labels.syntax import load_syntax
from utterly.rules.book import RuleBook
from utterly.rules.restricted import read_restricted

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
        ("rules", "LABELS BOOK --threshold --max-slots --size --seed Example".split()),
        ("restrict", "LABELS BOOK OUT --literal Example".split()),
    ],
)
def test_help_names_what_can_be_given_with_an_example(utterly: CommandLine, command: str, words: list[str]) -> None:
    status, out, _ = utterly(command, "--help")
    assert status == 0
    assert [word for word in words if word not in out] == []


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


def test_restricted_labels_are_ready_for_training_and_for_scoring(
    utterly: CommandLine, labels: Path, tmp_path: Path
) -> None:
    book, out = tmp_path / "rules.json", tmp_path / "restricted.jsonl"
    utterly("rules", labels, book, "--threshold", "0.5", "--max-slots", 1)
    assert utterly("restrict", labels, book, out) == (0, f"wrote 5 label lines in 2 rules to {out}\n", "")
    restricted = list(read_restricted(out, RuleBook.load(book)))
    assert [each.id for each in restricted] == ["a", "b", "c", "d", "e"]
    scores = utterly("evaluate", "--predictions", out, "--field", "oracle", "--references", out, "--json")
    assert json.loads(scores.out)["report"]["overall"]["EM"]["value"] == 40


def test_labels_are_restricted_to_the_book_of_a_bundled_model_by_its_name(
    utterly: CommandLine, labels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "restricted.jsonl"
    utterly("rules", labels, tmp_path / "rules.json", "--threshold", "0.5", "--max-slots", 1)
    monkeypatch.setattr("utterly.model.folder.bundled_folders", lambda: {"en": tmp_path})
    assert utterly("restrict", labels, "en", out) == (0, f"wrote 5 label lines in 2 rules to {out}\n", "")


def test_a_literal_mapping_copies_no_words(utterly: CommandLine, labels: Path, tmp_path: Path) -> None:
    book, out = tmp_path / "rules.json", tmp_path / "out.jsonl"
    utterly("rules", labels, book, "--threshold", "0.5", "--max-slots", 1)
    write_labels(labels, [Dialogue.of(["Why is it so?", "When?"], "When is it so?")])
    for options, rewrite in [([], "When is it so?"), (["--literal"], "When?")]:
        utterly("restrict", labels, book, out, *options)
        assert json.loads(out.read_text())["oracle"] == rewrite


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["rules", "nowhere.jsonl"], "nowhere.jsonl: there is no such file; check the path"),
        (["rules", "LABELS", "--size", "2"], "a size that holds a glue rule for each number of slots"),
        (["rules", "EMPTY"], "made from inserted phrases, but these labels insert none"),
        (["rules", "LABELS", "nowhere/rules.json"], "rules.json: cannot be written"),
        (["restrict", "LABELS", "LABELS", "out"], "a rule book must be JSON, but"),
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
