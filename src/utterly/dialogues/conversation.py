"""Read a conversation of any kind into a `Dialogue`: strings, or chat messages of any API or framework.

No framework is imported. A message is a dict, an object or a pair with a role (`role`, or LangChain's `type`) and
text (`content`, Gemini's `parts` or Haystack's `texts`).
"""

import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import json_name
from utterly.errors import DialogueError

Conversation = Dialogue | Sequence[Any] | Mapping[str, Any]
"""A dialogue; turns as strings, the one to rewrite last; chat messages; or either one under `turns` or `messages`."""

USER: Final = "user"
USER_ROLES: Final = (USER, "human")
ASSISTANT_ROLES: Final = ("assistant", "ai", "model", "chatbot")
SKIPPED_ROLES: Final = ("system", "developer", "tool", "function")
TEXT_PARTS: Final = ("text", "input_text", "output_text")
CONTENT_FIELDS: Final = ("content", "parts", "texts")
_ROLES: Final = (*USER_ROLES, *ASSISTANT_ROLES, *SKIPPED_ROLES)
_SKIPPED: Final = SKIPPED_ROLES[0]
WRAPPERS: Final = ("turns", "messages")
_TOOL_RESULTS: Final = ("tool_result", "function_response", "functionResponse")  # Anthropic, Gemini: sent as the user


class _Said(NamedTuple):
    by_user: bool
    text: str
    is_tool_result: bool  # and has no text by the user


def dialogue_from(conversation: object, *, language: str = "") -> Dialogue:
    """The dialogue in a conversation of any kind that `Conversation` lists.

    >>> dialogue_from({"turns": ["Who is Federer?", "Is he Swiss?"]}).source.text
    'Is he Swiss?'
    >>> dialogue_from([("human", "Who is Federer?"), ("ai", "A player."), ("human", "Is he Swiss?")]).source.text
    'Is he Swiss?'
    """
    if isinstance(conversation, Dialogue):
        return conversation
    entries = _entries(conversation)
    if _are_messages(entries):
        return dialogue_from_messages(entries, language=language)
    return Dialogue.of(entries, language=language)


def dialogue_from_messages(
    messages: Sequence[Any],
    *,
    language: str = "",
    domain: str | None = None,
    id: str | None = None,  # noqa: A002 - the field's own name
) -> Dialogue:
    """A dialogue whose source is the last user message; anything after it is dropped.

    The context is the text of the user and assistant messages before it, with the text parts of a message one per line.
    Instructions, tools and images are skipped. If the last user message is only a tool result, the source is the last
    text that the user wrote.

    >>> chat = [{"role": "user", "content": "Who is Federer?"}, {"role": "assistant", "content": "A player."}]
    >>> dialogue_from_messages([*chat, {"role": "user", "content": "Is he Swiss?"}]).source.text
    'Is he Swiss?'
    """
    said = _said(messages)
    by_user = [i for i, each in enumerate(said) if each.by_user]
    if not by_user:
        raise DialogueError(
            f"the last user message is rewritten, but none of the {len(messages)} messages is from the user; "
            f"add one with the role {USER!r}"
        )
    source = next((i for i in reversed(by_user) if not said[i].is_tool_result), by_user[-1])
    turns = [each.text for each in said[:source] if each.text.strip()]
    return Dialogue.of([*turns, said[source].text], language=language, domain=domain, id=id)


def turns_of(history: object) -> list[str]:
    """The texts of user and assistant, one per turn, in a conversation that may lack the turn to rewrite.

    >>> turns_of([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who is Federer?"}])
    ['Who is Federer?']
    """
    if isinstance(history, Dialogue):
        return [turn.text for turn in (*history.context, history.source)]
    entries = _entries(history)
    return [each.text for each in _said(entries) if each.text.strip()] if _are_messages(entries) else list(entries)


def last_user_text(conversation: object) -> str:
    """The text of the last user turn, as far as it can be found. Never raises: used to return the source on failure.

    >>> last_user_text([{"role": "user", "content": [{"type": "text", "text": "Is he Swiss?"}, {"type": "text"}]}])
    'Is he Swiss?'
    """
    with suppress(Exception):
        return dialogue_from(conversation).source.text
    with suppress(Exception):
        return _salvaged(conversation)
    return ""


def _entries(conversation: Any) -> Sequence[Any]:
    """The turns or messages, unwrapped."""
    if isinstance(conversation, Mapping):
        given = [name for name in WRAPPERS if conversation.get(name) is not None]
        if len(given) != 1:
            names = " and ".join(given) or "neither"
            raise DialogueError(f"a conversation must have either {' or '.join(WRAPPERS)}, got {names}")
        conversation = conversation[given[0]]
    entries = getattr(conversation, "messages", conversation)
    if isinstance(entries, str | bytes | Mapping) or not isinstance(entries, Sequence):
        raise DialogueError(f"a conversation must be a list of turns or messages, got {json_name(entries)}")
    return entries


def _are_messages(entries: Sequence[Any]) -> bool:
    return bool(entries) and not isinstance(entries[0], str)


