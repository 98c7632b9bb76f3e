"""`Source`: where rows come from, a file or the standard input."""

import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Final, Self

from utterly.files import bytes_written_whole, opened, standard_input

STANDARD: Final = "-"
"""What stands for the standard input or output, where a file can be named."""


@dataclass(frozen=True)
class Source:
    """A name for errors, and a file; without one it is the standard input, which can be read once."""

    name: str
    path: Path | None

    @classmethod
    def named(cls, name: str) -> Self:
        return cls("standard input", None) if name == STANDARD else cls(name, Path(name))

    def opened(self) -> AbstractContextManager[IO[bytes]]:
        """Its bytes, unpacked where they are gzip."""
        return opened(self.path) if self.path else standard_input(self.name)

    @contextmanager
    def kept(self) -> Iterator["Source"]:
        """The same, to be read several times: what is no file is kept in one until the end."""
        if self.path and (self.path.is_file() or not self.path.exists()):
            yield self
            return
        with tempfile.TemporaryDirectory() as folder:
            copy = Source(self.name, Path(folder) / "rows")
            with bytes_written_whole(Path(folder) / "rows") as file:
                file.writelines(self._chunks())
            yield copy

    def _chunks(self) -> Iterator[bytes]:
        with self.opened() as file:
            yield from iter(partial(file.read, 1 << 20), b"")
