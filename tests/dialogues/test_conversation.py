"""Chat messages: which of them are turns, and which is the source."""

from typing import Any

import pytest

from utterly.dialogues.conversation import SKIPPED_ROLES, dialogue_from_messages
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import DialogueError


def user(content: object) -> dict[str, object]:
    return {"role": "user", "content": content}


def assistant(content: object) -> dict[str, object]:
    return {"role": "assistant", "content": content}


def texts(messages: list[dict[str, object]]) -> list[str]:
    dialogue = dialogue_from_messages(messages)
    return [turn.text for turn in (*dialogue.context, dialogue.source)]


def test_what_user_and_assistant_said_are_the_turns() -> None:
    messages = [user("Where is the cat?"), assistant("Outside."), user("Is it wet?")]
    assert dialogue_from_messages(messages, language="en", domain="pets", id="1") == Dialogue.of(
        ["Where is the cat?", "Outside.", "Is it wet?"], language="en", domain="pets", id="1"
    )


def test_one_message_is_a_dialogue_without_context() -> None:
    assert texts([user("Is it wet?")]) == ["Is it wet?"]


@pytest.mark.parametrize("role", SKIPPED_ROLES)
def test_instructions_and_tools_are_skipped_whatever_they_hold(role: str) -> None:
    other: dict[str, object] = {"role": role, "content": {"any": "thing"}}
    assert texts([other, user("Where is the cat?"), other, user("Is it wet?"), other]) == [
        "Where is the cat?",
        "Is it wet?",
    ]


def test_the_last_user_message_is_the_source_and_what_follows_it_is_dropped() -> None:
    assert texts([user("Where is the cat?"), assistant("Outside."), user("Is it wet?"), assistant("Yes.")]) == [
        "Where is the cat?",
        "Outside.",
        "Is it wet?",
    ]


@pytest.mark.parametrize("silence", [None, "", " \n", []])
def test_an_assistant_that_says_nothing_is_no_turn(silence: object) -> None:
    assert texts([user("Where is the cat?"), assistant(silence), user("Is it wet?")]) == [
        "Where is the cat?",
        "Is it wet?",
    ]


def test_an_assistant_message_may_have_no_content_at_all() -> None:
    call: dict[str, object] = {"role": "assistant", "tool_calls": [{"id": "1", "type": "function"}]}
    assert texts([call, user("Is it wet?")]) == ["Is it wet?"]


def test_the_text_among_the_parts_is_the_turn() -> None:
    parts = [
        {"type": "text", "text": "Look,"},
        {"type": "image_url", "image_url": {"url": "data:,"}},
        {"type": "input_text", "text": "a cat."},
    ]
    assert texts([user(parts), assistant([{"type": "output_text", "text": "Nice."}]), user("Is it wet?")]) == [
        "Look,\na cat.",
        "Nice.",
        "Is it wet?",
    ]


def test_a_source_of_images_only_is_an_empty_source() -> None:
    assert texts([user("Where is the cat?"), user([{"type": "image_url"}])]) == ["Where is the cat?", ""]


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ([], r"the last message of role 'user' is what is rewritten, but none of 0 message\(s\) has it"),
        ([assistant("Hi")], r"none of 1 message\(s\) has it; add the message to rewrite"),
        ("Hi", "messages must be a list, but a string came; put the messages in a list"),
        (user("Hi"), "messages must be a list, but an object came"),
        (None, "messages must be a list, but null came"),
        ([user("Hi"), "Hi"], "message 2 must be an object with 'role' and 'content', but it is a string"),
        (
            [{"role": "bot", "content": "Hi"}],
            "'bot', which is not known; use one of: user, assistant, system, developer, tool, function",
        ),
        ([{"content": "Hi"}], "message 1 has the role None, which is not known"),
        ([{"role": ["user"], "content": "Hi"}], r"message 1 has the role \['user'\], which is not known"),
        ([user(None)], "the content of message 1 must be a string or a list of parts, but it is null"),
        ([assistant(3), user("Hi")], "the content of message 1 must be a string or a list of parts, but it is a num"),
        ([user(["Hi"])], "each part of message 1 must be an object with a 'type', but a string came; give text as"),
        ([user([{"text": "Hi"}])], "each part of message 1 must be an object with a 'type'"),
        ([user([{"type": "text", "text": None}])], "the text of a part of message 1 must be a string, but it is null"),
        ([user("\ud800")], "a turn must be valid Unicode"),
    ],
)
def test_messages_that_make_no_dialogue_are_refused(messages: Any, problem: str) -> None:
    with pytest.raises(DialogueError, match=problem):
        dialogue_from_messages(messages)
