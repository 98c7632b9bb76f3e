"""What commands show: text, tables, progress, and the bad records that were skipped.

Progress is shown on the error stream of a terminal only, never in a pipe or a log.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

import typer

from utterly.errors import FileError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_T = TypeVar("_T")
_PIPE_WIDTH: Final = 200  # a pipe has no width; tables must not be cut there
_SKIPPED_SHOWN: Final = 3


def output() -> "Console":
    """The output stream. Text is printed as it is: names and rules may contain anything."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console


def show(text: "str | Text", style: str | None = None) -> None:
    """Print text; lines are not cut."""
    output().print(text, style=style, soft_wrap=True)


def show_table(headings: Sequence[str], *sections: Iterable[Sequence[str]], text_columns: Sequence[int] = (0,)) -> None:
    """Print rows in sections; columns of figures are aligned to the right."""
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


def counted(things: Iterable[_T], what: str, *, total: int | None = None) -> Iterator[_T]:
    """The same things, counted on a progress bar as they pass."""
    with _progress(what) as progress:
        (task,) = progress.task_ids
        yield from progress.track(things, total=total, task_id=task)


def counting(what: str) -> Callable[[Iterable[_T], int], Iterator[_T]]:
    """`counted`, for who knows the total."""
    return lambda things, total: counted(things, what, total=total)


def busy(what: str) -> AbstractContextManager[object]:
    """A sign of life while something runs that cannot be counted."""
    progress: AbstractContextManager[object] = _progress(what, countable=False)
    return progress


def _progress(what: str, *, countable: bool = True) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console, name = Console(stderr=True), TextColumn("{task.description}", markup=False)
    columns = (name, BarColumn(), MofNCompleteColumn()) if countable else (SpinnerColumn(), name)
    progress = Progress(*columns, TimeElapsedColumn(), console=console, transient=True, disable=not console.is_terminal)
    progress.add_task(what, total=None)
    return progress


class Skipped:
    """Bad records, given to a reader as `on_bad`. A record met again, in a second reading, counts once."""

    def __init__(self) -> None:
        self._problems: dict[str, None] = {}  # an ordered set

    def __call__(self, error: FileError) -> None:
        self._problems[str(error)] = None

    def __len__(self) -> int:
        return len(self._problems)

    def __str__(self) -> str:
        """
        >>> skipped = Skipped()
        >>> skipped(FileError("talk.jsonl", "the field 'utterance' is missing; add it", line=2))
        >>> print(skipped)
        skipped 1 bad record(s), starting with:
          talk.jsonl, line 2: the field 'utterance' is missing; add it
        """
        shown = [f"  {problem}" for problem in [*self._problems][:_SKIPPED_SHOWN]]
        return "\n".join([f"skipped {len(self)} bad record(s), starting with:", *shown])


@contextmanager
def skipping(wanted: bool) -> Iterator[Skipped | None]:
    """What to give a reader as `on_bad`: None, or what skips bad records and reports them in the end."""
    skipped = Skipped()
    yield skipped if wanted else None
    if skipped:
        typer.echo(str(skipped), err=True)
