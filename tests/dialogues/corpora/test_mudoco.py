"""MuDoCo: which turns become dialogues, and what they are called."""

import json
from pathlib import Path
from typing import Any

import pytest

from utterly.dialogues.corpora.mudoco import read_mudoco
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import FileError

GARDEN = Path(__file__).parent.parent.parent / "fixtures" / "mudoco_garden.json"


def test_each_graded_user_turn_is_a_dialogue_with_all_turns_before_it() -> None:
    dialogues = list(read_mudoco(GARDEN))
    assert [dialogue.id for dialogue in dialogues] == [
        "garden-aa-01-turn0",
        "garden-aa-01-turn2",
        "garden-bb-02-turn0",
    ]
    assert dialogues[1] == Dialogue.of(
        ["Did the roses get water ?", "No , not yet .", "Then give them some ."],
        "Then give the roses some water .",
        language="en",
        domain="garden",
        id="garden-aa-01-turn2",
    )


@pytest.mark.parametrize(("split", "count"), [("train", 2), ("dev", 1), ("test", 0), (None, 3)])
def test_a_split_is_what_the_release_says(split: str | None, count: int) -> None:
    assert len(list(read_mudoco(GARDEN, split=split))) == count


def test_an_unknown_split_is_refused_at_once() -> None:
    with pytest.raises(FileError, match="this kind of file has no split 'eval'; choose from: train, dev, test"):
        read_mudoco(GARDEN, split="eval")


def garden(folder: Path, **changes: Any) -> Path:
    turn = {"number": 1, "utterance": "Is it wet ?", "graded": True, "rewritten_utterance": "Is the lawn wet ?"}
    dialog = {"split": "train", "turns": [turn | changes.pop("turn", {})]}
    path = folder / "mudoco.json"
    path.write_text(json.dumps({"dialogs": {"a": dialog | changes.pop("dialog", {})}, "domain": "garden"} | changes))
    return path


def test_the_domain_may_stand_after_the_dialogs(tmp_path: Path) -> None:
    (dialogue,) = read_mudoco(garden(tmp_path))
    assert dialogue.domain == "garden"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"domain": None}, "mudoco.json: must have a string under the key 'domain', got null"),
        ({"dialogs": []}, "mudoco.json: must have an object with members under the key 'dialogs'"),
        ({"dialogs": {"a": []}}, "mudoco.json: entry 1: the field 'a' must be an object, got a list"),
        ({"dialog": {"turns": {}}}, "the field 'turns' must be a list, got an object"),
        ({"dialog": {"turns": ["Hi"]}}, "element 1 of 'turns' must be an object, got a string"),
        ({"turn": {"number": "1"}}, "the field 'number' must be a number, got a string"),
        ({"turn": {"graded": None}}, "the field 'graded' must be true or false, got null"),
    ],
)
def test_what_does_not_fit_is_named(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        list(read_mudoco(garden(tmp_path, **changes)))


def test_a_file_without_a_domain_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file.json").write_text('{"dialogs": {}}')
    with pytest.raises(FileError, match=r"file.json: must have a string under the key 'domain', got null"):
        list(read_mudoco(tmp_path / "file.json"))


def test_a_bad_dialog_can_be_skipped_whole(tmp_path: Path) -> None:
    dialogs = json.loads(GARDEN.read_text())["dialogs"]
    del dialogs["aa-01"]["turns"][2]["utterance"]
    (tmp_path / "garden.json").write_text(json.dumps({"domain": "garden", "dialogs": dialogs}))
    bad: list[FileError] = []
    dialogues = list(read_mudoco(tmp_path / "garden.json", on_bad=bad.append))
    assert [dialogue.id for dialogue in dialogues] == ["garden-bb-02-turn0"]
    (error,) = bad
    assert error.problem == (
        "entry 1: the field 'utterance' is missing; add it (fields: "
        "'number', 'links', 'graded', 'rewritten_utterance', 'rewrite_required')"
    )
