"""Files of labels in the rules of one book."""

import json
from pathlib import Path

import pytest

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import FileError
from utterly.labels.labels import Labels, read_labels
from utterly.rules.book import RuleBook
from utterly.rules.restrict import Restriction
from utterly.rules.restricted import read_restricted, write_restricted
from utterly.scripts.edits import NULL_RULE, Edit, EditScript, Rule, Span

BOOK = RuleBook((NULL_RULE, Rule.glue(1), Rule.parse("besides _")), (0, 1, 1))
DIALOGUE = Dialogue.of(["He hurt his back.", "Any others?"], "Any others besides, say, his back?", id="a")
LABELS = Labels(
    EditScript.from_changes(DIALOGUE, [(2, Edit(True, Rule.parse("besides , say , _"), (Span(0, 2, 4),)))]),
    ((), (), ((Span(0, 2, 4),),), ()),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "restricted.jsonl.gz"
    assert write_restricted(path, [LABELS], Restriction(BOOK)) == 1
    return path


def test_what_is_written_reads_back_for_the_same_book(path: Path) -> None:
    restricted = Restriction(BOOK).restrict(LABELS)
    assert list(read_restricted(path, BOOK)) == [restricted]
    assert list(read_labels(path)) == [restricted]  # also a plain file of labels


def test_a_line_says_its_book_and_how_the_rewrite_reads(tmp_path: Path) -> None:
    path = tmp_path / "restricted.jsonl"
    write_restricted(path, [LABELS], Restriction(BOOK))
    line = json.loads(path.read_text())
    assert line["book"] == BOOK.fingerprint
    assert line["oracle"] == "Any others besides his back?"
    assert line["rewrite"] == "Any others besides, say, his back?"


def test_labels_in_rules_of_another_book_are_refused(path: Path) -> None:
    other = RuleBook((NULL_RULE, Rule.glue(1)), (0, 1))
    with pytest.raises(FileError) as refused:
        list(read_restricted(path, other))
    assert str(refused.value) == (
        f"{path}, line 1: labels must be in the rules of the book with fingerprint {other.fingerprint}, but 'book' is "
        f"'{BOOK.fingerprint}'; restrict them to that book with `utterly restrict`"
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"history": [], "utterance": "a"}, "but 'book' is None; restrict them to that book"),
        ({"history": [], "utterance": "a", "book": BOOK.fingerprint}, "a label line needs the fields script and"),
        ([], "a record must be an object, but a list came"),
    ],
)
def test_other_lines_are_refused_with_their_number(line: object, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "restricted.jsonl"
    path.write_text("\n" + json.dumps(line))
    with pytest.raises(FileError) as refused:
        list(read_restricted(path, BOOK))
    assert str(refused.value).startswith(f"{path}, line 2: ")
    assert problem in str(refused.value)
