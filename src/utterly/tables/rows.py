"""`Row`: the fields of one dialogue in a file, and what a rewrite adds to them."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from utterly.dialogues.conversation import WRAPPERS, dialogue_from, turns_of
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.language import primary_language
from utterly.dialogues.reading import OnBad
from utterly.errors import DialogueError, FileError

if TYPE_CHECKING:
    from utterly.rewriter import Rewrite

NewFields = dict[str, Any]
"""What a rewrite adds to a row."""

READ: Final = ("history", "utterance", "lang", *WRAPPERS)
ADDED: Final = ("rewrite", "confidence", "changed")
DIGEST: Final = "row"
"""The field of a stored rewrite with the digest of its row."""
_T = TypeVar("_T")


@dataclass(frozen=True)
class Row:
    """A dialogue with all fields of its row as read, and those that had to be parsed."""

    fields: Mapping[str, Any]
    dialogue: Dialogue
    parsed: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """A hash of everything that determines the rewrite."""
        read = json.dumps([self.dialogue.language, *turns_of(self.dialogue)])
        return hashlib.sha256(read.encode()).hexdigest()[:16]


def row_of(fields: Mapping[str, Any], named: str | None = None) -> Row:
    """The row with these fields.

    The conversation is in the field `named` if given, else in `history` and `utterance`, else in `messages` or `turns`.
    """
    values = Fields(dict(fields))
    language = primary_language(values.optional_text("lang") or "")
    name = _conversation_field(values, named)
    if name is None:
        turns = [*values.texts("history"), values.text("utterance")]
        return Row(fields, Dialogue.of(turns, language=language), {})
    if name not in values:
        there = ", ".join(map(repr, [*fields][:10])) or "none"
        raise DialogueError(f"the field {name!r} is missing or null; give the conversation in it (fields: {there})")
    return Row(fields, dialogue_from(fields[name], language=language), {})


def row_of_cells(fields: Mapping[str, Any], named: str | None = None) -> Row:
    """As `row_of`, for a table: one cell may hold several turns or messages, and a null history is empty."""
    name = _conversation_field(Fields(dict(fields)), named) or "history"
    cell = fields.get(name)
    parsed = in_cell(cell, name) if isinstance(cell, str) else cell
    given = {name: [] if parsed is None and name == "history" else parsed}
    return Row(fields, row_of({**fields, **given}, named).dialogue, given)


def _conversation_field(fields: Fields, named: str | None) -> str | None:
    """The field with the whole conversation; None if it is in `history` and `utterance`."""
    if named is not None or "history" in fields or "utterance" in fields:
        return named
    given = [name for name in WRAPPERS if name in fields]
    if len(given) > 1:
        raise DialogueError(f"a row must have one conversation, got {' and '.join(given)}; name its field (--field)")
    return given[0] if given else None


def missing_column(names: Sequence[str], named: str | None) -> str | None:
    """An error message if a table lacks a column that it must have."""
    if named is None and any(name in names for name in WRAPPERS):
        return None
    missing = next((name for name in ([named] if named else READ[:2]) if name not in names), None)
    there = ", ".join(map(repr, names[:10])) or "none"
    return missing and f"the column {missing!r} is missing; add it (columns: {there})"


def in_cell(cell: str, name: str) -> Any:
    """The content of a cell of the column `name`: JSON, or one turn per line.

    >>> in_cell('["Who is it?", "Federer."]', "history") == in_cell("Who is it?\\nFederer.\\n", "history")
    True
    """
    if not cell.lstrip().startswith(("[", "{")):
        return [line for line in cell.splitlines() if line.strip()]
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        start = cell.lstrip()[0]
        raise DialogueError(
            f"a {name!r} that begins with {start} must be JSON, but it is not valid; "
            'write it as ["...", "..."], or one turn per line'
        ) from None


def good_rows(
    records: Iterable[tuple[int, _T]],
    read: Callable[[_T], Row],
    bad: Callable[[int, str], FileError],
    on_bad: OnBad | None,
) -> Iterator[tuple[int, Row]]:
    """The row of each numbered record, with its number. An error in one goes to `on_bad`, or is raised."""
    for number, record in records:
        try:
            row = read(record)
        except DialogueError as wrong:
            error = bad(number, str(wrong))
            if on_bad is None:
                raise error from None
            on_bad(error)
        else:
            yield number, row


class Rewrites:
    """Stored rewrites of the rows of a file, in order. Each must have the digest of its row."""

    def __init__(self, file: str, lines: Iterable[str]) -> None:
        self._file, self._left = file, map(read_line, lines)

    def joined_with(self, rows: Iterable[Row]) -> Iterator[tuple[Row, NewFields]]:
        """The next rows, each with its rewrite."""
        for row in rows:
            new = next(self._left, {})
            if new.pop(DIGEST, None) != row.digest:
                raise self._changed()
            yield row, new

    def check_end(self) -> None:
        """Call this after the last row: no rewrite may be left over."""
        if next(self._left, None) is not None:
            raise self._changed()

    def _changed(self) -> FileError:
        return FileError(
            self._file,
            "the file must stay the same while it is rewritten, but it was changed, so nothing was written; run the "
            "same command again (rewrites of rows before the first change are kept)",
        )


def line_of(row: Row, new: NewFields) -> str:
    """The rewrite of a row as a line, to be stored for `Rewrites`."""
    return json.dumps({DIGEST: row.digest, **new}, ensure_ascii=False)


def read_line(line: str) -> NewFields:
    """The inverse of `line_of`; empty if the line is damaged."""
    try:
        new = json.loads(line)
    except ValueError:  # the machine crashed while it was written
        return {}
    return new if isinstance(new, dict) else {}


def new_fields(rewrite: "Rewrite", *, alternatives: bool, everything: bool) -> NewFields:
    """What a rewrite adds to its row: text, confidence and whether it changed the turn; more on request."""
    new = {"rewrite": rewrite.text, "confidence": round(rewrite.confidence, 4), "changed": rewrite.changed}
    if not (alternatives or everything):
        return new
    plain = rewrite.to_json()
    more = ("abstained", "reason", "edits", "alternatives", "model", "language") if everything else ("alternatives",)
    return new | {name: plain[name] for name in more}


def kept_fields(names: Collection[str], added: Collection[str]) -> dict[str, str]:
    """The fields kept beside the added ones, each with its new name: an existing rewrite becomes the target.

    >>> kept_fields(["id", "rewrite", "confidence"], ADDED)
    {'id': 'id', 'rewrite': 'target'}
    """
    names_then = {name: "target" if name == "rewrite" and "target" not in names else name for name in names}
    return {name: then for name, then in names_then.items() if then not in added}
