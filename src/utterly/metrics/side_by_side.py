"""`side_by_side`: one or two systems' files against references, every rewrite with its loss and kinds of error."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.jsonl import dialogue_from_fields
from utterly.errors import EditError, MetricsError
from utterly.metrics.compare import Comparison, compare_measures
from utterly.metrics.errors import ErrorKind, error_kinds, losses
from utterly.metrics.files import Predictions, match_files
from utterly.metrics.measure import Measure, Pairs, Score, mean_measure, measures
from utterly.metrics.words import Mode, Splitting, splitting
from utterly.scripts.explain import explain
from utterly.scripts.serialize import script_from_json

_SHOWN: Final = ("BLEU-1", "BLEU-2", "BLEU-4", "ROUGE-L", "EM")


@dataclass(frozen=True, slots=True)
class JudgedRewrite:
    """A system's rewrite, with its errors and what its file says about it."""

    text: str
    loss: float
    kinds: frozenset[ErrorKind]
    confidence: float | None
    edits: tuple[str, ...]  # one line each, as `explain` writes them; empty if the file has none


@dataclass(frozen=True, slots=True)
class JudgedDialogue:
    dialogue: Dialogue  # with its target; no context if the references have none
    rewrites: list[JudgedRewrite]  # one per system


@dataclass(frozen=True, slots=True)
class SideBySide:
    """One or two systems on the same dialogues. Scores include the share of rewrites with each kind of error."""

    references: Path
    systems: tuple[Predictions, ...]
    dialogues: Sequence[JudgedDialogue]
    scores: Sequence[Mapping[str, Score]]  # one per system
    comparison: Comparison | None  # None for one system
    seed: int

    def count(self, kind: ErrorKind, system: int) -> int:
        return sum(kind in each.rewrites[system].kinds for each in self.dialogues)


def side_by_side(
    references: Path, *systems: Predictions, mode: Mode | str = Mode.PAPER, language: str | None = None, seed: int = 0
) -> SideBySide:
    """Read, match and judge the rewrites of one or two systems."""
    matched = match_files(references, systems)
    how = splitting(mode, language or matched.language or matched.pairs[0].language)
    dialogues = [
        dialogue_from_fields(row, row.texts("history") if "history" in row else []) for row in matched.reference_rows
    ]
    judged = [
        _judged(dialogues, pairs.predictions, rows, system, how)
        for pairs, rows, system in zip(matched.pairs, matched.prediction_rows, systems, strict=True)
    ]
    taken = [_measures(pairs, rewrites, how) for pairs, rewrites in zip(matched.pairs, judged, strict=True)]
    return SideBySide(
        references,
        systems,
        [JudgedDialogue(dialogue, rewrites) for dialogue, *rewrites in zip(dialogues, *judged, strict=True)],
        [{each.name: each.score() for each in of_system} for of_system in taken],
        compare_measures(*taken, rng=np.random.default_rng(seed)) if len(taken) > 1 else None,
        seed,
    )


def _judged(
    dialogues: Sequence[Dialogue], texts: Sequence[str], rows: Sequence[Fields], system: Predictions, how: Splitting
) -> list[JudgedRewrite]:
    sources = [how.reference_words(dialogue.source.text) for dialogue in dialogues]
    targets = [how.reference_words(dialogue.target.text if dialogue.target else "") for dialogue in dialogues]
    rewrites = [how.reference_words(text) for text in texts]
    kinds = map(error_kinds, sources, targets, rewrites)
    columns = zip(texts, losses(rewrites, targets).tolist(), kinds, rows, dialogues, strict=True)
    return [
        JudgedRewrite(text, loss, found, *_details(row, dialogue, system))
        for text, loss, found, row, dialogue in columns
    ]


def _details(row: Fields, dialogue: Dialogue, system: Predictions) -> tuple[float | None, tuple[str, ...]]:
    """The confidence and edits that `utterly rewrite --json` wrote beside a rewrite."""
    if system.field != "rewrite":
        return None, ()
    confidence = row.values.get("confidence")
    edits: tuple[str, ...] = ()
    if dialogue.context and row.values.get("edits"):  # spans point into the context
        try:
            edits = tuple(explain(script_from_json(row.values["edits"], dialogue)).splitlines())
        except EditError as wrong:
            name = dialogue.id or dialogue.source.text[:60]
            raise MetricsError(
                f"{system.path}: the 'edits' of {name!r} must fit the reference's dialogue: {wrong}"
            ) from None
    return float(confidence) if isinstance(confidence, int | float) else None, edits


def _measures(pairs: Pairs, rewrites: Sequence[JudgedRewrite], how: Splitting) -> list[Measure]:
    """The metrics to show, then the share of rewrites with each kind of error."""
    metrics = {each.name: each for each in measures(pairs, how)}
    settings = metrics["EM"].settings
    shares = [mean_measure(kind, np.array([kind in each.kinds for each in rewrites]), settings) for kind in ErrorKind]
    return [*(metrics[name] for name in _SHOWN), *shares]
