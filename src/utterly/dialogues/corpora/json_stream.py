"""Stream the entries of a large JSON list or object with ijson, one in memory at a time.

Entries are numbered from 1 and returned as JSON, as if each were on a line of its own.
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
from utterly.files import opened


def read_rows(
    path: Path | str, read: Callable[[Record], Iterable[Dialogue]], on_bad: OnBad | None
) -> Iterator[Dialogue]:
    """The dialogues of a file that is a JSON list or JSON lines."""
    if starts_a_list(path):
        return read_records(path, read, on_bad, records=list_elements(path), unit="entry")
    return read_records(path, read, on_bad)


def list_elements(path: Path | str) -> Iterator[tuple[int, bytes]]:
    """The elements of a file that is a JSON list."""
    for number, element in enumerate(_stream(path, "items", "item"), start=1):
        yield number, json.dumps(element).encode()


def members_under(path: Path | str, key: str) -> Iterator[tuple[int, bytes]]:
    """The members of the object under `key` in a file that is a JSON object, each as an object: `{"name": value}`."""
    number = 0
    for number, (name, value) in enumerate(_stream(path, "kvitems", key), start=1):
        yield number, json.dumps({name: value}).encode()
    if not number:
        raise FileError(path, f"must have an object with members under the key {key!r}; check the file")


def value_under(path: Path | str, key: str) -> Any:
    """The value under `key` in a file that is a JSON object; None if absent."""
    return next(_stream(path, "items", key), None)


def starts_a_list(path: Path | str) -> bool:
    """Whether a file begins like a JSON list, after any whitespace."""
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
