"""`score_files`: a system's file against a file of references.

    references    utterance and rewrite; lang, domain and id are optional
    predictions   the field with the prediction; id is optional

Lines are matched by id if every line of every file has one, else by order. Other fields are ignored, so one file can be
both: its `utterance` predicts that nothing needs rewriting. Its `rewrite` cannot be both, and what
`utterly rewrite` writes cannot be a reference: its `rewrite` is a model's.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from utterly.dialogues.dialogue import Turn
from utterly.dialogues.fields import Fields
from utterly.dialogues.jsonl import dialogue_from_fields
from utterly.dialogues.language import CHINESE, ENGLISH
from utterly.dialogues.reading import Record, read_records
from utterly.errors import FileError
from utterly.metrics.measure import Pairs
from utterly.metrics.report import Report, evaluate
from utterly.metrics.resampling import RESAMPLES
from utterly.metrics.roles import RoleLabeller
from utterly.metrics.words import Mode

NO_DOMAIN: Final = "(none)"
_REFERENCE: Final = "rewrite"


class Predictions(NamedTuple):
    """A file, and the field that holds a system's rewrites."""

    path: Path
    field: str = _REFERENCE

    def __str__(self) -> str:
        return f"{self.path}, field {self.field!r}"

    def to_dict(self) -> dict[str, str]:
        return {"file": str(self.path), "field": self.field}


@dataclass(frozen=True, slots=True)
class FileScores:
    """The scores of `predictions`, and how they were computed."""

    references: Path
    predictions: Predictions
    matched_by: str  # "id" or "order"
    seed: int | None  # of the intervals; None if there are none
    report: Report

    def to_dict(self) -> dict[str, object]:
        return {
            "references": str(self.references),
            "predictions": self.predictions.to_dict(),
            "matched_by": self.matched_by,
            "resampling": None if self.seed is None else {"seed": self.seed, "resamples": RESAMPLES},
            "report": self.report.to_dict(),
        }


def score_files(
    references: Path,
    predictions: Predictions,
    *,
    mode: Mode | str = Mode.PAPER,
    language: str | None = None,
    roles: RoleLabeller | None = None,
    intervals: bool = False,
    seed: int = 0,
) -> FileScores:
    """Read, match and score."""
    matched = match_files(references, [predictions])
    (pairs,) = matched.pairs
    report = evaluate(
        pairs.predictions,
        pairs.references,
        sources=pairs.sources,
        domains=pairs.domains,
        language=language or matched.language,
        mode=mode,
        roles=roles,
        rng=np.random.default_rng(seed) if intervals else None,
    )
    return FileScores(references, predictions, matched.by, seed if intervals else None, report)


@dataclass(frozen=True, slots=True)
class Matched:
    """The pairs of each system, in the order of the references."""

    pairs: tuple[Pairs, ...]
    language: str | None  # None unless every reference has one, and all are split into words the same way
    by: str  # "id" or "order"
    reference_rows: list[Fields]
    prediction_rows: tuple[list[Fields], ...]  # one list per system


def match_files(references: Path, systems: Sequence[Predictions]) -> Matched:
    """Read the references, and each system's prediction for every one of them."""
    for system in systems:
        _check_not_references(system, references)
    gold = _read(references, _REFERENCE, check=partial(dialogue_from_fields, history=()))
    files = [_read(system.path, system.field) for system in systems]
    if not gold.lines:
        raise FileError(references, "must have at least one reference to score against, but has none; check the file")
    by_id = all(line.id is not None for file in (gold, *files) for line in file.lines)
    others = [_in_order(gold, file, by_id=by_id) for file in files]
    rows = [line.fields for line in gold.lines]
    languages = {row.optional_text("lang") for row in rows}
    split_as = {CHINESE if language == CHINESE else ENGLISH for language in languages}
    domains = [row.optional_text("domain") or NO_DOMAIN for row in rows]
    shared = (
        [line.text for line in gold.lines],
        [row.text("utterance") for row in rows],
        domains if set(domains) != {NO_DOMAIN} else None,
    )
    return Matched(
        pairs=tuple(Pairs([line.text for line in lines], *shared) for lines in others),
        language=split_as.pop() if all(languages) and len(split_as) == 1 else None,
        by="id" if by_id else "order",
        reference_rows=rows,
        prediction_rows=tuple([line.fields for line in lines] for lines in others),
    )


def _check_not_references(system: Predictions, references: Path) -> None:
    same = system.path.exists() and references.exists() and system.path.samefile(references)
    if same and system.field == _REFERENCE:
        raise FileError(
            system.path,
            f"predictions must not be the references, but both are the field {_REFERENCE!r} of the same file; "
            "give the file with the correct rewrites as references, or name the field of the predictions",
        )


class _Line(NamedTuple):
    number: int
    id: str | None
    fields: Fields
    text: str  # the reference, or the prediction


class _File(NamedTuple):
    path: Path
    lines: Sequence[_Line]


def _read(path: Path, field: str, check: Callable[[Fields], object] = lambda _: None) -> _File:
    def read(record: Record) -> Iterator[_Line]:
        fields = Fields.parsed(record.text)
        check(fields)
        yield _Line(record.line, fields.optional_text("id"), fields, Turn(fields.text(field)).text)

    return _File(path, list(read_records(path, read, None)))


def _in_order(gold: _File, other: _File, *, by_id: bool) -> Sequence[_Line]:
    """The lines of a file in the order of the references; each line must match exactly one reference."""
    if by_id:
        wanted, found = ({line.id: line for line in file.lines} for file in (gold, other))
        _check_ids(gold, found, other.path, "predict it, or leave the reference out")
        _check_ids(other, wanted, gold.path, "add its reference, or leave the prediction out")
        return [found[line.id] for line in gold.lines]
    if len(gold.lines) != len(other.lines):
        raise FileError(
            other.path,
            f"must have a line for each line of {gold.path}, but has {len(other.lines)} for {len(gold.lines)}; "
            "predict every one in the same order, or give all lines of both an 'id'",
        )
    for reference, line in zip(gold.lines, other.lines, strict=True):
        if None not in (reference.id, line.id) and reference.id != line.id:
            raise FileError(
                other.path,
                f"not all lines have an 'id', so they must be in the order of {gold.path}, but {line.id!r} is here "
                f"and {reference.id!r} there; sort the lines, or give all lines of both an 'id'",
                line=line.number,
            )
    return other.lines


def _check_ids(file: _File, ids: Container[str | None], other: Path, advice: str) -> None:
    unmatched = [line for line in file.lines if line.id not in ids]
    if unmatched:
        more = f", nor are {len(unmatched) - 1} more" if len(unmatched) > 1 else ""
        problem = f"the id {unmatched[0].id!r} must also be in {other}, but is not{more}; {advice}"
        raise FileError(file.path, problem, line=unmatched[0].number)
