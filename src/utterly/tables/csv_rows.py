"""Rows as CSV: a header, commas, quotes where needed, in UTF-8.

A conversation is one cell: JSON if it begins with `[` or `{`, else one turn per line.
"""

import codecs
import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Final

from utterly.dialogues.reading import OnBad
from utterly.errors import DialogueError, FileError
from utterly.tables.rows import ADDED, NewFields, Row, good_rows, kept_fields, missing_column, row_of_cells
from utterly.tables.source import Source

_LONGEST_CELL: Final = 2**31 - 1  # Python's own limit, 131,072, is too short for a long turn


@dataclass
class Csv:
    """A CSV file, plain or gzip. The header is known once the first row has been read."""

    source: Source
    named: str | None = None  # the column of the conversation
    header: list[str] = field(default_factory=list)

    def rows(self, *, on_bad: OnBad | None = None) -> Iterator[Row]:
        csv.field_size_limit(_LONGEST_CELL)
        with self.source.opened() as file:
            records = _records(file)
            self.header = self._checked(next(records, (1, []))[1])
            for _, row in good_rows(records, self._row, self.source.bad_line, on_bad):
                yield row

    def lines(self, rewritten: Iterable[tuple[Row, NewFields]]) -> Iterator[str]:
        rows = iter(rewritten)
        first = list(islice(rows, 1))  # now the header is known
        kept = kept_fields(self.header, ADDED)
        yield _line([*kept.values(), *ADDED])
        for row, new in chain(first, rows):
            added = [new["rewrite"], *(json.dumps(new[name]) for name in ADDED[1:])]
            yield _line([*(row.fields[name] for name in kept), *added])

    def _checked(self, header: list[str] | csv.Error) -> list[str]:
        if isinstance(header, csv.Error) or len(set(header)) != len(header):
            raise FileError(self.source.name, f"the names in the header must differ, got {header}; rename one", line=1)
        if problem := missing_column(header, self.named):
            raise FileError(self.source.name, problem, line=1)
        return header

    def _row(self, cells: list[str] | csv.Error) -> Row:
        if isinstance(cells, csv.Error):
            raise DialogueError(f"a row must be CSV: {cells}; quote cells that have commas, quotes or line ends")
        if len(cells) != len(self.header):
            raise DialogueError(
                f"a row must have {len(self.header)} cells like the header, got {len(cells)}; quote cells with commas"
            )
        for name, cell in zip(self.header, cells, strict=True):
            if not cell.isascii() and cell != cell.encode(errors="ignore").decode():
                raise DialogueError(f"text must be UTF-8, but the cell of {name!r} is not; convert the file")
        return row_of_cells(dict(zip(self.header, cells, strict=True)), self.named)


def _records(file: Iterable[bytes]) -> Iterator[tuple[int, list[str] | csv.Error]]:
    """The line each row starts at, and its cells or the error in it; blank rows are skipped."""
    reader = csv.reader(_text(file), strict=True)
    while True:
        start = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as bad:
            yield start, bad
        else:
            if cells:
                yield start, cells


def _text(file: Iterable[bytes]) -> Iterator[str]:
    for number, raw in enumerate(file):
        line = raw if number else raw.removeprefix(codecs.BOM_UTF8)
        yield line.decode(errors="surrogateescape")  # to go on reading after a bad cell


def _line(cells: Iterable[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(cells)
    return buffer.getvalue()
