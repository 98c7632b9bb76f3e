"""CANARD: the release's list, and JSON lines with its keys."""

import json
from pathlib import Path

import pytest

from utterly.dialogues.corpora.canard import read_canard
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import FileError

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"


def test_the_release_is_read_with_its_headers_as_context() -> None:
    first, second = read_canard(FIXTURES / "canard.json")
    assert first == Dialogue.of(
        ["Mira Oduya", "The glass bridge", "Who built it?"],
        "Who built the glass bridge?",
        language="en",
        id="C_a1b2_0_q#1",
    )
    assert second.context[-1].text == 'She drew the plans; "Oduya [and] sons" built it, in 1931.'
    assert second.source.text == "Did she  like it?"
    assert second.id == "C_a1b2_0_q#2"


def test_rows_without_ids_are_numbered() -> None:
    assert [dialogue.id for dialogue in read_canard(FIXTURES / "canard.jsonl")] == ["1", "2"]


def test_bad_rows_count_too_so_that_skipping_renumbers_nothing(tmp_path: Path) -> None:
    row = json.dumps({"History": [], "Question": "why", "Rewrite": "why"})
    (tmp_path / "rows.jsonl").write_text(f"{row}\nnope\n{row}\n")
    bad: list[FileError] = []
    assert [dialogue.id for dialogue in read_canard(tmp_path / "rows.jsonl", on_bad=bad.append)] == ["1", "3"]
    assert len(bad) == 1


def test_guessed_titles_come_first_but_only_when_asked_for_and_there() -> None:
    path = FIXTURES / "canard.jsonl"
    assert [len(dialogue.context) for dialogue in read_canard(path)] == [0, 2]
    with_titles = list(read_canard(path, guessed_titles=True))
    assert [len(dialogue.context) for dialogue in with_titles] == [1, 2]
    assert with_titles[0].context[0].text == "Mira Oduya"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"Question": "q", "Rewrite": "r"}, "the field 'History' is missing; add it .*: 'Question', 'Rewrite'"),
        ({"History": [], "Question": "q"}, "the field 'Rewrite' is missing"),
        ({"History": "h", "Question": "q", "Rewrite": "r"}, "the field 'History' must be a list, got a string"),
        (
            {"History": [], "Question": "q", "Rewrite": "r", "QuAC_dialog_id": "C_1", "Question_no": True},
            "the field 'Question_no' must be a number, got true or false",
        ),
        ("h", "a record must be an object, got a string"),
    ],
)
@pytest.mark.parametrize("layout", ["list", "lines"])
def test_wrong_rows_are_named_by_their_place(tmp_path: Path, layout: str, row: object, problem: str) -> None:
    text = json.dumps(row)
    path = tmp_path / "canard.json"
    path.write_text(f"[\n{text}\n]" if layout == "list" else f"\n{text}\n")
    where = "canard.json: entry 1" if layout == "list" else "canard.json, line 2"
    with pytest.raises(FileError, match=f"{where}: {problem}"):
        list(read_canard(path))
