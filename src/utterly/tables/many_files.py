"""Rewrite the files of a folder or a glob, each into a file of the same name in another folder, resumable by file.

A file is done if its output exists and is not older. The output folder keeps a digest of model and settings, so outputs
of different ones are never mixed.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from glob import has_magic
from itertools import takewhile
from pathlib import Path
from typing import Final

from utterly.errors import FileError
from utterly.rewriter import Rewriter
from utterly.tables.formats import formats_of, known_format
from utterly.tables.rewrite_file import FileOptions, made_from, rewrite_file
from utterly.tables.source import Source

_DIGEST: Final = ".utterly"


@dataclass(frozen=True)
class FileReport:
    """How many rewrites were written to a file, and which bad rows were skipped."""

    count: int
    bad: tuple[FileError, ...]


@dataclass(frozen=True)
class FileJob:
    """A file to rewrite, and its output. Any process can run it: paths are absolute, and it can be pickled."""

    source: Source
    out: Path
    options: FileOptions
    skip_bad: bool

    @property
    def is_done(self) -> bool:
        assert self.source.path  # noqa: S101 - see `jobs_for`
        return self.out.exists() and self.out.stat().st_mtime_ns >= self.source.path.stat().st_mtime_ns

    def run(self, rewriter: Rewriter) -> FileReport:
        bad: dict[str, FileError] = {}  # rows are read several times
        note = (lambda error: bad.setdefault(str(error), error)) if self.skip_bad else None
        self.out.parent.mkdir(parents=True, exist_ok=True)
        count = rewrite_file(rewriter, self.source, self.out, self.options, on_bad=note)
        return FileReport(count, tuple(bad.values()))


def names_many(source: str) -> bool:
    """Whether this is a folder or a glob rather than the name of one file."""
    path = Path(source)
    return path.is_dir() or (has_magic(source) and not path.exists())


def jobs_for(
    source: str, out: Path, options: Callable[..., FileOptions], *, given: str | None = None, skip_bad: bool = False
) -> list[FileJob]:
    """A job for each file of a folder or a glob, sorted by name. `options(formats=...)` gives those of a file."""
    root, files = _found(source, given)
    if not files:
        raise FileError(source, "there is no file to rewrite; check the folder or the pattern")
    if out.resolve().is_relative_to(root.resolve()):
        raise FileError(out, f"the output must be outside {root}, or the next run would read it; name another folder")
    jobs = []
    for path in files:
        target = out.absolute() / path.relative_to(root)
        formats = formats_of(str(path), str(target), given)
        jobs.append(FileJob(Source(str(path), path.absolute()), target, options(formats=formats), skip_bad))
    return jobs


def left_of(jobs: Iterable[FileJob], out: Path, rewriter: Rewriter, *, force: bool = False) -> list[FileJob]:
    """The jobs that no earlier run has done; with `force`, all of them, whatever is in the folder."""
    jobs = list(jobs)
    settings = repr((made_from(rewriter, jobs[0].options), jobs[0].options.field))
    digest = hashlib.sha256(settings.encode()).hexdigest()
    mark = out / _DIGEST
    if out.exists() and not out.is_dir():
        raise FileError(out, "the output of many files must be a folder, but this is a file; name another")
    begun = mark.read_text(encoding="ascii") if mark.exists() else None
    if not force and begun != digest and out.is_dir() and any(out.iterdir()):
        held = "rewrites of another model, or with other settings" if begun else "other files"
        raise FileError(out, f"the folder must be empty or begun by this command, but holds {held}; use --force")
    out.mkdir(parents=True, exist_ok=True)
    mark.write_text(digest, encoding="ascii")
    return jobs if force else [job for job in jobs if not job.is_done]


def _found(source: str, given: str | None) -> tuple[Path, list[Path]]:
    """The folder that names are relative to, and its files. In a folder, files of unknown format are ignored."""
    root, pattern = Path(source), "**/*"
    known = given or not root.is_dir()
    if not root.is_dir():
        fixed = list(takewhile(lambda part: not has_magic(part), root.parts))
        root, pattern = Path(*fixed), str(Path(*root.parts[len(fixed) :]))
    files = sorted(path for path in root.glob(pattern) if path.is_file() and (known or known_format(path.name)))
    hidden = (".", "_")  # as engines name what they write beside their files
    return root, [path for path in files if not any(part.startswith(hidden) for part in path.relative_to(root).parts)]
