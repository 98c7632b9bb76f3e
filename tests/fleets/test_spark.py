"""Spark: a frame comes back with its rewrites and a declared schema."""

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fleets.conftest import ROWS, in_order
from utterly.fleets import RewriteBatch
from utterly.fleets.spark import rewrite_frame

pyspark = pytest.importorskip("pyspark")
sql = pytest.importorskip("pyspark.sql")
if not shutil.which("java"):
    pytest.skip("Spark needs Java, and there is none", allow_module_level=True)
pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
SCHEMA = "id bigint, history array<string>, utterance string"


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    session = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    yield session
    session.stop()


def rows_of(frame: Any) -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in frame.collect()]


def test_a_frame_comes_back_with_its_rewrites(spark: Any, expected: list[dict[str, Any]]) -> None:
    frame = spark.createDataFrame(ROWS, SCHEMA).repartition(2)
    made = rewrite_frame(frame, batch_size=3)
    assert made.schema.simpleString() == (
        "struct<id:bigint,history:array<string>,utterance:string,"
        "rewrite:string,confidence:double,changed:boolean,error:string>"
    )
    assert in_order(rows_of(made)) == in_order(expected)


def test_it_runs_in_a_query_and_on_no_rows(spark: Any) -> None:
    frame = rewrite_frame(spark.createDataFrame(ROWS, SCHEMA).where("id > 100"))
    assert [row["id"] for row in frame.where("error is null").collect()] == [2**53 + 1]
    assert rewrite_frame(spark.createDataFrame([], SCHEMA)).count() == 0


def test_pandas_frames_are_rewritten_as_well(spark: Any, expected: list[dict[str, Any]]) -> None:
    frame = spark.createDataFrame(ROWS, SCHEMA)
    rewrite = RewriteBatch()
    schema = rewrite_frame(frame).schema
    made = frame.mapInPandas(lambda frames: map(rewrite, frames), schema)
    names = ("utterance", "rewrite", "confidence", "changed", "error")
    assert [[row[name] for name in names] for row in rows_of(made)] == [
        [row[name] for name in names] for row in expected
    ]


def test_strict_stops_the_job_with_row_and_reason(spark: Any) -> None:
    frame = spark.createDataFrame(ROWS[2:4], SCHEMA).coalesce(1)
    with pytest.raises(pyspark.errors.PythonException, match="row 2 of 2 in a batch cannot be rewritten"):
        rewrite_frame(frame, strict=True).collect()
