"""Rewrite the dialogues of a file: rows in, the same rows with their rewrites out, in order and in bounded memory.

Writing to a file can be resumed. Rewrites are stored beside the output, one line per row, with a digest of the
dialogue; a run that finds such lines continues after the last one that still fits. At the end they are joined with the
rows. To standard output, each row is written as soon as it is rewritten.

The source is read three times: to find bad rows, to rewrite, and to join. A rewrite is joined only with a row that has
its digest, so a source that changes in between is refused.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from utterly import __version__
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.reading import OnBad
from utterly.errors import RewriterError
from utterly.files import STANDARD_INPUT, PartialFile, Progress, check_output, resumed, written_whole
from utterly.rewriter import Rewriter
from utterly.tables.csv_rows import Csv
from utterly.tables.formats import CSV, JSON_LINES, PARQUET, Formats, Table, table_of
from utterly.tables.json_lines import json_lines
from utterly.tables.parquet import Parquet
from utterly.tables.rows import DIGEST, NewFields, Rewrites, Row, line_of, new_fields, read_line
from utterly.tables.source import Source


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """How to rewrite the dialogues of a file, and what to write."""

    formats: Formats
    field: str | None = None  # with the conversation; None: see `row_of`
    line_buffered: bool = False  # rewrite each row before reading the next, not several in parallel
    n_best: int = 1
    min_confidence: float | None = None
    everything: bool = False  # also edits, alternatives, model and reason

    def __post_init__(self) -> None:
        if self.formats.out != JSON_LINES and (self.everything or self.n_best > 1):
            raise RewriterError(
                f"edits and alternatives can only be written as {JSON_LINES}, but the output is {self.formats.out}; "
                "rename it, or ask for the best rewrite only"
            )


def rewrite_file(
    rewriter: Rewriter,
    source: Source,
    out: Path,
    options: FileOptions,
    *,
    replace: bool = True,
    on_bad: OnBad | None = None,
    progress: Progress[Row] | None = None,
) -> int:
    """Write all rows of a source with their rewrites to a file; returns how many.

    All bad rows are found before rewriting starts. If interrupted, the same call continues. Without `replace`, an
    existing output is an error.
    """
    check_output(out, inputs=[source.path or STANDARD_INPUT], replace=replace)
    with source.rereadable() as again:
        table = table_of(options.formats, again, options.field)
        total = sum(1 for _ in table.rows(on_bad=on_bad))
        finish = partial(_join, table, out, options.formats, replace)
        with resumed(out, made_from=made_from(rewriter, options), finish=finish, replace=replace) as done:
            rows = table.rows(on_bad=on_bad)
            left = _left(done, iter(progress(rows, total) if progress else rows))
            for row, new in _rewritten(rewriter, left, options):
                done.write([line_of(row, new)])
        return done.count


def rewrite_lines(
    rewriter: Rewriter, source: Source, options: FileOptions, *, on_bad: OnBad | None = None
) -> Iterator[str]:
    """The rows of a source with their rewrites, as lines; an error in a row is raised after all earlier rows."""
    with source.rereadable() if options.formats.source == PARQUET else nullcontext(source) as again:
        table = table_of(options.formats, again, options.field)
        yield from _lines(table, options.formats)(_rewritten(rewriter, table.rows(on_bad=on_bad), options))


def _rewritten(rewriter: Rewriter, rows: Iterable[Row], options: FileOptions) -> Iterator[tuple[Row, NewFields]]:
    waiting: deque[Row] = deque()  # as many as the rewriter works on at a time

    def dialogues() -> Iterator[Dialogue]:
        for row in rows:
            waiting.append(row)
            yield row.dialogue

    n_best, min_confidence = options.n_best, options.min_confidence
    one = partial(rewriter.rewrite, n_best=n_best, min_confidence=min_confidence)
    many = partial(rewriter.rewrite_many, n_best=n_best, min_confidence=min_confidence)
    for rewrite in map(one, dialogues()) if options.line_buffered else many(dialogues()):
        yield waiting.popleft(), new_fields(rewrite, alternatives=n_best > 1, everything=options.everything)


def _left(done: PartialFile, rows: Iterator[Row]) -> Iterator[Row]:
    """The rows that no earlier run has rewritten; drops stored lines from the first that does not fit its row."""
    for place, line in enumerate(done.lines()):
        row = next(rows, None)
        if row is None or read_line(line).get(DIGEST) != row.digest:
            done.keep(place)
            return chain([row] if row else [], rows)
    return rows


def _join(table: Table, out: Path, formats: Formats, replace: bool, done: PartialFile) -> None:
    """Write the rows with their rewrites to the output."""
    rewrites = Rewrites(table.source.name, done.lines())
    if isinstance(table, Parquet) and formats.out == PARQUET:
        table.write(out, rewrites, replace=replace)
        return
    with written_whole(out, replace=replace) as file:
        rows = table.rows(on_bad=lambda _: None)
        file.writelines(_lines(table, formats)(rewrites.joined_with(rows)))
        rewrites.check_end()


def _lines(table: Table, formats: Formats) -> Callable[[Iterable[tuple[Row, NewFields]]], Iterator[str]]:
    return table.lines if isinstance(table, Csv) and formats.out == CSV else json_lines


def made_from(rewriter: Rewriter, options: FileOptions) -> str:
    """Everything but the rows that determines the output: release, settings, device, and the files of the models."""
    files = [
        (model.name, file.name, file.stat().st_size, file.stat().st_mtime_ns)
        for model in rewriter.models
        for file in sorted(model.path.iterdir())
    ]
    return repr((__version__, rewriter.device, options.n_best, options.min_confidence, options.everything, files))
