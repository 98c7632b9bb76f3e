"""`compare`: is system B really better than system A, or is it the choice of dialogues?

The test is a paired bootstrap (Koehn 2004), two-sided. Differences are centred, so by construction there is none; p is
the share of trials, the observed one included, that still show one at least as large as the observed. sacreBLEU counts
only larger ones, so there a system differs from itself at p = 0.001; and it centres the absolute differences, so any p
that is not small comes out too small.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from utterly.metrics.measure import Interval, Measure, Pairs, Score, measures
from utterly.metrics.resampling import RESAMPLES, interval, resampled_values
from utterly.metrics.words import Mode, splitting


@dataclass(frozen=True, slots=True)
class Difference:
    """B minus A on one metric."""

    a: Score
    b: Score
    p: float
    interval: Interval

    @property
    def value(self) -> float:
        return self.b.value - self.a.value

    def __str__(self) -> str:
        return f"{self.a.name} {self.a.value:.2f} -> {self.b.value:.2f} ({self.value:+.2f}, p = {self.p:.4f})"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same dialogues: differences by metric, and the number of trials in the test."""

    trials: int
    differences: Mapping[str, Difference]


def compare(
    predictions_a: Sequence[str],
    predictions_b: Sequence[str],
    references: Sequence[str],
    *,
    rng: np.random.Generator,
    sources: Sequence[str] | None = None,
    language: str | None = None,
    mode: Mode | str = Mode.PAPER,
    trials: int = RESAMPLES,
) -> Comparison:
    """Score two systems on the same references, and test every difference."""
    pairs_a, pairs_b = (Pairs(texts, references, sources) for texts in (predictions_a, predictions_b))
    how = splitting(mode, language or pairs_a.language)
    return compare_measures(measures(pairs_a, how), measures(pairs_b, how), rng=rng, trials=trials)


def compare_measures(
    a: Sequence[Measure], b: Sequence[Measure], *, rng: np.random.Generator, trials: int = RESAMPLES
) -> Comparison:
    """As `compare`, for two systems that are already measured."""
    scores = [(left.score(), right.score()) for left, right in zip(a, b, strict=True)]
    observed = np.array([right.value - left.value for left, right in scores])  # (measures,)
    of_a, of_b = resampled_values([a, b], rng, trials)
    drawn = of_b - of_a  # (trials, measures)
    # The order of a sum changes its last bits; a tie must stay a tie.
    as_large = np.abs(drawn - drawn.mean(axis=0)) >= np.abs(observed) - 1e-9
    p_values = (as_large.sum(axis=0) + 1) / (trials + 1)
    differences = {
        left.name: Difference(left, right, float(p), interval(column))
        for (left, right), p, column in zip(scores, p_values, drawn.T, strict=True)
    }
    return Comparison(trials, MappingProxyType(differences))
