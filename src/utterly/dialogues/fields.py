"""Read the fields of a JSON object by name and type, with clear errors for wrong ones."""

import json
from typing import Final, Self, TypeVar

from utterly.errors import DialogueError

_T = TypeVar("_T")

_JSON_NAMES: Final[dict[type, str]] = {
    type(None): "null",
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "an object",
}


def json_name(value: object) -> str:
    """The JSON type of a value, in words.

    >>> json_name(None), json_name([])
    ('null', 'a list')
    """
    return _JSON_NAMES.get(type(value), type(value).__name__)


class Fields:
    """The fields of one JSON object; other fields are ignored."""

    def __init__(self, value: object, what: str = "a record") -> None:
        if not isinstance(value, dict):
            raise DialogueError(f"{what} must be an object, got {json_name(value)}")
        self.values: dict[str, object] = value

    @classmethod
    def parsed(cls, text: str) -> Self:
        try:
            value = json.loads(text)
        except json.JSONDecodeError as bad:
            below = f"{bad.lineno - 1} line(s) down, " if bad.lineno > 1 else ""
            raise DialogueError(f"a record must be valid JSON: {bad.msg} ({below}column {bad.colno})") from None
        except (ValueError, RecursionError) as bad:  # a number of thousands of digits, thousands of brackets
            raise DialogueError(f"a record must be JSON that Python can read: {bad}") from None
        return cls(value)

    def __contains__(self, name: str) -> bool:
        """Whether the field is present and not null."""
        return self.values.get(name) is not None

    def text(self, name: str) -> str:
        return self._typed(name, str)

    def optional_text(self, name: str) -> str | None:
        return self.text(name) if name in self else None

    def texts(self, name: str) -> list[str]:
        values: list[object] = self._typed(name, list)
        for number, value in enumerate(values, start=1):
            if not isinstance(value, str):
                raise DialogueError(
                    f"the field {name!r} must be a list of strings, but element {number} is {json_name(value)}"
                )
        return [value for value in values if isinstance(value, str)]

    def integer(self, name: str) -> int:
        return self._typed(name, int)

    def boolean(self, name: str) -> bool:
        return self._typed(name, bool)

    def object(self, name: str) -> "Fields":
        return Fields(self._typed(name, dict), f"the field {name!r}")

    def objects(self, name: str) -> list["Fields"]:
        values: list[object] = self._typed(name, list)
        return [Fields(value, f"element {i} of {name!r}") for i, value in enumerate(values, start=1)]

    def objects_by_name(self) -> dict[str, "Fields"]:
        return {name: Fields(value, f"the field {name!r}") for name, value in self.values.items()}

    def _typed(self, name: str, kind: type[_T]) -> _T:
        if name not in self.values:
            there = ", ".join(map(repr, [*self.values][:10])) or "none"
            raise DialogueError(f"the field {name!r} is missing; add it (fields: {there})")
        value = self.values[name]
        # Not isinstance: in Python, True is an int.
        if type(value) is not kind:
            raise DialogueError(f"the field {name!r} must be {_JSON_NAMES[kind]}, got {json_name(value)}")
        return value
