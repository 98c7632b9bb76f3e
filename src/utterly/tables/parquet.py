"""Rows as Parquet, with pyarrow; columns keep their types. `history` is a list of strings, or as in CSV."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from utterly.dialogues.reading import OnBad
from utterly.errors import FileError
from utterly.extras import require
from utterly.files import bytes_written_whole, opened
from utterly.tables.rows import ADDED, READ, Rewrites, Row, good_rows, kept_fields, missing_column, row_of_cells
from utterly.tables.source import Source

_BATCH: Final = 4096  # rows in memory at a time, and in a row group of the output


@dataclass(frozen=True)
class Parquet:
    """A Parquet file, which is read from its end and so cannot be a pipe.

    Its rows have all fields only if `whole`: what is merely copied need not become Python objects.
    """

    source: Source
    whole: bool
    named: str | None = None  # the column of the conversation

    def rows(self, *, on_bad: OnBad | None = None) -> Iterator[Row]:
        first = 1
        for batch in self._batches(None if self.whole else self._read):
            read = partial(row_of_cells, named=self.named)
            yield from good_rows(enumerate(batch.to_pylist(), first), read, self._bad, on_bad)
            first += batch.num_rows

    def write(self, out: Path, rewrites: Rewrites, *, replace: bool) -> None:
        """Write the file again, its good rows with what is added to them; over one that exists only with `replace`."""
        arrow, parquet = require("pyarrow", extra="tables"), require("pyarrow.parquet", extra="tables")
        types = (arrow.string(), arrow.float64(), arrow.bool_())
        with self._opened() as file:
            schema = file.schema_arrow
            kept = kept_fields(schema.names, ADDED)
            fields = [schema.field(name).with_name(then) for name, then in kept.items()]
            written = arrow.schema([*fields, *map(arrow.field, ADDED, types)], metadata=schema.metadata)
            with bytes_written_whole(out, replace=replace) as target, parquet.ParquetWriter(target, written) as writer:
                for batch in file.iter_batches(_BATCH):
                    rows, places = self._good(batch)
                    good = batch if len(places) == len(batch) else batch.take(arrow.array(places, arrow.int64()))
                    here = [new for _, new in rewrites.joined_with(rows)]
                    added = [
                        arrow.array([new[name] for new in here], of) for name, of in zip(ADDED, types, strict=True)
                    ]
                    writer.write_batch(arrow.record_batch([*map(good.column, kept), *added], schema=written))
                rewrites.must_be_used_up()

    def _batches(self, names: tuple[str, ...] | None = None) -> Iterator[Any]:
        with self._opened() as file:
            wanted = [name for name in file.schema_arrow.names if names is None or name in names]
            yield from file.iter_batches(_BATCH, columns=wanted)

    @property
    def _read(self) -> tuple[str, ...]:
        return (*READ, self.named) if self.named else READ

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        arrow, parquet = require("pyarrow", extra="tables"), require("pyarrow.parquet", extra="tables")
        assert self.source.path  # noqa: S101 - see `Source.rereadable`
        with opened(self.source.path) as file:
            try:
                read = parquet.ParquetFile(file)
                self._check(read.schema_arrow.names)
                yield read
            except arrow.ArrowException as wrong:
                problem = f"not a valid Parquet file: {' '.join(str(wrong).split())}; write it again"
                raise FileError(self.source.name, problem) from None

    def _check(self, names: list[str]) -> None:
        missing = missing_column(names, self.named)
        if missing or len(set(names)) != len(names):
            there = ", ".join(map(repr, names[:10]))
            problem = f"the column {missing!r} is missing" if missing else "columns must have different names"
            raise FileError(self.source.name, f"{problem} (columns: {there})")

    def _bad(self, number: int, problem: str) -> FileError:
        return FileError(self.source.name, f"row {number}: {problem}")

    def _good(self, batch: Any) -> tuple[list[Row], list[int]]:
        """The rows that are dialogues, and their places."""
        bad: set[int] = set()

        def note(place: int, problem: str) -> FileError:
            bad.add(place)
            return FileError("", problem)

        read = batch.select([name for name in self._read if name in batch.schema.names])
        rows = list(
            good_rows(enumerate(read.to_pylist()), partial(row_of_cells, named=self.named), note, on_bad=lambda _: None)
        )
        return rows, [place for place in range(batch.num_rows) if place not in bad]
