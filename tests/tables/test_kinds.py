"""What kind of file is read and written, by names and by wish."""

import pytest

from utterly.errors import FileError
from utterly.tables.kinds import Kinds, kinds_of


@pytest.mark.parametrize(
    ("source", "out", "asked", "kinds"),
    [
        ("a.jsonl", "b.ndjson.gz", None, Kinds("jsonl", "jsonl")),
        ("A.CSV", "b.csv.gz", None, Kinds("csv", "csv")),
        ("a.csv", "b.jsonl", None, Kinds("csv", "jsonl")),
        ("a.parquet", "b.parquet", None, Kinds("parquet", "parquet")),
        ("a.parquet", "-", None, Kinds("parquet", "jsonl")),
        ("a.csv", "-", None, Kinds("csv", "csv")),
        ("-", "-", None, Kinds("jsonl", "jsonl")),
        ("-", "b.csv", None, Kinds("csv", "csv")),
        ("-", "b.jsonl", "parquet", Kinds("parquet", "jsonl")),
        ("a.txt", "b.txt", "csv", Kinds("csv", "csv")),
        ("a.jsonl", "b.csv", "csv", Kinds("csv", "csv")),
    ],
)
def test_endings_decide_where_they_say_something(source: str, out: str, asked: str | None, kinds: Kinds) -> None:
    assert kinds_of(source, out, asked) == kinds


@pytest.mark.parametrize(
    ("source", "out", "asked", "problem"),
    [
        ("a.parquet.gz", "-", None, "a.parquet.gz: its name must end in one of"),
        ("a.csv", "b", None, "b: its name must end in one of"),
        ("a.csv", "b.parquet", None, "what is read as csv can be written as csv or jsonl, but not as parquet"),
        ("a.jsonl", "-", "json", "there is no format called 'json'"),
    ],
)
def test_what_cannot_be_told_or_made_is_refused(source: str, out: str, asked: str | None, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        kinds_of(source, out, asked)
