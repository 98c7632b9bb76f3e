"""How far long work has come, on the error stream of a terminal; in a pipe or a log nothing is shown."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

_T = TypeVar("_T")


def counted(things: Iterable[_T], what: str, *, total: int | None = None) -> Iterator[_T]:
    """The same things, counted as they pass. Without a total the bar moves but has no end."""
    console = _error_stream()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield from progress.track(things, total=total, description=what)


def busy(what: str) -> AbstractContextManager[object]:
    """A sign of life while something runs that cannot be counted."""
    console = _error_stream()
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    progress.add_task(what, total=None)
    return progress


def _error_stream() -> Console:
    return Console(stderr=True)
