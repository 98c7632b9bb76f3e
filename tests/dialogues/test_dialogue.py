"""Turns and dialogues: what can be built, and what is refused."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.errors import DialogueError


def test_the_last_turn_is_the_source() -> None:
    dialogue = Dialogue.of(["Where is the cat?", "Outside.", "Is it wet?"], "Is the cat wet?", domain="pets", id="1")
    assert dialogue.context == (Turn("Where is the cat?"), Turn("Outside."))
    assert dialogue.source == Turn("Is it wet?")
    assert dialogue.target == Turn("Is the cat wet?")
    assert (dialogue.domain, dialogue.id) == ("pets", "1")


def test_a_dialogue_may_be_one_empty_turn() -> None:
    dialogue = Dialogue.of([""])
    assert dialogue == Dialogue((), Turn(""))
    assert dialogue.source.words == ()


def test_a_turn_keeps_its_text_to_the_byte() -> None:
    text = " \ufeffcafe\u0301\r\n\x00 "
    assert Turn(text).text == text


def test_dialogues_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Dialogue.of(["Hi"]).id = "2"  # type: ignore[misc]


def test_another_target_makes_another_dialogue() -> None:
    dialogue = Dialogue.of(["Where is the cat?", "Is it wet?"], id="1")
    assert dialogue.with_target("Is the cat wet?").target == Turn("Is the cat wet?")
    assert dialogue.with_target("Is the cat wet?").with_target(None) == dialogue


@pytest.mark.parametrize(
    ("turns", "language"),
    [
        (["Where is the cat?", "它在哪"], "zh"),
        (["它在哪", "It is in the house"], "en"),
        (["它在哪", "iPhone 15"], "zh"),
        (["它在哪", " "], "zh"),
        ([""], "en"),
    ],
)
def test_the_language_is_that_of_the_source_or_of_the_context_if_the_source_does_not_tell(
    turns: list[str], language: str
) -> None:
    assert Dialogue.of(turns).language == language


def test_a_given_language_is_not_guessed_over() -> None:
    assert Dialogue.of(["它在哪"], language="ja").language == "ja"


@pytest.mark.parametrize(
    ("turns", "problem"),
    [
        ([], "a dialogue needs at least one turn"),
        ("Is it wet?", "turns must be a list of strings, got str"),
        (None, "turns must be a list of strings, got NoneType"),
        (["Hi", None], "a turn must be a string, got NoneType"),
        (["Hi", b"Hi"], "a turn must be a string, got bytes"),
        (["a\ud83d"], "a turn must be valid Unicode, but character 1 is the lone surrogate U\\+D83D; decode"),
    ],
)
def test_turns_that_make_no_dialogue_are_refused(turns: Any, problem: str) -> None:
    with pytest.raises(DialogueError, match=problem):
        Dialogue.of(turns)


@pytest.mark.parametrize(
    "parts",
    [((), "Hi"), (("Hi",), Turn("Hi")), ([Turn("Hi")], Turn("Hi")), (None, Turn("Hi")), ((), Turn("Hi"), "Hi")],
)
def test_a_dialogue_is_made_of_turns(parts: Any) -> None:
    with pytest.raises(DialogueError, match=r"a tuple of Turns as context, .*`Dialogue.of` makes one from strings"):
        Dialogue(*parts)


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("id", 7, "a dialogue's id must be a string, got int"),
        ("id", "\ud800", "a dialogue's id must be valid Unicode, but character 0 is the lone surrogate U\\+D800"),
        ("domain", ["news"], "a dialogue's domain must be a string, got list"),
        ("language", "\udfff", "a dialogue's language must be valid Unicode"),
    ],
)
def test_fields_that_could_not_be_written_are_refused(field: str, value: Any, problem: str) -> None:
    with pytest.raises(DialogueError, match=problem):
        Dialogue.of(["Hi"], **{field: value})
