"""Rows as Parquet, with pyarrow; columns keep their types. `history` is a list of strings, or text as in CSV."""

from collections.abc import Collection, Iterator, Mapping, Sequence
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
    """A Parquet file. It is read from the end, so it cannot be a pipe.

    Rows have all fields only if `whole`: fields that are only copied need not become Python objects.
    """

    source: Source
    whole: bool
    named: str | None = None  # the column of the conversation

    def rows(self, *, on_bad: OnBad | None = None) -> Iterator[Row]:
        first = 1
        with self._opened() as file:
            names = file.schema_arrow.names
            for batch in file.iter_batches(_BATCH, columns=names if self.whole else self._needed(names)):
                for _, row in self._numbered_rows(batch, first, on_bad):
                    yield row
                first += batch.num_rows

    def write(self, out: Path, rewrites: Rewrites, *, replace: bool) -> None:
        """Write the good rows with their rewrites to a new file; over one that exists only with `replace`."""
        arrow, parquet = require("pyarrow", extra="tables"), require("pyarrow.parquet", extra="tables")
        with self._opened() as file:
            schema = extended_schema(file.schema_arrow, ADDED)
            with bytes_written_whole(out, replace=replace) as target, parquet.ParquetWriter(target, schema) as writer:
                for batch in file.iter_batches(_BATCH):
                    rows = dict(
                        self._numbered_rows(batch.select(self._needed(batch.schema.names)), 0, on_bad=lambda _: None)
                    )
                    good = batch if len(rows) == len(batch) else batch.take(arrow.array([*rows], arrow.int64()))
                    new = [new for _, new in rewrites.joined_with(rows.values())]
                    writer.write_batch(extended(good, {name: [each[name] for each in new] for name in ADDED}))
                rewrites.check_end()

    def _needed(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if name in (*READ, self.named)]

    def _numbered_rows(self, batch: Any, first: int, on_bad: OnBad | None) -> Iterator[tuple[int, Row]]:
        read = partial(row_of_cells, named=self.named)
        return good_rows(enumerate(batch.to_pylist(), first), read, self._bad, on_bad)

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
        if problem := missing_column(names, self.named):
            raise FileError(self.source.name, problem)
        if len(set(names)) != len(names):
            raise FileError(self.source.name, f"columns must have different names, got {names}; rename one")

    def _bad(self, number: int, problem: str) -> FileError:
        return FileError(self.source.name, f"row {number}: {problem}")


def extended_schema(schema: Any, added: Collection[str]) -> Any:
    """An Arrow schema with the fields that rewrites add."""
    arrow = require("pyarrow", extra="tables")
    types = {"confidence": arrow.float64(), "changed": arrow.bool_()}
    kept = [schema.field(name).with_name(then) for name, then in kept_fields(schema.names, added).items()]
    new = [arrow.field(name, types.get(name, arrow.string())) for name in added]
    return arrow.schema([*kept, *new], metadata=schema.metadata)


def extended(batch: Any, added: Mapping[str, list[Any]]) -> Any:
    """An Arrow batch or table with the columns that rewrites add."""
    arrow = require("pyarrow", extra="tables")
    schema = extended_schema(batch.schema, added)
    kept = [batch.column(name) for name in kept_fields(batch.schema.names, added)]
    new = [arrow.array(values, schema.field(name).type) for name, values in added.items()]
    return type(batch).from_arrays([*kept, *new], schema=schema)
