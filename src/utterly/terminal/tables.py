"""How tables look, in a terminal and in a pipe."""

from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table

_PIPE_WIDTH: Final = 200  # a pipe has no width; tables must not be cut there


def output_console() -> Console:
    """The output stream; what is printed is only text: names and rules may hold anything."""
    width = None if Console().is_terminal else _PIPE_WIDTH
    return Console(width=width, highlight=False, markup=False, emoji=False)


def plain_table(*headings: str) -> Table:
    """A table of figures: the first column says of what."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    first, *others = headings
    table.add_column(first, no_wrap=True)
    for heading in others:
        table.add_column(heading, justify="right")
    return table
