"""Which kind of file a name, or the user, asks for."""

from typing import Final, NamedTuple

from utterly.errors import FileError
from utterly.tables.csv_rows import Csv
from utterly.tables.json_lines import JsonLines
from utterly.tables.parquet import Parquet
from utterly.tables.sources import STANDARD, Source

JSON_LINES: Final = "jsonl"
PARQUET: Final = "parquet"
CSV: Final = "csv"
ENDINGS: Final = {
    JSON_LINES: (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz"),
    CSV: (".csv", ".csv.gz"),
    PARQUET: (".parquet",),
}


Table = JsonLines | Csv | Parquet


class Kinds(NamedTuple):
    """What is read, and what is written."""

    source: str
    out: str


def kinds_of(source: str, out: str, asked: str | None = None) -> Kinds:
    """What a name's ending says; where it says nothing, what was asked for, or what the other name's ending says.

    >>> kinds_of("talk.csv.gz", "-"), kinds_of("-", "out.parquet"), kinds_of("talk.dat", "-", "csv")
    (Kinds(source='csv', out='csv'), Kinds(source='parquet', out='parquet'), Kinds(source='csv', out='csv'))
    """
    if asked is not None and asked not in ENDINGS:
        raise FileError(source, f"there is no format called {asked!r} to read it as; known: {', '.join(ENDINGS)}")
    read = asked or _kind(source) or (_kind(out) or JSON_LINES if source == STANDARD else _unknown(source))
    written = _kind(out) or (asked or _unknown(out) if out != STANDARD else JSON_LINES if read == PARQUET else read)
    if written not in (read, JSON_LINES):
        known = " or ".join(dict.fromkeys((read, JSON_LINES)))
        raise FileError(out, f"what is read as {read} can be written as {known}, but not as {written}; rename it")
    return Kinds(read, written)


def table_of(kinds: Kinds, source: Source) -> Table:
    """The source as rows of its kind."""
    if kinds.source == PARQUET:
        return Parquet(source, whole=kinds.out != PARQUET)
    return Csv(source) if kinds.source == CSV else JsonLines(source)


def _kind(name: str) -> str | None:
    return next((kind for kind, endings in ENDINGS.items() if name.lower().endswith(endings)), None)


def _unknown(name: str) -> str:
    known = ", ".join(ending for endings in ENDINGS.values() for ending in endings)
    raise FileError(name, f"its name must end in one of {known}, but does not; rename it, or give --format")
