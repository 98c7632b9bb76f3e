"""Rows as Parquet, through pyarrow; columns keep their types. `history` is a list of strings, or as in CSV."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from utterly.dialogues.reading import OnBad
from utterly.errors import FileError
from utterly.extras import require
from utterly.files import bytes_written_whole, opened
from utterly.tables.rows import ADDED, READ, Answer, Row, good_rows, kept_fields, row_of_cells
from utterly.tables.sources import Source

_BATCH: Final = 4096  # rows that are in memory together, and a row group of what is written


@dataclass(frozen=True)
class Parquet:
    """A Parquet file, which is read from its end and so must be a file.

    Its rows have all fields only where `whole` says so: what is only copied need not become Python's.
    """

    source: Source
    whole: bool

    def rows(self, *, on_bad: OnBad | None = None) -> Iterator[Row]:
        first = 1
        for batch in self._batches(None if self.whole else READ):
            yield from good_rows(enumerate(batch.to_pylist(), first), row_of_cells, self._bad, on_bad)
            first += batch.num_rows

    def write(self, out: Path, answers: Iterator[Answer]) -> None:
        """Write the file again, its good rows with their answers, which come in order."""
        arrow, parquet = require("pyarrow", extra="tables"), require("pyarrow.parquet", extra="tables")
        schema = self._schema()
        kept = kept_fields(schema.names, ADDED)
        types = (arrow.string(), arrow.float64(), arrow.bool_())
        fields = [schema.field(name).with_name(then) for name, then in kept.items()]
        answered = arrow.schema([*fields, *map(arrow.field, ADDED, types)], metadata=schema.metadata)
        with bytes_written_whole(out) as file, parquet.ParquetWriter(file, answered) as writer:
            for batch in self._batches():
                places = _good(batch)
                good = batch if len(places) == len(batch) else batch.take(arrow.array(places, arrow.int64()))
                here = list(islice(answers, good.num_rows))
                added = [
                    arrow.array([answer[name] for answer in here], kind)
                    for name, kind in zip(ADDED, types, strict=True)
                ]
                writer.write_batch(arrow.record_batch([*map(good.column, kept), *added], schema=answered))

    def _schema(self) -> Any:
        with self._opened() as file:
            return file.schema_arrow

    def _batches(self, names: tuple[str, ...] | None = None) -> Iterator[Any]:
        with self._opened() as file:
            wanted = [name for name in file.schema_arrow.names if names is None or name in names]
            yield from file.iter_batches(_BATCH, columns=wanted)

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        arrow, parquet = require("pyarrow", extra="tables"), require("pyarrow.parquet", extra="tables")
        assert self.source.path  # noqa: S101 - see `Source.kept`
        with opened(self.source.path) as file:
            try:
                read = parquet.ParquetFile(file)
                self._check(read.schema_arrow.names)
                yield read
            except arrow.ArrowException as wrong:
                problem = f"must be a whole Parquet file, but {' '.join(str(wrong).split())}; write it again"
                raise FileError(self.source.name, problem) from None

    def _check(self, names: list[str]) -> None:
        missing = [name for name in READ[:2] if name not in names]
        if missing or len(set(names)) != len(names):
            there = ", ".join(map(repr, names[:10]))
            problem = f"must have the column {missing[0]!r}" if missing else "its columns must have different names"
            raise FileError(self.source.name, f"{problem}, but these came: {there}; correct them")

    def _bad(self, number: int, problem: str) -> FileError:
        return FileError(self.source.name, f"row {number}: {problem}")


def _good(batch: Any) -> list[int]:
    """The places of the rows that are dialogues."""
    bad: set[int] = set()

    def note(place: int, problem: str) -> FileError:
        bad.add(place)
        return FileError("", problem)

    read = batch.select([name for name in READ if name in batch.schema.names])
    for _ in good_rows(enumerate(read.to_pylist()), row_of_cells, note, on_bad=lambda _: None):
        pass
    return [place for place in range(batch.num_rows) if place not in bad]
