"""Our JSON lines: what is read, what is written, what is refused."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import dialogues
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.jsonl import dialogue_from_json, dialogue_to_json, read_jsonl, write_jsonl
from utterly.errors import DialogueError, FileError

FIXTURE = Path(__file__).parent.parent / "fixtures" / "dialogues.jsonl"

DIALOGUES = dialogues() | dialogues(with_target=True)


@given(DIALOGUES)
def test_a_dialogue_survives_json(dialogue: Dialogue) -> None:
    assert dialogue_from_json(json.loads(json.dumps(dialogue_to_json(dialogue)))) == dialogue


@given(st.lists(DIALOGUES, max_size=4, unique_by=lambda dialogue: dialogue.id))
def test_dialogues_survive_a_file(dialogues: list[Dialogue]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "dialogues.jsonl"
        assert write_jsonl(path, iter(dialogues)) == len(dialogues)
        assert list(read_jsonl(path)) == dialogues


def test_optional_and_unknown_fields_may_be_there_or_not() -> None:
    full, bare, chinese = read_jsonl(FIXTURE)
    assert full == Dialogue.of(
        ["Where is the cat?", "On the 🪟 sill.", "Is it asleep?"],
        "Is the cat asleep?",
        language="en",
        domain="pets",
        id="cat-1",
    )
    assert bare == Dialogue.of([""])
    assert (chinese.language, chinese.target) == ("zh", None)


def test_what_a_dialogue_does_not_have_is_not_written() -> None:
    assert dialogue_to_json(Dialogue.of(["Hi"])) == {"lang": "en", "history": [], "utterance": "Hi"}


def test_text_is_written_so_that_people_can_read_it(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "out.jsonl", [Dialogue.of(["它高吗"])])
    assert "它高吗" in (tmp_path / "out.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"history": []}', "the field 'utterance' is missing; add it (fields: 'history')"),
        ("{}", "the field 'history' is missing; add it (fields: none)"),
        ('{"history": null, "utterance": "a"}', "the field 'history' must be a list, got null"),
        ('{"history": "a", "utterance": "a"}', "the field 'history' must be a list, got a string"),
        (
            '{"history": ["a", null], "utterance": "a"}',
            "the field 'history' must be a list of strings, but element 2 is null",
        ),
        ('{"history": [], "utterance": null}', "the field 'utterance' must be a string, got null"),
        ('{"history": [], "utterance": 3.5}', "the field 'utterance' must be a string, got a number"),
        (
            '{"history": [], "utterance": "a", "rewrite": false}',
            "the field 'rewrite' must be a string, got true or false",
        ),
        (
            '{"history": [], "utterance": "a", "id": 7}',
            "the field 'id' must be a string, got a number",
        ),
        ('["a", "b"]', "a record must be an object, got a list"),
        ('"a"', "a record must be an object, got a string"),
        (
            '{"history": [], "utterance": "a"',
            "a record must be valid JSON: Expecting ',' delimiter (column 33)",
        ),
        (
            '{"history": [], "utterance": "\\ud83d"}',
            (
                "a turn must be valid Unicode, but character 0 is the lone surrogate U+D83D; "
                "decode the text again, or replace it"
            ),
        ),
        (
            '{"history": [], "utterance": "a", "id": "first"}',
            ("ids must be unique within a file, but 'first' is also in line 1; rename one, or remove the ids"),
        ),
    ],
)
def test_a_bad_line_is_named_and_explained(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "dialogues.jsonl"
    path.write_text('{"history": [], "utterance": "a", "id": "first"}\n\n' + line + "\n")
    with pytest.raises(FileError) as caught:
        list(read_jsonl(path))
    assert str(caught.value) == f"{path}, line 3: {problem}"


@pytest.mark.parametrize("extra", ["[" * 100_000 + "]" * 100_000, "1" * 5_000])
def test_json_that_python_cannot_take_is_a_bad_line_too(tmp_path: Path, extra: str) -> None:
    (tmp_path / "dialogues.jsonl").write_text(f'{{"history": [], "utterance": "a", "extra": {extra}}}')
    with pytest.raises(FileError, match=r"line 1: a record must be JSON that Python can read: .*"):
        list(read_jsonl(tmp_path / "dialogues.jsonl"))


def test_a_value_that_is_no_object_is_no_dialogue() -> None:
    with pytest.raises(DialogueError, match="a dialogue must be an object, got null"):
        dialogue_from_json(None)


def test_an_id_refused_once_is_still_taken(tmp_path: Path) -> None:
    row = '{"history": [], "utterance": "a", "id": "x"}\n'
    (tmp_path / "dialogues.jsonl").write_text(row * 3)
    bad: list[FileError] = []
    assert len(list(read_jsonl(tmp_path / "dialogues.jsonl", on_bad=bad.append))) == 1
    assert [error.line for error in bad] == [2, 3]
