"""Stream the entries of a large JSON list or object with ijson, one in memory at a time.

Entries are numbered from 1 and handed out as JSON by themselves, as if each stood on a line of its own.
"""

import codecs
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, cast

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.reading import OnBad, Record, read_records
from utterly.errors import FileError
from utterly.extras import require
from utterly.files import numbered_raw_lines, opened


def read_rows(
    path: Path | str, read: Callable[[Record], Iterable[Dialogue]], on_bad: OnBad | None
) -> Iterator[Dialogue]:
    """The dialogues in the elements of the list in a file, or in its lines."""
    if starts_a_list(path):
        return read_records(path, list_elements(path), read, on_bad, unit="entry")
    return read_records(path, numbered_raw_lines(path), read, on_bad)


def list_elements(path: Path | str) -> Iterator[tuple[int, bytes]]:
    """The elements of the list in a file."""
    for number, element in enumerate(_stream(path, "items", "item"), start=1):
        yield number, json.dumps(element).encode()


def members_under(path: Path | str, key: str) -> Iterator[tuple[int, bytes]]:
    """The members of the object that the object in a file has under a key, each as an object, `{"name": value}`."""
    number = 0
    for number, (name, value) in enumerate(_stream(path, "kvitems", key), start=1):
        yield number, json.dumps({name: value}).encode()
    if not number:
        raise FileError(path, f"must have an object with members under the key {key!r}; check the file")


def value_under(path: Path | str, key: str) -> Any:
    """What the object in a file has under a key; None if nothing."""
    return next(_stream(path, "items", key), None)


def starts_a_list(path: Path | str) -> bool:
    """Whether a file begins like a JSON list, blanks aside."""
    with opened(path) as file:
        return file.read(1024).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")


def _stream(path: Path | str, parser: str, prefix: str) -> Iterator[Any]:
    ijson = require("ijson", extra="labels")
    with opened(path) as file:
        if cast("Any", file).peek(3).startswith(codecs.BOM_UTF8):
            file.read(3)
        try:
            yield from getattr(ijson, parser)(file, prefix, use_float=True)
        except (ijson.JSONError, UnicodeDecodeError) as broken:
            problem = str(broken).splitlines()[0]
            raise FileError(path, f"must be valid JSON: {problem}; repair the file or fetch it again") from None
