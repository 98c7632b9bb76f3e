"""`score_files`: one or two systems' files against a file of references.

    references    utterance and rewrite; lang, domain and id are optional
    predictions   the field that holds the prediction; id is optional

Lines are matched by id if every line of every file has one, else by their order. Other fields are ignored, so one
file can be both: its `utterance` predicts that nothing needs rewriting. Its `rewrite` cannot be both, nor can what
`utterly rewrite` wrote be a reference: its `rewrite` is a model's.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.dialogues.fields import Fields
from utterly.dialogues.jsonl import correct_rewrite
from utterly.dialogues.reading import OnBad, Record, read_records
from utterly.errors import FileError
from utterly.files import numbered_raw_lines
from utterly.metrics.compare import Comparison, compare
from utterly.metrics.report import Report, evaluate
from utterly.metrics.resampling import RESAMPLES
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
    """The scores of `predictions` and, if there is a second system (`against`), how it differs."""

    references: Path
    predictions: Predictions
    against: Predictions | None
    matched_by: str  # "id" or "order"
    seed: int | None  # None if nothing was resampled
    report: Report
    comparison: Comparison | None

    def to_dict(self) -> dict[str, object]:
        """For JSON; null for what was not asked for."""
        return {
            "references": str(self.references),
            "predictions": self.predictions.to_dict(),
            "compare": self.against and self.against.to_dict(),
            "matched_by": self.matched_by,
            "resampling": None if self.seed is None else {"seed": self.seed, "resamples": RESAMPLES},
            "report": self.report.to_dict(),
            "comparison": self.comparison and self.comparison.to_dict(),
        }


def score_files(
    references: Path,
    predictions: Predictions,
    against: Predictions | None = None,
    *,
    mode: Mode | str = Mode.PAPER,
    language: str | None = None,
    intervals: bool = False,
    seed: int = 0,
    on_bad: OnBad | None = None,
) -> FileScores:
    """Read, match and score. Intervals and comparison both start from the seed, so neither changes the other."""
    systems = [predictions] if against is None else [predictions, against]
    matched = match_files(references, systems, on_bad=on_bad)
    language = language or matched.language
    report = evaluate(
        matched.systems[0],
        matched.references,
        sources=matched.sources,
        domains=matched.domains,
        language=language,
        mode=mode,
        rng=np.random.default_rng(seed) if intervals else None,
    )
    comparison = None
    if against is not None:
        comparison = compare(
            matched.systems[0],
            matched.systems[1],
            matched.references,
            sources=matched.sources,
            language=language,
            mode=mode,
            rng=np.random.default_rng(seed),
        )
    resampled = intervals or comparison is not None
    return FileScores(references, predictions, against, matched.by, seed if resampled else None, report, comparison)


@dataclass(frozen=True, slots=True)
class Matched:
    """Everything a score needs, in the order of the references; one list of predictions per system."""

    systems: tuple[list[str], ...]
    references: list[str]
    sources: list[str]
    domains: list[str] | None  # None if no reference has one
    language: str | None  # None unless all references name the same
    by: str  # "id" or "order"
    rows: tuple[list[Fields], ...] = field(default=(), compare=False)  # as read: the references', then each system's


def match_files(references: Path, systems: Sequence[Predictions], *, on_bad: OnBad | None = None) -> Matched:
    """Read the references, and each system's prediction for every one of them.

    A bad line is raised, or given to `on_bad` and left out together with its partners in the other
    files. A missing line is always raised.
    """
    for system in systems:
        _must_not_be_the_references(system, references)
    gold = _read(references, _reference, on_bad)
    others = [_read(system.path, _prediction(system.field), on_bad) for system in systems]
    by_id = all(line.id is not None for file in (gold, *others) for line in file.lines.values())
    if by_id:
        gold, others = gold.by_id(), [file.by_id() for file in others]
    for file in others:
        _check_partners(gold, file, by_id=by_id)
    keys = [key for key in gold.lines if all(key in file.lines for file in others)]
    if not keys:
        raise FileError(references, "must have at least one reference to score against, but has none; check the file")
    lines = [gold.lines[key] for key in keys]
    languages = {line.language for line in lines}
    return Matched(
        systems=tuple([file.lines[key].text for key in keys] for file in others),
        references=[line.text for line in lines],
        sources=[line.source for line in lines],
        domains=[line.domain or NO_DOMAIN for line in lines] if any(line.domain for line in lines) else None,
        language=languages.pop() if len(languages) == 1 else None,
        by="id" if by_id else "order",
        rows=tuple([file.lines[key].fields for key in keys] for file in (gold, *others)),
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
    place: int  # among the lines that are not blank, from 1
    number: int
    id: str | None
    fields: Fields
    text: str  # the reference, or the prediction
    source: str = ""
    domain: str | None = None
    language: str | None = None


class _File(NamedTuple):
    path: Path
    lines: Mapping[str | int, _Line]  # by place, or by id
    bad: int  # lines left out

    def by_id(self) -> "_File":
        return self._replace(lines={line.id: line for line in self.lines.values() if line.id is not None})


def _read(path: Path, line_of: Callable[[Record], _Line], on_bad: OnBad | None) -> _File:
    bad: list[FileError] = []

    def skip(error: FileError) -> None:
        if on_bad is None:
            raise error
        bad.append(error)
        on_bad(error)

    def read(record: Record) -> Iterator[_Line]:
        yield line_of(record)

    lines = read_records(path, numbered_raw_lines(path), read, skip)
    return _File(path, {line.place: line for line in lines}, len(bad))


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
    return _Line(record.number, record.line, dialogue.id, fields, target, source, domain, language or None)


def _prediction(field: str) -> Callable[[Record], _Line]:
    def line_of(record: Record) -> _Line:
        fields = Fields.parsed(record.text)
        return _Line(record.number, record.line, fields.optional_text("id"), fields, Turn(fields.text(field)).text)

    return line_of


def _check_partners(gold: _File, other: _File, *, by_id: bool) -> None:
    """Every line must have its partner, except for as many as were left out: those may be the partners."""
    only_gold = [line for key, line in gold.lines.items() if key not in other.lines]
    only_other = [line for key, line in other.lines.items() if key not in gold.lines]
    missing, extra = len(only_gold) > other.bad, len(only_other) > gold.bad
    if by_id and missing:
        raise _without_partner(gold, only_gold, other, "predict it, or leave the reference out")
    if by_id and extra:
        raise _without_partner(other, only_other, gold, "add its reference, or leave the prediction out")
    if not by_id and (missing or extra):
        raise FileError(
            other.path,
            f"must have a line for each line of {gold.path}, but has {len(other.lines) + other.bad} for "
            f"{len(gold.lines) + gold.bad}; predict every one in the same order, or give all lines of both an 'id'",
        )
    for key, line in other.lines.items() if not by_id else ():
        wanted = gold.lines[key].id if key in gold.lines else None
        if None not in (wanted, line.id) and wanted != line.id:
            raise FileError(
                other.path,
                f"not all lines have an 'id', so they must be in the order of {gold.path}, but {line.id!r} is here "
                f"and {wanted!r} there; sort the lines, or give all lines of both an 'id'",
                line=line.number,
            )


def _without_partner(file: _File, alone: Sequence[_Line], other: _File, advice: str) -> FileError:
    line = alone[0]
    more = f", nor are {len(alone) - 1} more" if len(alone) > 1 else ""
    return FileError(
        file.path, f"the id {line.id!r} must also be in {other.path}, but is not{more}; {advice}", line=line.number
    )
