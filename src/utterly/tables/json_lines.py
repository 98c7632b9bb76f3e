"""Rows as JSON lines: an object a line."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad
from utterly.errors import DialogueError, FileError
from utterly.files import decoded, raw_lines
from utterly.tables.rows import Answer, Row, good_rows, row_of, with_answer
from utterly.tables.sources import Source


@dataclass(frozen=True)
class JsonLines:
    """A file of JSON lines, plain or gzip."""

    source: Source

    def rows(self, *, on_bad: OnBad | None = None) -> Iterator[Row]:
        with self.source.opened() as file:
            yield from good_rows(raw_lines(file), _row, self._bad, on_bad)

    def _bad(self, number: int, problem: str) -> FileError:
        return FileError(self.source.name, problem, line=number)


def json_lines(answered: Iterable[tuple[Row, Answer]]) -> Iterator[str]:
    """Rows of any file with their answers, as JSON lines."""
    for row, answer in answered:
        # What JSON has no word for, such as a date in a Parquet file, is written as Python prints it.
        yield json.dumps(with_answer(row.to_json(), answer), ensure_ascii=False, default=str) + "\n"


def _row(raw: bytes) -> Row:
    try:
        text = decoded("", raw, line=0)
    except FileError as bad:
        raise DialogueError(bad.problem) from None
    return row_of(Fields.parsed(text).values)
