"""`side_by_side`: one or two systems' files against references, every rewrite with its loss and its kinds of error."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
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
    """What a system wrote, and what its file says about it."""

    text: str
    loss: float
    kinds: frozenset[ErrorKind]
    confidence: float | None
    edits: tuple[str, ...]  # a line each, as `explain` writes them; none if the file has none


@dataclass(frozen=True, slots=True)
class JudgedDialogue:
    dialogue: Dialogue  # with its target; without context if the references have none
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
    references: Path,
    *systems: Predictions,
    mode: Mode | str = Mode.PAPER,
    language: str | None = None,
    seed: int = 0,
) -> SideBySide:
    """Read, match and judge the rewrites of one or two systems."""
    matched = match_files(references, systems)
    pairs = [Pairs(texts, matched.references, matched.sources) for texts in matched.systems]
    how = splitting(mode, language or matched.language or pairs[0].language)
    dialogues = [_dialogue(row) for row in matched.rows[0]]
    judged = [
        _judged(dialogues, texts, rows, system, how)
        for texts, rows, system in zip(matched.systems, matched.rows[1:], systems, strict=True)
    ]
    taken = [_measures(each, rewrites, how) for each, rewrites in zip(pairs, judged, strict=True)]
    return SideBySide(
        references,
        systems,
        [JudgedDialogue(dialogue, rewrites) for dialogue, *rewrites in zip(dialogues, *judged, strict=True)],
        [{each.name: each.score() for each in of_system} for of_system in taken],
        compare_measures(*taken, rng=np.random.default_rng(seed)) if len(taken) > 1 else None,
        seed,
    )


def _dialogue(row: Fields) -> Dialogue:
    history = row.texts("history") if "history" in row else []
    return Dialogue.of(
        [*history, row.text("utterance")],
        row.text("rewrite"),
        language=row.optional_text("lang") or "",
        domain=row.optional_text("domain"),
        id=row.optional_text("id"),
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
        JudgedRewrite(text, loss, found, *(_said(row, dialogue, system) if system.field == "rewrite" else (None, ())))
        for text, loss, found, row, dialogue in columns
    ]


def _said(row: Fields, dialogue: Dialogue, system: Predictions) -> tuple[float | None, tuple[str, ...]]:
    """What `utterly rewrite --json` wrote beside a rewrite: its confidence and its edits."""
    confidence = row.values.get("confidence")
    edits: tuple[str, ...] = ()
    if dialogue.context and row.values.get("edits"):  # spans are of the context
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
