"""Conversations of every kind: which entries are turns, which is the source, and what is left when one is broken."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utterly.dialogues.conversation import (
    SKIPPED_ROLES,
    dialogue_from,
    dialogue_from_messages,
    last_user_text,
    turns_of,
)
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import DialogueError

TURNS = ["Where is the cat?", "Outside.", "Is it wet?"]


def user(content: object) -> dict[str, object]:
    return {"role": "user", "content": content}


def assistant(content: object) -> dict[str, object]:
    return {"role": "assistant", "content": content}


def texts(conversation: object) -> list[str]:
    dialogue = dialogue_from(conversation)
    return [turn.text for turn in (*dialogue.context, dialogue.source)]


class Role(StrEnum):
    USER = "user"
    MODEL = "model"


@dataclass(frozen=True)
class Message:
    """As SDKs have them."""

    role: object
    content: object


TOOL_RESULT = user([{"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "{}"}]}])
GEMINI_RESULT = {"role": "user", "parts": [{"functionResponse": {"name": "search", "response": {}}}]}
ASKED: dict[str, Any] = {
    "strings": TURNS,
    "a tuple": tuple(TURNS),
    "a dialogue": Dialogue.of(TURNS),
    "a dict of turns": {"turns": TURNS, "messages": None, "id": 3},
    "openai": [{"role": "system", "content": "Hi"}, user(TURNS[0]), assistant(TURNS[1]), user(TURNS[2])],
    "openai, a dict": {"messages": [user(TURNS[0]), assistant(TURNS[1]), user(TURNS[2])], "model": "gpt"},
    "openai, input items": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": TURNS[0]}]},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "name": "search", "arguments": "{}"},
        {"type": "function_call_output", "output": "{}"},
        SimpleNamespace(type="message", role="assistant", content=[SimpleNamespace(type="output_text", text=TURNS[1])]),
        user(TURNS[2]),
    ],
    "openai, objects": [Message("user", TURNS[0]), Message("assistant", TURNS[1]), Message("user", TURNS[2])],
    "anthropic": [
        user([{"type": "text", "text": TURNS[0]}]),
        assistant([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": TURNS[1]}]),
        user([{"type": "image", "source": {}}, {"type": "text", "text": TURNS[2]}]),
    ],
    "anthropic, after a tool": [
        user(TURNS[0]),
        assistant(TURNS[1]),
        user(TURNS[2]),
        assistant([{"type": "text", "text": "I look."}, {"type": "tool_use", "name": "look"}]),
        TOOL_RESULT,
    ],
    "gemini": [
        {"role": "user", "parts": [{"text": TURNS[0]}]},
        {"role": "model", "parts": [{"text": "Hm.", "thought": True}, {"text": TURNS[1]}]},
        {"role": "user", "parts": [{"inline_data": {}}, {"text": TURNS[2]}]},
    ],
    "gemini, objects after a tool": [
        SimpleNamespace(role="user", parts=[SimpleNamespace(text=TURNS[0], function_response=None)]),
        SimpleNamespace(role="model", parts=[SimpleNamespace(text=TURNS[1], function_call=None)]),
        SimpleNamespace(role="user", parts=[SimpleNamespace(text=TURNS[2])]),
        SimpleNamespace(role="model", parts=[SimpleNamespace(text=None, function_call={})]),
        GEMINI_RESULT,
    ],
    "langchain, pairs": [("human", TURNS[0]), ("ai", TURNS[1]), ("human", TURNS[2])],
    "langchain, dicts": [{"type": "human", "content": TURNS[0]}, {"type": "ai", "content": TURNS[1]}, user(TURNS[2])],
    "langchain, objects": SimpleNamespace(
        messages=[
            SimpleNamespace(type="human", content=TURNS[0]),
            SimpleNamespace(type="chat", role="narrator", content="Night."),
            SimpleNamespace(type="AIMessageChunk", content=TURNS[1]),
            SimpleNamespace(type="human", content=["Is it wet?"]),
        ]
    ),
    "llama_index": [Message(Role.USER, TURNS[0]), Message(Role.MODEL, TURNS[1]), Message(Role.USER, TURNS[2])],
    "haystack": [SimpleNamespace(role=Role.USER, texts=[turn]) for turn in TURNS],
}


@pytest.mark.parametrize("conversation", ASKED.values(), ids=ASKED)
def test_every_kind_of_conversation_is_the_same_dialogue(conversation: object) -> None:
    assert texts(conversation) == TURNS
    assert last_user_text(conversation) == TURNS[-1]


def test_what_is_known_of_a_dialogue_may_be_given_with_it() -> None:
    messages = [user("Where is the cat?"), assistant("Outside."), user("Is it wet?")]
    assert dialogue_from_messages(messages, language="en", domain="pets", id="1") == Dialogue.of(
        TURNS, language="en", domain="pets", id="1"
    )
    assert dialogue_from({"messages": messages}, language="zh").language == "zh"


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
    assert texts([user("Where is the cat?"), assistant("Outside."), user("Is it wet?"), assistant("Yes.")]) == TURNS


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
        "A wet one.",
    ]
    assert texts([user(parts), assistant([{"type": "output_text", "text": "Nice."}]), user("Is it wet?")]) == [
        "Look,\na cat.\nA wet one.",
        "Nice.",
        "Is it wet?",
    ]


@pytest.mark.parametrize("last", [user([{"type": "image_url"}]), {"role": "user", "parts": [{"inline_data": {}}]}])
def test_a_source_of_images_only_is_an_empty_source(last: dict[str, object]) -> None:
    assert texts([user("Where is the cat?"), last]) == ["Where is the cat?", ""]
    assert last_user_text([user("Where is the cat?"), last]) == ""


def test_a_result_of_a_tool_beside_text_is_the_source() -> None:
    last = user([*TOOL_RESULT["content"], {"type": "text", "text": "Is it wet?"}])  # type: ignore[misc]
    assert texts([user("Where is the cat?"), last]) == ["Where is the cat?", "Is it wet?"]


def test_a_result_of_a_tool_alone_is_an_empty_source() -> None:
    assert texts([assistant("Outside."), TOOL_RESULT]) == ["Outside.", ""]


@pytest.mark.parametrize("history", [*ASKED.values(), [user(TURNS[0]), assistant(TURNS[1]), user(TURNS[2]), user("")]])
def test_a_history_gives_the_turns_that_were_spoken(history: object) -> None:
    assert turns_of(history)[:3] == TURNS


def test_a_history_may_end_with_the_assistant_or_be_empty() -> None:
    assert turns_of([user(TURNS[0]), assistant(TURNS[1])]) == TURNS[:2]
    assert turns_of([]) == []


@pytest.mark.parametrize(
    ("conversation", "problem"),
    [
        ([], "a dialogue needs at least one turn"),
        ([assistant("Hi")], "none of the 1 messages is from the user; add one with the role 'user'"),
        ("Hi", "a conversation must be a list of turns or messages, got a string"),
        (None, "a conversation must be a list of turns or messages, got null"),
        ({"turns": "Hi"}, "a conversation must be a list of turns or messages, got a string"),
        (user("Hi"), "a conversation must have either turns or messages, got neither"),
        ({"turns": None}, "a conversation must have either turns or messages, got neither"),
        ({"turns": ["Hi"], "messages": [user("Hi")]}, "must have either turns or messages, got turns and messages"),
        ([user("Hi"), "Hi"], "message 2 must have a role and content, got a string"),
        ([3], "message 1 must have a role and content, got a number"),
        (
            [{"role": "bot", "content": "Hi"}],
            "message 1 has the unknown role 'bot'; use one of: user, human, assistant, ai, model, chatbot, system, ",
        ),
        ([("bot", "Hi")], "message 1 has the unknown role 'bot'"),
        ([{"content": "Hi"}], "message 1 has the unknown role None"),
        ([{"role": ["user"], "content": "Hi"}], r"message 1 has the unknown role \['user'\]"),
        ([{"role": "x" * 9_999, "content": "Hi"}], r"message 1 has the unknown role 'x{12}\.\.\.x{13}'; use one of"),
        ([user(None)], "message 1 from the user has no content; give its text"),
        ([assistant(3), user("Hi")], "the content of message 1 must be a string or a list of parts, got a number"),
        ([user([None])], "each part of message 1 must be a string or an object, got null"),
        ([user([{"type": "text", "text": None}])], "the text of a part of message 1 must be a string, got null"),
        ([user([{"text": 3}])], "the text of a part of message 1 must be a string, got a number"),
        ([user("\ud800")], "a turn must be valid Unicode"),
    ],
)
def test_what_makes_no_dialogue_is_refused(conversation: Any, problem: str) -> None:
    with pytest.raises(DialogueError, match=problem):
        dialogue_from(conversation)


@pytest.mark.parametrize("messages", ["Hi", user("Hi"), None])
def test_messages_are_a_list(messages: Any) -> None:
    with pytest.raises(DialogueError, match="messages must be a list, got "):
        dialogue_from_messages(messages)


class Hostile:
    """Raises whatever is asked of it."""

    role = "user"

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(name)


@pytest.mark.parametrize(
    ("conversation", "text"),
    [
        ("where ?", "where ?"),
        (None, ""),
        (3, ""),
        (["who ?", 3], "3"),
        (["who ?", b"where ?"], "where ?"),
        (["who ?", None], ""),
        (["who ?", "\ud800"], "\ud800"),
        ([user("who ?"), "where ?"], "where ?"),
        ([user("who ?"), None], "who ?"),
        ([user("who ?"), user(["where ?", None, {"type": "text"}])], "where ?"),
        ([user("who ?"), user([{"type": "text", "text": 3}, {"type": "image", "text": "no"}])], "3"),
        ([user("who ?"), user({"type": "text", "text": "where ?"})], "where ?"),
        ([user("who ?"), Hostile()], ""),
        ([user("who ?"), user([Hostile(), "where ?"])], "where ?"),
        ([user("who ?"), {"role": "wizard", "content": "!"}], "who ?"),
        ([{"role": "wizard", "content": "!"}, {"content": "where ?"}], "where ?"),
        ([{"role": 3}, assistant("hi")], ""),
        ([{"role": "wizard"}, user("who ?"), assistant(None), TOOL_RESULT], "who ?"),
        (user("where ?"), "where ?"),
        ({"turns": ["who ?", "where ?"], "messages": 0}, ""),
        ({"turns": None, "messages": [None, user("where ?")]}, "where ?"),
    ],
)
def test_the_last_user_text_is_found_in_what_is_broken(conversation: Any, text: str) -> None:
    with pytest.raises((DialogueError, RuntimeError)):
        dialogue_from(conversation)
    assert last_user_text(conversation) == text


TEXT = st.text("abc ?é👍", min_size=1, max_size=8).filter(str.strip)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.builds(Hostile),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["role", "type", "content", "parts", "text", "turns", "messages"]), inner)
        | st.builds(SimpleNamespace, role=inner, content=inner)
    ),
    max_leaves=8,
)
MAKE_MESSAGE: st.SearchStrategy[Callable[[str, str], Any]] = st.sampled_from(
    [
        lambda role, text: {"role": role, "content": text},
        lambda role, text: {"role": role, "content": [{"type": "image"}, {"type": "text", "text": text}]},
        lambda role, text: {"role": role, "parts": [{"text": text}]},
        lambda role, text: {"type": role, "content": text},
        lambda role, text: (role, text),
        lambda role, text: Message(role, [SimpleNamespace(type="text", text=text)]),
    ]
)
FAULTS: st.SearchStrategy[Callable[[Any], Any]] = st.sampled_from(
    [
        lambda messages: [{"role": "wizard", "content": "!"}, *messages],
        lambda messages: [*messages, {"role": "assistant", "content": 3}],
        lambda messages: [*messages, None],
        lambda messages: [{"role": "user"}, *messages],
        lambda messages: {"messages": [*messages, {"role": ["user"]}], "turns": ()},
        lambda messages: {"messages": messages, "turns": ["no"]},
        lambda messages: [*messages[:-1], {"role": "user", "content": [messages[-1], {"type": "text"}]}],
    ]
)


@given(st.lists(st.tuples(MAKE_MESSAGE, TEXT), min_size=1, max_size=5), FAULTS)
def test_a_fault_elsewhere_does_not_hide_what_the_user_wrote(said: list[Any], fault: Callable[[Any], Any]) -> None:
    roles = ["user", "assistant"]
    *before, (_, text) = said
    messages = [
        *(make(roles[i % 2], each) for i, (make, each) in enumerate(before)),
        {"role": "user", "content": text},
    ]
    with pytest.raises(DialogueError):
        dialogue_from(fault(messages))
    assert last_user_text(fault(messages)) == text


@given(JUNK | st.lists(JUNK, max_size=4))
def test_the_last_user_text_of_anything_is_a_string_and_the_source_of_a_dialogue(conversation: Any) -> None:
    found = last_user_text(conversation)
    assert isinstance(found, str)
    try:
        source = dialogue_from(conversation).source.text
    except Exception:  # noqa: BLE001 - junk raises what it likes
        return
    assert found == source
