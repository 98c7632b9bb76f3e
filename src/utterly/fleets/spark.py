"""Spark: `rewrite_frame` adds rewrites to a frame, in Spark's own Python workers."""

from collections.abc import Iterable, Iterator
from typing import Any

from utterly.extras import require
from utterly.fleets.batch import NEW, ROWS, RewriteBatch
from utterly.tables.rows import kept_fields


def rewrite_frame(frame: Any, *, batch_size: int = ROWS, **settings: Any) -> Any:
    """The frame with its rewrites; `settings` are those of `RewriteBatch`.

    It uses `mapInArrow`; `mapInPandas` would turn a bigint with nulls into floats. A worker that Spark reuses loads the
    model once. Batches are split to `batch_size` rows to limit memory.
    """
    types = require("pyspark.sql.types", extra="spark")
    rewrite = RewriteBatch(**settings)

    def rewritten(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            for start in range(0, batch.num_rows, batch_size):
                yield rewrite(batch.slice(start, batch_size))

    kept = [
        types.StructField(then, frame.schema[name].dataType)
        for name, then in kept_fields(frame.schema.names, NEW).items()
    ]
    kinds = (types.StringType(), types.DoubleType(), types.BooleanType(), types.StringType())
    return frame.mapInArrow(rewritten, types.StructType([*kept, *map(types.StructField, NEW, kinds)]))
