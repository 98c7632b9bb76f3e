"""File formats: which one a file has, by its extension or as the user says."""

from typing import Final, NamedTuple, NoReturn

from utterly.errors import FileError
from utterly.tables.csv_rows import Csv
from utterly.tables.json_lines import JsonLines
from utterly.tables.parquet import Parquet
from utterly.tables.source import STANDARD, Source

JSON_LINES: Final = "jsonl"
PARQUET: Final = "parquet"
CSV: Final = "csv"
ENDINGS: Final = {
    JSON_LINES: (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz"),
    CSV: (".csv", ".csv.gz"),
    PARQUET: (".parquet",),
}

Table = JsonLines | Csv | Parquet


class Formats(NamedTuple):
    source: str
    out: str


def formats_of(source: str, out: str, given: str | None = None) -> Formats:
    """The given format, or that of the extension, which for an output comes first; for `-`, that of the other file.

    >>> formats_of("talk.csv.gz", "-"), formats_of("-", "out.parquet"), formats_of("talk.dat", "-", "csv")
    (Formats(source='csv', out='csv'), Formats(source='parquet', out='parquet'), Formats(source='csv', out='csv'))
    """
    if given is not None and given not in ENDINGS:
        raise FileError(source, f"no format called {given!r}; known: {', '.join(ENDINGS)}")
    if source == STANDARD:
        read = given or known_format(out) or JSON_LINES
    else:
        read = given or known_format(source) or _unknown(source)
    if out == STANDARD:
        written = JSON_LINES if read == PARQUET else read
    else:
        written = known_format(out) or given or _unknown(out)
    if written not in (read, JSON_LINES):
        known = " or ".join(dict.fromkeys((read, JSON_LINES)))
        raise FileError(out, f"rows read as {read} can be written as {known}, not as {written}; rename the output")
    return Formats(read, written)


def table_of(formats: Formats, source: Source, named: str | None) -> Table:
    """The source, read in its format; the conversation is in the field `named`, if given."""
    if formats.source == PARQUET:
        return Parquet(source, whole=formats.out != PARQUET, named=named)
    return Csv(source, named) if formats.source == CSV else JsonLines(source, named)


def known_format(name: str) -> str | None:
    """The format of a file, if its extension tells."""
    return next((known for known, endings in ENDINGS.items() if name.lower().endswith(endings)), None)


def _unknown(name: str) -> NoReturn:
    known = ", ".join(ending for endings in ENDINGS.values() for ending in endings)
    raise FileError(name, f"the extension must be one of {known}; rename the file, or give --format")
