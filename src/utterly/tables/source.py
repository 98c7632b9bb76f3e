"""`Source`: where rows come from, a file or standard input."""

import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Final, Self

from utterly.errors import FileError
from utterly.files import bytes_written_whole, opened, standard_input

STANDARD: Final = "-"
"""Standard input or output, where a file name is expected."""


@dataclass(frozen=True)
class Source:
    """A file, with its name in errors; None is standard input, which can be read only once."""

    name: str
    path: Path | None

    @classmethod
    def named(cls, name: str) -> Self:
        return cls("standard input", None) if name == STANDARD else cls(name, Path(name))

    def opened(self) -> AbstractContextManager[IO[bytes]]:
        """Its bytes, decompressed if gzip."""
        return opened(self.path) if self.path else standard_input(self.name)

    @contextmanager
    def rereadable(self) -> Iterator["Source"]:
        """A source that can be read several times: itself if a regular file, else a temporary copy."""
        if self.path and (self.path.is_file() or not self.path.exists()):
            yield self
            return
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "rows"
            with self.opened() as raw, bytes_written_whole(copy) as file:
                file.writelines(iter(partial(raw.read, 1 << 20), b""))
            yield Source(self.name, copy)

    def bad_line(self, number: int, problem: str) -> FileError:
        return FileError(self.name, problem, line=number)
