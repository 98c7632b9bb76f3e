"""An engine that is not installed is named with the extra that installs it."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from utterly import MissingExtraError
from utterly.fleets import datasets, duckdb, polars, ray, spark

CALLS: dict[str, tuple[str, Callable[[], Any]]] = {
    "datasets": ("datasets", lambda: datasets.rewrite_dataset(None)),
    "duckdb": ("pyarrow", lambda: duckdb.register(None)),
    "polars": ("polars", polars.utterly_rewrite),
    "ray": ("ray.data", lambda: ray.rewrite_dataset(None)),
    "spark": ("pyspark.sql.types", lambda: spark.rewrite_frame(None)),
}


@pytest.mark.parametrize(("extra", "call"), CALLS.items())
def test_a_missing_engine_is_named_with_its_extra(
    extra: str, call: tuple[str, Callable[[], Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    package, function = call
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError) as refused:
        function()
    assert f"pip install 'utterly[{extra}]'" in str(refused.value)
