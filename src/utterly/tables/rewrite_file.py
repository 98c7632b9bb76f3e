"""Rewrite the dialogues of a file: rows in, the same rows with their rewrites out, in order and in bounded memory.

Into a file this is resumable. What was answered is kept beside the output, a line a row with a digest of what was
asked; a run that finds such lines goes on after the last that still fits. In the end they are joined with the rows.
Into the standard output rows are written as they are answered.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from utterly import __version__
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.reading import OnBad
from utterly.errors import FileError, RewriterError
from utterly.files import PartialFile, resumed, written_whole
from utterly.rewriter import Rewrite, Rewriter
from utterly.tables.csv_rows import Csv
from utterly.tables.json_lines import json_lines
from utterly.tables.kinds import CSV, JSON_LINES, PARQUET, Kinds, Table, table_of
from utterly.tables.parquet import Parquet
from utterly.tables.rows import Answer, Row, answer_of
from utterly.tables.sources import Source

_DIGEST: Final = "row"

Progress = Callable[[Iterable[Row], int], Iterable[Row]]
"""Given the rows and their number, gives them on as they are taken."""


@dataclass(frozen=True, kw_only=True)
class Wish:
    """How dialogues are to be rewritten, and what is written of it."""

    one_by_one: bool = False  # answer each before the next is read; else several side by side
    n_best: int = 1
    min_confidence: float = 0.0
    everything: bool = False  # edits, alternatives, model and reason too

    def must_fit(self, kinds: Kinds) -> None:
        """Refuse to put into a cell what is a list."""
        if kinds.out != JSON_LINES and (self.everything or self.n_best > 1):
            raise RewriterError(
                f"edits and alternatives must be written as {JSON_LINES}, but the output is {kinds.out}; "
                "name it so, or ask for the best rewrite alone"
            )


def rewrite_file(
    rewriter: Rewriter,
    source: Source,
    out: Path,
    kinds: Kinds,
    wish: Wish,
    *,
    on_bad: OnBad | None = None,
    progress: Progress | None = None,
) -> int:
    """Write all rows of a source with their rewrites to a file; returns how many there are.

    Bad rows are found before the first is rewritten. Killed at any moment, the same call goes on where it stopped.
    """
    with source.kept() as kept:
        table = table_of(kinds, kept)
        total = sum(1 for _ in table.rows(on_bad=on_bad))
        with resumed(out, made_from=_made_from(rewriter, wish), finish=partial(_join, table, out, kinds)) as part:
            rows = table.rows(on_bad=on_bad)
            left = _left(part, iter(progress(rows, total) if progress else rows))
            for row, answer in _answered(rewriter, left, wish):
                part.write([json.dumps({_DIGEST: row.digest, **answer}, ensure_ascii=False)])
    return total


def rewrite_lines(
    rewriter: Rewriter, source: Source, kinds: Kinds, wish: Wish, *, on_bad: OnBad | None = None
) -> Iterator[str]:
    """The rows of a source with their rewrites, as lines; what is wrong with a row is raised after all before it."""
    with source.kept() if kinds.source == PARQUET else nullcontext(source) as kept:
        table = table_of(kinds, kept)
        rows = _HeldBack(table.rows(on_bad=on_bad))
        yield from _lines(table, kinds)(_answered(rewriter, rows, wish))
        if rows.error:
            raise rows.error


class _HeldBack:
    """Rows up to the first error, which is kept for later, unless there is no row before it."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows = rows
        self.error: FileError | None = None

    def __iter__(self) -> Iterator[Row]:
        some = False
        try:
            for row in self._rows:
                some = True
                yield row
        except FileError as error:
            if not some:
                raise
            self.error = error


def _answered(rewriter: Rewriter, rows: Iterable[Row], wish: Wish) -> Iterator[tuple[Row, Answer]]:
    waiting: deque[Row] = deque()  # no more than the rewriter holds at a time

    def dialogues() -> Iterator[Dialogue]:
        for row in rows:
            waiting.append(row)
            yield row.dialogue

    for rewrite in _rewrites(rewriter, dialogues(), wish):
        yield waiting.popleft(), answer_of(rewrite, alternatives=wish.n_best > 1, everything=wish.everything)


def _rewrites(rewriter: Rewriter, dialogues: Iterable[Dialogue], wish: Wish) -> Iterator[Rewrite]:
    if wish.one_by_one:
        return (rewriter.rewrite(each, n_best=wish.n_best, min_confidence=wish.min_confidence) for each in dialogues)
    return rewriter.rewrite_many(dialogues, n_best=wish.n_best, min_confidence=wish.min_confidence)


def _left(part: PartialFile, rows: Iterator[Row]) -> Iterator[Row]:
    """The rows that no earlier run has answered. Answers from the first on that do not fit their row are dropped."""
    for place, line in enumerate(part.lines()):
        row = next(rows, None)
        if row is None or _read_answer(line).get(_DIGEST) != row.digest:
            part.keep(place)
            return chain([row] if row else [], rows)
    return rows


def _join(table: Table, out: Path, kinds: Kinds, part: PartialFile) -> None:
    """Write the output: the rows with the answers that were kept."""
    answers = map(_read_answer, part.lines())
    if isinstance(table, Parquet) and kinds.out == PARQUET:
        table.write(out, answers)
        return
    rows = table.rows(on_bad=lambda _: None)
    answered = ((row, _without_digest(answer)) for row, answer in zip(rows, answers, strict=False))
    with written_whole(out) as file:
        file.writelines(_lines(table, kinds)(answered))


def _lines(table: Table, kinds: Kinds) -> Callable[[Iterable[tuple[Row, Answer]]], Iterator[str]]:
    return table.lines if isinstance(table, Csv) and kinds.out == CSV else json_lines


def _read_answer(line: str) -> Answer:
    try:
        answer = json.loads(line)
    except ValueError:  # the machine went down while it was written
        return {}
    return answer if isinstance(answer, dict) else {}


def _without_digest(answer: Answer) -> Answer:
    return {name: value for name, value in answer.items() if name != _DIGEST}


def _made_from(rewriter: Rewriter, wish: Wish) -> str:
    """All but the rows that decides what is answered: a model by its files."""
    files = [
        (model.name, file.name, file.stat().st_size, file.stat().st_mtime_ns)
        for model in rewriter.models
        for file in sorted(model.path.iterdir())
    ]
    return repr((__version__, wish.n_best, wish.min_confidence, wish.everything, files))
