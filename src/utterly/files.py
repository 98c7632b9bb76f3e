"""Files: streamed in, plain or gzip; written atomically, in one go or resumed after an interruption."""

import codecs
import glob
import gzip
import hashlib
import io
import os
import secrets
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Final, TextIO, TypeVar, cast

from utterly.errors import FileError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # a module elsewhere

_T = TypeVar("_T")
Progress = Callable[[Iterable[_T], int], Iterable[_T]]
"""Takes things and their number, passes the things on, and shows how many were taken."""

STANDARD_INPUT: Final = Path("/dev/stdin")
"""The path of standard input, to compare it with other files; not every system has it."""

_GZIP_MAGIC: Final = b"\x1f\x8b"
_UNFINISHED: Final = ".unfinished"


@contextmanager
def opened(path: Path | str) -> Iterator[IO[bytes]]:
    """The file's bytes, decompressed if gzip; any failure to read raises a `FileError`."""
    path = Path(path)
    with _failures_named(path), path.open("rb") as raw:
        if path.suffix == ".gz" and (start := raw.peek(2)[:2]) and start != _GZIP_MAGIC:
            raise FileError(path, "a file named .gz must be gzip, but it is not; rename or compress it")
        yield _unpacked(raw)


@contextmanager
def standard_input(name: str) -> Iterator[IO[bytes]]:
    """Like `opened`, for standard input, which can be read only once; errors call it `name`."""
    with _failures_named(name):
        yield _unpacked(cast("io.BufferedReader", sys.stdin.buffer))


def _unpacked(raw: io.BufferedReader) -> IO[bytes]:
    packed = raw.peek(2)[:2] == _GZIP_MAGIC  # peek: a pipe cannot be rewound
    # To readers, a GzipFile is as good as an IO[bytes].
    return cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if packed else raw


