"""`score_files`: one system's file, or two, against a file of references, with all that made the numbers."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from utterly.dialogues.reading import OnBad
from utterly.metrics.matching import Predictions, match_files
from utterly.metrics.modes import Mode
from utterly.metrics.report import Report, evaluate
from utterly.metrics.resampling import RESAMPLES
from utterly.metrics.significance import Comparison, compare


@dataclass(frozen=True, slots=True)
class FileScores:
    """The scores of `predictions`, and how a second system (`against`) differs from it, where there is one."""

    references: Path
    predictions: Predictions
    against: Predictions | None
    matched_by: str  # "id" or "order"
    seed: int | None  # None where nothing was resampled
    report: Report
    comparison: Comparison | None

    def to_dict(self) -> dict[str, object]:
        """For JSON; what was not asked for is null."""
        return {
            "references": str(self.references),
            "predictions": _plain(self.predictions),
            "compare": self.against and _plain(self.against),
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
    """Read, match and score. Intervals and comparison each start from the seed, so neither moves the other."""
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


def _plain(predictions: Predictions) -> dict[str, str]:
    return {"file": str(predictions.path), "field": predictions.field}
