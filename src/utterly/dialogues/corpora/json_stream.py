"""Stream the entries of a large JSON list or object, found by their brackets and handed out unparsed.

Only the brackets and commas around the entries must be right here. Entries are parsed by the caller, so that reading
can go on after a bad one. One entry is in memory at a time.
"""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final, NamedTuple

from utterly.errors import FileError
from utterly.files import numbered_raw_lines, opened

_CHUNK: Final = 1 << 16  # bytes
_CLOSERS: Final = {b"[": b"]", b"{": b"}"}
_KINDS: Final = {b"[": "list", b"{": "object"}
_DEPTH_CHANGES: Final = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}
_TOKEN: Final = re.compile(
    rb"""
      (?P<mark> [,\[\]{}] )
    | " (?: [^"\\\n]+ | \\[^\n] )* (?: ["\n] | (?P<cut> \Z ) | )   # a string, whole or up to the end of the chunk
    """,
    re.VERBOSE,
)


class Member(NamedTuple):
    """One member of an object as an object, `{"key": value}`, and the line it starts at."""

    line: int
    text: bytes
    nested: bool


def rows(path: Path | str) -> Iterator[tuple[int, bytes]]:
    """The elements of the list in a file, or its lines, each with the line it starts at."""
    yield from list_elements(path) if starts_a_list(path) else numbered_raw_lines(path)


def list_elements(path: Path | str) -> Iterator[tuple[int, bytes]]:
    """The elements of the list in a file, each with the line it starts at."""
    with opened(path) as file:
        for line, text, _ in _Scanner(path, file).file_entries(b"["):
            yield line, text


def object_members(path: Path | str, *, nested_under: str) -> Iterator[Member]:
    """The members of the object in a file, in file order.

    The object under the key `nested_under` is not handed out whole, but by its members, which are marked
    as nested; it comes itself, emptied, after them.
    """
    key = re.compile(rb'\s*"%b"\s*:\s*' % re.escape(nested_under.encode()))
    found = False
    with opened(path) as file:
        for line, text, nested in _Scanner(path, file).file_entries(b"{", nested_key=key):
            found = found or nested or bool(key.fullmatch(text.removesuffix(b"{}")))
            yield Member(line, b"{%b}" % (text or b","), nested)  # a member left out between commas must not parse
    if not found:
        raise FileError(path, f"must have an object under the key {nested_under!r}; check the file")


def starts_a_list(path: Path | str) -> bool:
    """Whether a file begins like one JSON list, blanks aside."""
    with opened(path) as file:
        start = next((chunk for chunk in _chunks(file) if chunk.strip()), b"")
    return start.lstrip().startswith(b"[")


class _Entry(NamedTuple):
    line: int
    text: bytes
    nested: bool


class _Scanner:
    """Walks once through a file; `line` is the current line."""

    def __init__(self, path: Path | str, file: IO[bytes]) -> None:
        self.path, self.line = path, 1
        self.pieces = self._counting_lines(file)

    def file_entries(self, opener: bytes, *, nested_key: re.Pattern[bytes] | None = None) -> Iterator[_Entry]:
        """The entries of the one list or object that must make up the file."""
        for text, mark in self.pieces:
            if text.strip() or mark not in (b"", opener):
                raise self._error(f"must be one JSON {_KINDS[opener]}, but starts with {_shown(text, mark)}")
            if mark:
                break
        else:
            raise self._error(f"must be one JSON {_KINDS[opener]}, but is empty")
        yield from self._entries(_CLOSERS[opener], nested_key=nested_key)
        for text, mark in self.pieces:
            if text.strip() or mark:
                raise self._error(f"must end after its JSON {_KINDS[opener]}, but {_shown(text, mark)} follows")

    def _entries(
        self, closer: bytes, *, nested_key: re.Pattern[bytes] | None = None, nested: bool = False
    ) -> Iterator[_Entry]:
        """The entries from just after an opening bracket to the bracket that closes it."""
        parts: list[bytes] = []
        start, depth, after_comma = self.line, 0, False
        for text, mark in self.pieces:
            parts.append(text)
            if depth == 0 and mark in (b",", closer):
                entry = b"".join(parts)
                if mark == b"," or after_comma or entry.strip():
                    yield _Entry(_first_line(entry, start), entry.strip(), nested)
                if mark == closer:
                    return
                parts, start, after_comma = [], self.line, True
                continue
            if depth == 0 and nested_key and mark == b"{" and nested_key.fullmatch(b"".join(parts)):
                yield from self._entries(b"}", nested=True)
                parts.append(b"{}")
                continue
            depth += _DEPTH_CHANGES.get(mark, 0)
            if depth < 0:
                raise self._error(f"brackets must match, got {_shown(b'', mark)} for {_shown(b'', closer)}")
            parts.append(mark)
        self.line = _first_line(b"".join(parts), start)
        raise self._error("the JSON is cut off: the file ends inside what starts here")

    def _counting_lines(self, file: IO[bytes]) -> Iterator[tuple[bytes, bytes]]:
        for text, mark in _pieces(file):
            self.line += text.count(b"\n")
            yield text, mark

    def _error(self, problem: str) -> FileError:
        return FileError(self.path, f"{problem}; repair the file or fetch it again", line=self.line)


def _pieces(file: IO[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """The file as pairs of a text and the bracket or comma after it (none at the end of a chunk).

    Brackets and commas inside strings are text. A string ends with its line at the latest, as JSON says.
    """
    opening = b""  # the quote of a string that the chunk before cut in two
    for chunk in _chunks(file):
        block, start = opening + chunk, len(opening)
        opening = b""
        for token in _TOKEN.finditer(block):
            if token["mark"]:
                yield block[start : token.start()], token["mark"]
                start = token.end()
            elif token["cut"] is not None:
                opening = b'"'
        yield block[start:], b""


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    """The file without its byte order mark, never cut between a backslash and what it escapes."""
    chunk = file.read(_CHUNK).removeprefix(codecs.BOM_UTF8)
    while chunk:
        backslashes = len(chunk) - len(chunk.rstrip(b"\\"))
        yield chunk + file.read(1) if backslashes % 2 else chunk
        chunk = file.read(_CHUNK)


def _first_line(entry: bytes, start: int) -> int:
    """The line of the first character that is not blank, for an entry that begins after a comma."""
    blank = len(entry) - len(entry.lstrip())
    return start + entry.count(b"\n", 0, blank)


def _shown(text: bytes, mark: bytes) -> str:
    return repr((text.strip() + mark)[:20].decode(errors="replace"))
