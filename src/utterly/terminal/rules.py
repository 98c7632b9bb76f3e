"""Rule books, and sweeps over the threshold, as tables."""

from collections.abc import Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

from utterly.rules.book import RuleBook
from utterly.rules.sweep import ORACLE_SCORES, SweepPoint
from utterly.scripts.edits import Rule
from utterly.terminal.tables import output_console, plain_table

_MEMBERS_SHOWN: Final = 3


def show_book(book: RuleBook) -> None:
    """Print the rules, the share of phrases each stands for, and the first of its members."""
    output_console().print(book_table(book))


def book_table(book: RuleBook) -> Table:
    table = plain_table("rule", "phrases", "share")
    table.add_column("members")
    phrases = sum(book.counts) or 1
    for rule, count in zip(book.rules, book.counts, strict=True):
        table.add_row(Text(str(rule)), f"{count:,}", f"{count / phrases:.2%}", Text(_some(book.members(rule))))
    return table


def show_sweep(points: Sequence[SweepPoint]) -> None:
    """Print a line per threshold, and what made the scores."""
    console = output_console()
    console.print(sweep_table(points))
    console.print(Text("rules: those beside the null rule", style="dim"))
    if points[0].scores:
        settings = points[0].scores["EM"].settings
        console.print(Text(f"oracle: gold scripts in the rules of the book, {settings}", style="dim"), soft_wrap=True)


def sweep_table(points: Sequence[SweepPoint]) -> Table:
    scored = ORACLE_SCORES if points[0].scores else ()
    table = plain_table("threshold", "rules", *(f"oracle {name}" for name in scored))
    for point in points:
        values = [f"{point.scores[name].value:.2f}" for name in scored if point.scores]
        table.add_row(f"{100 * point.threshold:g} %", str(point.rules), *values)
    return table


def _some(members: Sequence[Rule]) -> str:
    """
    >>> _some([Rule.parse("by _"), Rule.parse("by the _"), Rule.parse("by a _"), Rule.parse("by one _")])
    'by _ | by the _ | by a _ | and 1 more'
    """
    more = [f"and {len(members) - _MEMBERS_SHOWN} more"] if len(members) > _MEMBERS_SHOWN else []
    return " | ".join([*map(str, members[:_MEMBERS_SHOWN]), *more])
