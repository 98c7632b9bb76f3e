"""Read the records of a file, with one way for all readers to treat a bad record.

A record is a line, or an entry of a JSON list or object. An error in one record goes to `on_bad`, if given, and reading
goes on after it; else it is raised. An error in the file as a whole (cut off, not gzip, not JSON) is always raised.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from utterly.errors import DialogueError, FileError
from utterly.files import decoded

OnBad: TypeAlias = Callable[[FileError], object]


class Record(NamedTuple):
    """A record's place among the records, the number of its line or entry (both from 1), and its text."""

    number: int
    line: int
    text: str


class _Identified(Protocol):
    @property
    def id(self) -> str | None: ...


_T = TypeVar("_T", bound=_Identified)  # a dialogue, or another thing with an id


def read_records(
    path: Path | str,
    raw_records: Iterable[tuple[int, bytes]],
    read: Callable[[Record], Iterable[_T]],
    on_bad: OnBad | None,
    *,
    unit: Literal["line", "entry"] = "line",
) -> Iterator[_T]:
    """What `read` finds in each record; a `DialogueError` from it means a bad record. `unit` is what is numbered.

    Ids must be unique within a file. They are all that is kept in memory.
    """
    line_of_id: dict[str, int] = {}
    for number, (line, raw) in enumerate(raw_records, start=1):
        try:
            for found in read(Record(number, line, decoded(path, raw, line=line))):
                if found.id in line_of_id:
                    raise DialogueError(
                        f"ids must be unique within a file, but {found.id!r} is also in {unit} "
                        f"{line_of_id[found.id]}; rename one, or leave the ids out"
                    )
                if found.id is not None:
                    line_of_id[found.id] = line
                yield found
        except (DialogueError, FileError) as bad:
            error = bad if isinstance(bad, FileError) else _bad_record(path, str(bad), unit, line)
            if on_bad is None:
                raise error from None
            on_bad(error)


def _bad_record(path: Path | str, problem: str, unit: str, number: int) -> FileError:
    return FileError(path, problem, line=number) if unit == "line" else FileError(path, f"{unit} {number}: {problem}")


def check_split(path: Path | str, split: str | None, known: Collection[str]) -> None:
    """Raise an error for a split that the files of a corpus do not have."""
    if split is None or split in known:
        return
    names = ", ".join(known)
    advice = f"choose from: {names}" if names else "give the file of that split, without naming a split"
    raise FileError(path, f"this kind of file has no split {split!r}; {advice}")
