"""DuckDB: `register` gives a connection the SQL function `utterly_rewrite(history, utterance)`."""

from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any, Final

from utterly.extras import require
from utterly.fleets.batch import NEW, RewriteBatch
from utterly.parallel import usable_cores

HISTORY: Final = {"history": "VARCHAR[]", "utterance": "VARCHAR"}


def register(
    connection: Any, *, name: str = "utterly_rewrite", parameters: Mapping[str, str] = HISTORY, **settings: Any
) -> None:
    """Add the function, which returns a struct of `rewrite`, `confidence`, `changed` and `error`.

    `parameters` are its arguments with types; for chats, `{"messages": "STRUCT(role VARCHAR, content VARCHAR)[]"}`.
    `settings` are those of `RewriteBatch`. By default, `workers` is the number of cores.
    """
    arrow = require("pyarrow", extra="duckdb")
    rewrite = RewriteBatch(**{"workers": usable_cores(), **settings})

    def rewritten(*columns: Any) -> Any:
        batch = arrow.Table.from_arrays(columns, names=list(parameters))
        return rewrite(batch).select(NEW).to_struct_array()

    # DuckDB counts the parameters of the function.
    signature = Signature([Parameter(each, Parameter.POSITIONAL_ONLY) for each in parameters])
    rewritten.__signature__ = signature  # type: ignore[attr-defined]
    result = "STRUCT(rewrite VARCHAR, confidence DOUBLE, changed BOOLEAN, error VARCHAR)"
    connection.create_function(
        name, rewritten, list(parameters.values()), result, type="arrow", null_handling="special"
    )
