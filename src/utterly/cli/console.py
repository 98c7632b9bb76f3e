"""Text, tables, progress and skipped records on the terminal.

Progress goes to standard error, and only if that is a terminal: never into a pipe or a log.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

import typer

from utterly.dialogues.reading import OnBad

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.text import Text

_T = TypeVar("_T")
_PIPE_WIDTH: Final = 200  # a pipe has no width; tables must not be cut there
_SKIPPED_SHOWN: Final = 3


def output() -> "Console":
    """Standard output. Text is printed verbatim: names and rules may contain anything."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console


def show(text: "str | Text", style: str | None = None) -> None:
    """Print text without wrapping or cutting lines."""
    output().print(text, style=style, soft_wrap=True)


def show_table(headings: Sequence[str], *sections: Iterable[Sequence[str]], text_columns: Sequence[int] = (0,)) -> None:
    """Print rows in sections; columns of numbers are aligned to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, heading in enumerate(headings):
        table.add_column(Text(heading), justify="left" if i in text_columns else "right", no_wrap=i == 0)
    for section in sections:
        for row in section:
            table.add_row(*map(Text, row))
        table.add_section()
    output().print(table)


def counted(things: Iterable[_T], total: int | None = None, *, what: str) -> Iterator[_T]:
    """The same things, with a progress bar."""
    with _progress(what, countable=True) as progress:
        yield from progress.track(things, total=total, task_id=progress.task_ids[0])


def busy(what: str) -> AbstractContextManager[object]:
    """A spinner, for work that cannot be counted."""
    return _progress(what, countable=False)


def _progress(what: str, *, countable: bool) -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console, name = Console(stderr=True), TextColumn("{task.description}", markup=False)
    columns = (name, BarColumn(), MofNCompleteColumn()) if countable else (SpinnerColumn(), name)
    progress = Progress(*columns, TimeElapsedColumn(), console=console, transient=True, disable=not console.is_terminal)
    progress.add_task(what, total=None)
    return progress


@contextmanager
def skipping(wanted: bool) -> Iterator[OnBad | None]:
    """The `on_bad` of a reader: None, or a function that collects bad records, to report them at the end.

    A record that is read twice counts once.
    """
    problems: dict[str, None] = {}  # an ordered set
    yield (lambda error: problems.setdefault(str(error))) if wanted else None
    if problems:
        shown = [f"  {problem}" for problem in [*problems][:_SKIPPED_SHOWN]]
        typer.echo("\n".join([f"skipped {len(problems)} bad record(s), starting with:", *shown]), err=True)
