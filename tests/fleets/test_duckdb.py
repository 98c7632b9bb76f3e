"""DuckDB: a function in SQL."""

from typing import Any

import pytest

from tests.fleets.conftest import DUNE, ROWS
from utterly.fleets.duckdb import register

duckdb = pytest.importorskip("duckdb")
pyarrow = pytest.importorskip("pyarrow")
TURN = "When was it published?"


@pytest.fixture
def connection() -> Any:
    made = duckdb.connect(config={"threads": 2})
    register(made)
    made.register("dialogues", pyarrow.Table.from_pylist(ROWS))
    return made


def test_a_query_rewrites(connection: Any, expected: list[dict[str, Any]]) -> None:
    query = "SELECT *, unnest(utterly_rewrite(history, utterance)) FROM dialogues"
    assert connection.sql(query).to_arrow_table().to_pylist() == expected


def test_a_table_of_many_vectors_keeps_every_row(connection: Any) -> None:
    connection.execute(
        "CREATE TABLE many AS "
        "SELECT i AS id, NULL::VARCHAR[] AS history, 'turn ' || i AS utterance FROM range(5000) t(i)"
    )
    query = "SELECT count(*), count(DISTINCT id), bool_and(r.rewrite = utterance) FROM ({})"
    inner = "SELECT *, utterly_rewrite(history, utterance) AS r FROM many"
    assert connection.execute(query.format(inner)).fetchall() == [(5000, 5000, True)]


@pytest.mark.parametrize(
    ("parameters", "given"),
    [
        ({"history": "VARCHAR", "utterance": "VARCHAR"}, ['["Who wrote Dune?", "Frank Herbert."]', TURN]),
        (
            {"messages": "STRUCT(role VARCHAR, content VARCHAR)[]"},
            [[{"role": "user", "content": text} for text in (*DUNE, TURN)]],
        ),
    ],
    ids=["history in JSON", "messages"],
)
def test_a_function_of_other_types_is_one_more_call(
    connection: Any, parameters: dict[str, str], given: list[Any]
) -> None:
    register(connection, name="mine", parameters=parameters)
    marks = ", ".join("?" for _ in given)
    assert connection.execute(f"SELECT mine({marks}).rewrite", given).fetchall() == [("When was Dune published?",)]


def test_strict_stops_the_query(connection: Any) -> None:
    register(connection, name="strictly", strict=True)
    with pytest.raises(duckdb.Error, match="row 4 of 8 in a batch cannot be rewritten"):
        connection.execute("SELECT strictly(history, utterance) FROM dialogues").fetchall()
