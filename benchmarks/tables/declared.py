"""What rows.toml and printed.toml declare: tables, their rows, and the commands that make the files they need."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class Row:
    """A system; rows.toml explains the fields."""

    name: str
    ours: str = ""
    paper: str = ""
    model: str = ""
    outputs: str = ""
    field: str = "rewrite"
    seeds: Sequence[int] = ()


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of the paper, or half of one, with the paper's scores and our rows."""

    key: str  # 2, 8-mudoco, figure4
    title: str
    where: str  # in the paper
    columns: Sequence[str] = ()  # metrics, some of one domain: `calling EM`
    printed: Mapping[str, Sequence[float]] = field(default_factory=dict)
    test: str = ""
    held: str = ""
    scores: Mapping[str, str] = field(default_factory=dict)  # name: options of `utterly evaluate`
    rows: Sequence[Row] = ()
    rules: Sequence[str] = ()  # that the paper prints
    books: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Declared:
    tables: Mapping[str, Table]
    commands: Sequence[str]

    def named(self, name: str) -> Iterator[Table]:
        """The tables with this number: 8 has two."""
        return (table for key, table in self.tables.items() if key.partition("-")[0] == name)

    @property
    def names(self) -> list[str]:
        return sorted({key.partition("-")[0] for key in self.tables})


def read_declared(folder: Path = HERE) -> Declared:
    ours, theirs = (tomllib.loads((folder / name).read_text("utf-8")) for name in ("rows.toml", "printed.toml"))
    commands = ours.pop("commands")
    return Declared({key: _table(key, theirs[key], table) for key, table in ours.items()}, commands)


def _table(key: str, printed: dict[str, Any], table: dict[str, Any]) -> Table:
    seeds = {"seeds": table.pop("seeds", ())}
    rows = [Row(**(seeds | row)) for row in table.pop("rows", ())]
    return Table(key=key, rows=rows, printed=printed.pop("rows", {}), **printed, **table)
