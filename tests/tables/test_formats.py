"""Which format a file is read and written in, by its name or as given."""

import pytest

from utterly.errors import FileError
from utterly.tables.formats import Formats, formats_of


@pytest.mark.parametrize(
    ("source", "out", "asked", "formats"),
    [
        ("a.jsonl", "b.ndjson.gz", None, Formats("jsonl", "jsonl")),
        ("A.CSV", "b.csv.gz", None, Formats("csv", "csv")),
        ("a.csv", "b.jsonl", None, Formats("csv", "jsonl")),
        ("a.parquet", "b.parquet", None, Formats("parquet", "parquet")),
        ("a.parquet", "-", None, Formats("parquet", "jsonl")),
        ("a.csv", "-", None, Formats("csv", "csv")),
        ("-", "-", None, Formats("jsonl", "jsonl")),
        ("-", "b.csv", None, Formats("csv", "csv")),
        ("-", "b.jsonl", "parquet", Formats("parquet", "jsonl")),
        ("a.txt", "b.txt", "csv", Formats("csv", "csv")),
        ("a.jsonl", "b.csv", "csv", Formats("csv", "csv")),
    ],
)
def test_endings_decide_where_they_say_something(source: str, out: str, asked: str | None, formats: Formats) -> None:
    assert formats_of(source, out, asked) == formats


@pytest.mark.parametrize(
    ("source", "out", "asked", "problem"),
    [
        ("a.parquet.gz", "-", None, "a.parquet.gz: the extension must be one of"),
        ("a.csv", "b", None, "b: the extension must be one of"),
        ("a.csv", "b.parquet", None, "rows read as csv can be written as csv or jsonl, not as parquet"),
        ("a.jsonl", "-", "json", "no format called 'json'"),
    ],
)
def test_what_cannot_be_told_or_made_is_refused(source: str, out: str, asked: str | None, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        formats_of(source, out, asked)