def _said(messages: Sequence[Any]) -> list[_Said]:
    """The user and assistant messages, in order."""
    if isinstance(messages, str | Mapping) or not isinstance(messages, Sequence):
        raise DialogueError(f"messages must be a list, got {json_name(messages)}")
    said = []
    for number, message in enumerate(messages, start=1):
        role = _role(message)
        if role is None and not isinstance(message, Mapping):
            raise DialogueError(f"message {number} must have a role and content, got {json_name(message)}")
        if role not in _ROLES:
            known = ", ".join(_ROLES)
            raise DialogueError(f"message {number} has the unknown role {reprlib.repr(role)}; use one of: {known}")
        if role not in SKIPPED_ROLES:
            by_user = role in USER_ROLES
            content = _content(message)
            if content is None and by_user:
                raise DialogueError(f"message {number} from the user has no content; give its text")
            said.append(_Said(by_user, _text(content, number), _is_tool_result(content)))
    return said


def _field(entry: Any, name: str) -> Any:
    """A field of a message or part, whether that is a dict or an object; None if absent."""
    return entry.get(name) if isinstance(entry, Mapping) else getattr(entry, name, None)


def _loose_field(entry: Any, name: str) -> Any:
    """A field of anything at all; None if it cannot be read."""
    with suppress(Exception):
        return _field(entry, name)
    return None


def _is_pair(message: Any) -> bool:
    return isinstance(message, list | tuple) and len(message) == 2 and isinstance(message[0], str)


def _role(message: Any, field: Callable[[Any, str], Any] = _field) -> Any:
    """The role of a message, not necessarily one of `_ROLES`; None if absent."""
    if _is_pair(message):
        return message[0]
    kind, role = field(message, "type"), field(message, "role")
    role = getattr(role, "value", role)  # of an enum
    if role is None and isinstance(kind, str):
        kind = kind.removesuffix("MessageChunk").lower()  # LangChain streams an AIMessageChunk
        return kind if kind in _ROLES else _SKIPPED  # a tool call or its result among OpenAI's input items
    if kind == "chat" and role not in _ROLES:  # LangChain's message with a made-up role
        return _SKIPPED
    return role


def _content(message: Any, field: Callable[[Any, str], Any] = _field) -> Any:
    if _is_pair(message):
        return message[1]
    return next((found for name in CONTENT_FIELDS if (found := field(message, name)) is not None), None)


def _text(content: object, number: int) -> str:
    if isinstance(content, str):
        return content
    if content is None:  # an assistant that only calls tools
        return ""
    if not isinstance(content, list | tuple):
        raise DialogueError(
            f"the content of message {number} must be a string or a list of parts, got {json_name(content)}"
        )
    return "\n".join(_part_texts(content, number))


def _part_texts(parts: Sequence[Any], number: int) -> Iterator[str]:
    """The text parts of a message; images, tool calls, thoughts and so on are skipped."""
    for part in parts:
        if part is None or isinstance(part, bool | int | float | list):
            raise DialogueError(f"each part of message {number} must be a string or an object, got {json_name(part)}")
        kind, text = ("text", part) if isinstance(part, str) else (_field(part, "type"), _field(part, "text"))
        if kind in TEXT_PARTS or (kind is None and text is not None and not _field(part, "thought")):
            if not isinstance(text, str):
                raise DialogueError(f"the text of a part of message {number} must be a string, got {json_name(text)}")
            yield text


def _is_tool_result(content: object) -> bool:
    """Whether a message has a tool result and no text."""
    parts = content if isinstance(content, list | tuple) else ()
    kinds = [_loose_field(part, "type") for part in parts]
    kinds += [name for name in _TOOL_RESULTS for part in parts if _loose_field(part, name) is not None]
    return any(kind in _TOOL_RESULTS for kind in kinds) and not _loose_text(parts)


def _salvaged(conversation: Any) -> str:
    """The last user turn of something that is not a well-formed conversation."""
    if isinstance(conversation, str):
        return conversation
    if isinstance(conversation, Mapping):
        for name in reversed(WRAPPERS):
            if (found := conversation.get(name)) is not None:
                return _salvaged(found)
        return _loose_text(_content(conversation))
    entries = getattr(conversation, "messages", conversation)
    are_messages = _are_messages(entries)
    without_role = None
    for entry in reversed(entries):
        role = _role(entry, _loose_field)
        if isinstance(entry, str) or (role is None and not are_messages):
            return _loose_text(entry)
        content = _content(entry, _loose_field)
        if role in USER_ROLES and not _is_tool_result(content):
            return _loose_text(content)
        if role is None and without_role is None:
            without_role = _loose_text(content)
    return without_role or ""


def _loose_text(value: Any) -> str:
    """The text in a value of any type, with parts one per line; empty if there is none."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list | tuple):
        return "\n".join(text for part in value if (text := _loose_text(part)))
    if value is None or _loose_field(value, "type") not in (None, *TEXT_PARTS):
        return ""
    texts = (_loose_text(_loose_field(value, name)) for name in ("text", *CONTENT_FIELDS))
    return next(filter(None, texts), "")
