"""`score_files`: a system's file against a file of references.

    references    utterance and rewrite; lang, domain and id are optional
    predictions   the field that holds the prediction; id is optional

Lines are matched by id if every line of every file has one, else by their order. Other fields are ignored, so one
file can be both: its `utterance` predicts that nothing needs rewriting. Its `rewrite` cannot be both, nor can what
`utterly rewrite` wrote be a reference: its `rewrite` is a model's.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.dialogues.fields import Fields
from utterly.dialogues.jsonl import correct_rewrite
from utterly.dialogues.language import CHINESE, ENGLISH
from utterly.dialogues.reading import Record, read_records
from utterly.errors import FileError
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
    """The scores of `predictions`, and what made them."""

    references: Path
    predictions: Predictions
    matched_by: str  # "id" or "order"
    seed: int | None  # of the intervals; None without
    report: Report

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
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
    report = evaluate(
        matched.systems[0],
        matched.references,
        sources=matched.sources,
        domains=matched.domains,
        language=language or matched.language,
        mode=mode,
        roles=roles,
        rng=np.random.default_rng(seed) if intervals else None,
    )
    return FileScores(references, predictions, matched.by, seed if intervals else None, report)


@dataclass(frozen=True, slots=True)
class Matched:
    """Everything a score needs, in the order of the references; one list of predictions per system."""

    systems: tuple[list[str], ...]
    references: list[str]
    sources: list[str]
    domains: list[str] | None  # None if no reference has one
    language: str | None  # None unless all references name the same, for which there are words
    by: str  # "id" or "order"
    rows: tuple[list[Fields], ...] = field(default=(), compare=False)  # as read: the references', then each system's


def match_files(references: Path, systems: Sequence[Predictions]) -> Matched:
    """Read the references, and each system's prediction for every one of them."""
    for system in systems:
        _must_not_be_the_references(system, references)
    gold = _read(references, _reference)
    files = [_read(system.path, _prediction(system.field)) for system in systems]
    if not gold.lines:
        raise FileError(references, "must have at least one reference to score against, but has none; check the file")
    by_id = all(line.id is not None for file in (gold, *files) for line in file.lines)
    others = [_in_order(gold, file, by_id=by_id) for file in files]
    languages = {line.language for line in gold.lines}
    domains = [line.domain or NO_DOMAIN for line in gold.lines]
    return Matched(
        systems=tuple([line.text for line in lines] for lines in others),
        references=[line.text for line in gold.lines],
        sources=[line.source for line in gold.lines],
        domains=domains if set(domains) != {NO_DOMAIN} else None,
        language=languages.pop() if languages in ({ENGLISH}, {CHINESE}) else None,
        by="id" if by_id else "order",
        rows=tuple([line.fields for line in lines] for lines in (gold.lines, *others)),
    )


def _must_not_be_the_references(system: Predictions, references: Path) -> None:
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
    source: str = ""
    domain: str | None = None
    language: str | None = None


class _File(NamedTuple):
    path: Path
    lines: Sequence[_Line]


def _read(path: Path, line_of: Callable[[Record], _Line]) -> _File:
    return _File(path, list(read_records(path, lambda record: [line_of(record)], None)))


def _reference(record: Record) -> _Line:
    fields = Fields.parsed(record.text)
    correct_rewrite(fields)  # refuses a model's
    language = fields.optional_text("lang")
    dialogue = Dialogue.of(
        [fields.text("utterance")],
        target := fields.text(_REFERENCE),
        language=language or "",
        domain=fields.optional_text("domain"),
        id=fields.optional_text("id"),
    )
    source, domain = dialogue.source.text, dialogue.domain
    split_as = CHINESE if language == CHINESE else ENGLISH  # as any other language
    return _Line(record.line, dialogue.id, fields, target, source, domain, split_as if language else None)


def _prediction(field: str) -> Callable[[Record], _Line]:
    def line_of(record: Record) -> _Line:
        fields = Fields.parsed(record.text)
        return _Line(record.line, fields.optional_text("id"), fields, Turn(fields.text(field)).text)

    return line_of


def _in_order(gold: _File, other: _File, *, by_id: bool) -> Sequence[_Line]:
    """The lines of a file in the order of the references: every line must have its partner."""
    if by_id:
        wanted, found = ({line.id: line for line in file.lines} for file in (gold, other))
        _must_have_partners(gold, found, other.path, "predict it, or leave the reference out")
        _must_have_partners(other, wanted, gold.path, "add its reference, or leave the prediction out")
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


def _must_have_partners(file: _File, ids: Container[str | None], other: Path, advice: str) -> None:
    alone = [line for line in file.lines if line.id not in ids]
    if alone:
        more = f", nor are {len(alone) - 1} more" if len(alone) > 1 else ""
        problem = f"the id {alone[0].id!r} must also be in {other}, but is not{more}; {advice}"
        raise FileError(file.path, problem, line=alone[0].number)
