"""Polars: an expression, in frames and in lazy queries."""

from typing import Any

import pytest

from tests.fleets.conftest import DUNE, ROWS
from utterly import DialogueError
from utterly.fleets import polars as fleet
from utterly.fleets.polars import utterly_rewrite

polars = pytest.importorskip("polars")


@pytest.fixture
def frame() -> Any:
    return polars.DataFrame(ROWS)


def test_a_frame_gets_its_rewrites(frame: Any, expected: list[dict[str, Any]]) -> None:
    assert frame.with_columns(utterly_rewrite().struct.unnest()).to_dicts() == expected


def test_a_lazy_query_filters_by_them(frame: Any, expected: list[dict[str, Any]]) -> None:
    made = frame.lazy().with_columns(utterly_rewrite().struct.unnest()).filter("changed").collect(engine="streaming")
    assert made.to_dicts() == [row for row in expected if row["changed"]]


def test_long_columns_are_taken_in_slices(
    frame: Any, expected: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet, "_SLICE", 3)
    assert frame.select(utterly_rewrite().struct.field("rewrite"))["rewrite"].to_list() == [
        row["rewrite"] for row in expected
    ]


def test_other_columns_are_read_if_named_and_no_rows_are_no_problem(frame: Any) -> None:
    chat = [[{"role": "user", "content": text} for text in (*DUNE, "When was it published?")]]
    made = polars.DataFrame({"messages": chat}).select(utterly_rewrite("messages").struct.unnest())
    assert made["rewrite"].to_list() == ["When was Dune published?"]
    assert frame.head(0).select(utterly_rewrite()).dtypes == frame.select(utterly_rewrite()).dtypes


def test_strict_stops_the_query(frame: Any) -> None:
    with pytest.raises((DialogueError, polars.exceptions.ComputeError), match="row 4 of 8 in a batch cannot"):
        frame.select(utterly_rewrite(strict=True))
