"""Confidence intervals by the bootstrap: the corpus drawn again from itself, with replacement.

A resample is how often each pair was drawn, and its sums of statistics one product of matrices.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from utterly.errors import MetricsError
from utterly.metrics.measure import Interval, Measure

RESAMPLES: Final = 1000
LEVEL: Final = 0.95
_ROWS_AT_ONCE: Final = 256


def intervals(measures: Sequence[Measure], rng: np.random.Generator, resamples: int) -> list[Interval]:
    """The interval of each measure, all from the same resamples."""
    values = [
        np.stack([measure.values(draws @ measure.statistics) for measure in measures], axis=-1)
        for draws in bootstrap_draws(measures[0].settings.n, resamples, rng)
    ]  # each (some resamples, measures)
    return [interval(column) for column in np.concatenate(values).T]


def interval(values: NDArray[np.float64]) -> Interval:
    """The middle `LEVEL` of the values."""
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high), LEVEL)


def bootstrap_draws(pairs: int, resamples: int, rng: np.random.Generator) -> Iterator[NDArray[np.float64]]:
    """How often each pair is drawn: (resamples, pairs), some rows at a time."""
    for rows in rows_at_once(resamples):
        yield rng.multinomial(pairs, np.full(pairs, 1 / pairs), size=rows).astype(np.float64)


def rows_at_once(trials: int) -> Iterator[int]:
    """The trials in portions that fit into memory."""
    if trials < 1:
        raise MetricsError(f"the number of resamples must be at least 1, got {trials}; {RESAMPLES} is usual")
    for done in range(0, trials, _ROWS_AT_ONCE):
        yield min(_ROWS_AT_ONCE, trials - done)