@contextmanager
def _failures_named(path: Path | str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise FileError(path, "there is no such file; check the path") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as broken:
        raise FileError(path, f"the gzip data is broken: {broken}; fetch the file again") from None
    except OSError as failure:
        raise FileError(path, f"cannot be read: {failure.strerror or failure}") from None


def numbered_lines(path: Path | str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, each with its number counted from 1; one line in memory at a time."""
    for number, raw in numbered_raw_lines(path):
        yield number, decoded(path, raw, line=number)


def numbered_raw_lines(path: Path | str) -> Iterator[tuple[int, bytes]]:
    """Like `numbered_lines`, but not decoded, so the caller can skip a bad line."""
    with opened(path) as file:
        yield from raw_lines(file)


def raw_lines(file: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Like `numbered_raw_lines`, for an open file."""
    for number, raw in enumerate(file, start=1):
        line = raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw
        if line.strip():
            yield number, line.rstrip(b"\r\n")


def decoded(path: Path | str, raw: bytes, *, line: int) -> str:
    """The text of a line, which must be UTF-8."""
    try:
        return raw.decode()
    except UnicodeDecodeError as bad:
        raise FileError(path, f"text must be UTF-8, but byte {bad.start} is not; convert the file", line=line) from None


@contextmanager
def written_whole(path: Path | str, *, replace: bool = True) -> Iterator[TextIO]:
    """A text file to write to. It gets its name once it is complete; after an error, nothing is left of it.

    A path that ends in .gz is compressed. Symlinks are followed. Without `replace`, an existing file is an error,
    even one that appears in the meantime.
    """
    with bytes_written_whole(path, replace=replace) as raw:
        # No name or time in the gzip header: the same text gives the same bytes.
        packer = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if Path(path).suffix == ".gz" else raw
        with io.TextIOWrapper(cast("IO[bytes]", packer), encoding="utf-8", newline="\n") as file:
            yield file


@contextmanager
def bytes_written_whole(path: Path | str, *, replace: bool = True) -> Iterator[IO[bytes]]:
    """Like `written_whole`, for bytes, which are never compressed."""
    with path_written_whole(path, replace=replace) as temporary, temporary.open("wb") as raw:
        yield raw


@contextmanager
def path_written_whole(path: Path | str, *, replace: bool = True) -> Iterator[Path]:
    """Like `written_whole`, for writers that need a path: a temporary one, renamed to `path` at the end."""
    check_output(path, replace=replace)
    path = _followed(path)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        yield temporary
        _rename(temporary, path, replace=replace)
    except OSError as failure:
        raise FileError(path, f"cannot be written: {failure.strerror or failure}; check folder and disk") from None
    finally:
        temporary.unlink(missing_ok=True)


def check_output(path: Path | str, *, inputs: Iterable[Path | str] = (), replace: bool) -> None:
    """Raise an error if `path` is an input, is not a regular file, or exists without `replace`."""
    path = Path(path)
    for given in inputs:
        if path.exists() and Path(given).exists() and path.samefile(given):
            raise FileError(path, "the output must not be the input; name another file")
    if path.is_dir():
        raise FileError(path, "the output must be a file, but this is a folder; name a file in it")
    if path.exists() and not path.is_file():  # renaming a file to /dev/null would replace the device
        raise FileError(path, "the output must be a file, but this is a device or a pipe; name a file")
    if _followed(path).is_symlink():
        raise FileError(path, "the output must be a file, but this is a symlink to itself; name a file")
    if path.exists() and not replace:
        raise _exists(path)


def _followed(path: Path | str) -> Path:
    """The target of a symlink; any other path unchanged."""
    return Path(os.path.realpath(path)) if Path(path).is_symlink() else Path(path)


def _exists(path: Path) -> FileError:
    return FileError(path, "the output already exists; name another file, or replace it with --force")


def _rename(temporary: Path, path: Path, *, replace: bool) -> None:
    if replace:
        temporary.replace(path)
        return
    try:
        path.hardlink_to(temporary)  # unlike a rename, never replaces
    except FileExistsError:
        raise _exists(path) from None
    except OSError:  # a file system without hard links
        check_output(path, replace=False)
        temporary.replace(path)
    else:
        temporary.unlink()


class PartialFile:
    """The lines of a file being written: those of an earlier run and those added since."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path, self._file = path, file
        self.count = whole = 0
        for raw in file:
            if raw.endswith(b"\n"):  # else the run was killed while writing it
                self.count, whole = self.count + 1, whole + len(raw)
        file.truncate(whole)

    def lines(self) -> Iterator[str]:
        with self.path.open(encoding="utf-8", newline="\n") as file:
            yield from file

    def keep(self, count: int) -> None:
        """Drop all but the first lines."""
        self._file.seek(0)
        self._file.truncate(sum(len(raw) for raw in islice(self._file, count)))
        self.count = min(self.count, count)

    def write(self, lines: Iterable[str]) -> None:
        """Add lines and flush them: they survive if the process is killed."""
        added = [f"{line}\n" for line in lines]
        self._file.write("".join(added).encode())
        self._file.flush()
        self.count += len(added)


@contextmanager
def resumed(
    path: Path | str, *, made_from: str, finish: Callable[[PartialFile], object], replace: bool = True
) -> Iterator[PartialFile]:
    """Collect lines next to `path` and let `finish` write the file from them. If interrupted, the lines are kept.

    The next call with the same `made_from`, which identifies input and settings, continues from them. Once the file is
    complete, they are deleted, as are those of other attempts. Without `replace`, an existing file is an error.
    """
    check_output(path, replace=replace)
    path = _followed(path)
    digest = hashlib.sha256(made_from.encode()).hexdigest()[:16]
    unfinished = path.with_name(f".{path.name}.{digest}{_UNFINISHED}")
    try:
        with _locked(path):
            check_output(path, replace=replace)  # the last holder of the lock may have written it
            try:
                with unfinished.open("ab+") as file:
                    file.seek(0)
                    partial = PartialFile(unfinished, file)
                    yield partial
                finish(partial)
                for other in path.parent.glob(f".{glob.escape(path.name)}.*{_UNFINISHED}"):
                    other.unlink(missing_ok=True)
            finally:
                if unfinished.exists() and unfinished.stat().st_size == 0:  # no line was written
                    unfinished.unlink()
    except OSError as failure:
        raise FileError(path, f"cannot be written: {failure.strerror or failure}; check folder and disk") from None


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of an output: only its holder writes or deletes files next to it, whatever the input."""
    if fcntl is None:
        yield
        return
    lock = path.with_name(f".{path.name}.lock")
    while True:
        with lock.open("ab") as file:  # closing it unlocks it; so does the end of the process, however it ends
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                is_current = os.path.samestat(os.fstat(file.fileno()), lock.stat())
            except BlockingIOError:
                raise FileError(path, "another process is writing this; wait for it, or stop it") from None
            except FileNotFoundError:
                is_current = False
            if is_current:  # else its last holder deleted it after we opened it
                try:
                    yield
                finally:
                    lock.unlink(missing_ok=True)
                return
