"""Read the records of a file; all readers treat bad records alike.

A record is a line, or an entry of a JSON list or object. An error in a record is passed to `on_bad`, if given, and
reading continues; otherwise it is raised. An error in the file itself (cut off, not gzip, not JSON) is always raised.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeVar

from utterly.errors import DialogueError, FileError
from utterly.files import decoded, numbered_raw_lines

OnBad = Callable[[FileError], object]


class Record(NamedTuple):
    number: int  # among the records, from 1
    line: int  # or entry, from 1
    text: str


class _Identified(Protocol):
    @property
    def id(self) -> str | None: ...


_T = TypeVar("_T", bound=_Identified)  # a dialogue, or another thing with an id


def read_records(
    path: Path | str,
    read: Callable[[Record], Iterable[_T]],
    on_bad: OnBad | None,
    *,
    records: Iterable[tuple[int, bytes]] | None = None,
    unit: Literal["line", "entry"] = "line",
) -> Iterator[_T]:
    """The results of `read` for each record; if it raises a `DialogueError`, the record is bad.

    `records` are the lines of the file by default, each with its number; `unit` is the name of one in errors. Ids must
    be unique within a file. They are all that is kept in memory.
    """
    line_of_id: dict[str, int] = {}
    for number, (line, raw) in enumerate(numbered_raw_lines(path) if records is None else records, start=1):
        try:
            for found in read(Record(number, line, decoded(path, raw, line=line))):
                if found.id in line_of_id:
                    raise DialogueError(
                        f"ids must be unique within a file, but {found.id!r} is also in {unit} "
                        f"{line_of_id[found.id]}; rename one, or remove the ids"
                    )
                if found.id is not None:
                    line_of_id[found.id] = line
                yield found
        except (DialogueError, FileError) as bad:
            if isinstance(bad, FileError):
                error = bad
            elif unit == "line":
                error = FileError(path, str(bad), line=line)
            else:
                error = FileError(path, f"{unit} {line}: {bad}")
            if on_bad is None:
                raise error from None
            on_bad(error)


def check_split(path: Path | str, split: str | None, known: Collection[str]) -> None:
    """Raise an error if the files of a corpus do not have this split."""
    if split is None or split in known:
        return
    names = ", ".join(known)
    advice = f"choose from: {names}" if names else "give the file of that split, without naming a split"
    raise FileError(path, f"this kind of file has no split {split!r}; {advice}")
