"""Rows as JSON lines: one object per line."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad
from utterly.errors import DialogueError, FileError
from utterly.files import decoded, raw_lines
from utterly.tables.rows import NewFields, Row, good_rows, kept_fields, row_of
from utterly.tables.source import Source


@dataclass(frozen=True)
class JsonLines:
    """A file of JSON lines, plain or gzip."""

    source: Source
    named: str | None = None  # the field of the conversation

    def rows(self, *, on_bad: OnBad | None = None) -> Iterator[Row]:
        with self.source.opened() as file:
            for _, row in good_rows(raw_lines(file), partial(_row, named=self.named), self.source.bad_line, on_bad):
                yield row


def json_lines(rewritten: Iterable[tuple[Row, NewFields]]) -> Iterator[str]:
    """Rows of a file of any format with their rewrites, as JSON lines."""
    for row, new in rewritten:
        fields = {**row.fields, **row.parsed}
        kept = {then: fields[name] for name, then in kept_fields(fields, new).items()}
        # A type that JSON lacks, such as a date in a Parquet file, is written as Python prints it.
        yield json.dumps(kept | new, ensure_ascii=False, default=str) + "\n"


def _row(raw: bytes, named: str | None) -> Row:
    try:
        text = decoded("", raw, line=0)
    except FileError as bad:
        raise DialogueError(bad.problem) from None
    return row_of(Fields.parsed(text).values, named)
