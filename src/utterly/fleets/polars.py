"""Polars: `utterly_rewrite` is an expression, for frames, lazy frames and the streaming engine."""

from typing import Any, Final

from utterly.extras import require
from utterly.fleets.batch import NEW, RewriteBatch
from utterly.parallel import usable_cores

_SLICE: Final = 4096  # rows converted to Python objects at a time


def utterly_rewrite(*columns: str, **settings: Any) -> Any:
    """A struct of `rewrite`, `confidence`, `changed` and `error` for each row; `settings` are those of `RewriteBatch`.

    `columns` are those to read, by default `history` and `utterance`. By default, `workers` is the number of cores.
    `frame.with_columns(utterly_rewrite().struct.unnest())` adds the four as columns.
    """
    polars = require("polars", extra="polars")
    rewrite = RewriteBatch(**{"workers": usable_cores(), **settings})
    kinds = (polars.String, polars.Float64, polars.Boolean, polars.String)
    result = polars.Struct(dict(zip(NEW, kinds, strict=True)))

    def rewritten(rows: Any) -> Any:
        parts = (rows.slice(start, _SLICE).struct.unnest() for start in range(0, len(rows) or 1, _SLICE))
        return polars.concat(
            polars.from_arrow(rewrite(part.to_arrow()).select(NEW)).to_struct(rows.name) for part in parts
        )

    read = polars.struct(*(columns or ("history", "utterance")))
    return read.map_batches(rewritten, return_dtype=result, is_elementwise=True)
