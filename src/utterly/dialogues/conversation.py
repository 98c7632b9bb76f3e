"""Chat messages, as chat APIs pass them around, become a dialogue."""

from collections.abc import Mapping, Sequence
from typing import Final

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import json_name
from utterly.errors import DialogueError

USER: Final = "user"
SPOKEN_ROLES: Final = (USER, "assistant")
SKIPPED_ROLES: Final = ("system", "developer", "tool", "function")
TEXT_PARTS: Final = ("text", "input_text", "output_text")


def dialogue_from_messages(
    messages: Sequence[Mapping[str, object]],
    *,
    language: str = "",
    domain: str | None = None,
    id: str | None = None,  # noqa: A002 - the field's own name
) -> Dialogue:
    """A dialogue whose source is the last user message; what comes after that is left out.

    Context is what user and assistant said before, where they said something: text, or the text among
    the parts of a message, one part a line. Instructions, tools and images are skipped.

    >>> chat = [{"role": "user", "content": "Who is Federer?"}, {"role": "assistant", "content": "A player."}]
    >>> dialogue_from_messages([*chat, {"role": "user", "content": "Is he Swiss?"}]).source.text
    'Is he Swiss?'
    """
    if isinstance(messages, str | Mapping) or not isinstance(messages, Sequence):
        raise DialogueError(f"messages must be a list, but {json_name(messages)} came; put the messages in a list")
    spoken = []
    for number, message in enumerate(messages, start=1):
        role = _role(message, number)
        if role in SPOKEN_ROLES:
            spoken.append((role, _text(message, number)))
    while spoken and spoken[-1][0] != USER:
        spoken.pop()
    if not spoken:
        raise DialogueError(
            f"the last message of role {USER!r} is what is rewritten, but none of {len(messages)} message(s) has it; "
            "add the message to rewrite"
        )
    *context, (_, source) = spoken
    turns = [text for _, text in context if text.strip()]
    return Dialogue.of([*turns, source], language=language, domain=domain, id=id)


def _role(message: object, number: int) -> str:
    if not isinstance(message, Mapping):
        raise DialogueError(
            f"message {number} must be an object with 'role' and 'content', but it is {json_name(message)}; "
            "give each message as one"
        )
    role = message.get("role")
    if role not in SPOKEN_ROLES + SKIPPED_ROLES:
        known = ", ".join(SPOKEN_ROLES + SKIPPED_ROLES)
        raise DialogueError(f"message {number} has the role {role!r}, which is not known; use one of: {known}")
    return str(role)


def _text(message: Mapping[str, object], number: int) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    if content is None and message["role"] != USER:
        return ""  # a message that only calls tools
    if not isinstance(content, list | tuple):
        raise DialogueError(
            f"the content of message {number} must be a string or a list of parts, but it is {json_name(content)}; "
            "give its text"
        )
    return "\n".join(text for part in content if (text := _part_text(part, number)) is not None)


def _part_text(part: object, number: int) -> str | None:
    """The text of a part, or None for a part of another kind, such as an image."""
    if not isinstance(part, Mapping) or not isinstance(part.get("type"), str):
        raise DialogueError(
            f"each part of message {number} must be an object with a 'type', but {json_name(part)} came; "
            f"give text as {{'type': {TEXT_PARTS[0]!r}, 'text': ...}}"
        )
    if part["type"] not in TEXT_PARTS:
        return None
    text = part.get("text")
    if not isinstance(text, str):
        raise DialogueError(
            f"the text of a part of message {number} must be a string, but it is {json_name(text)}; give its text"
        )
    return text
