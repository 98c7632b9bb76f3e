"""The bootstrap: resamples of the corpus, drawn from it with replacement.

A resample is how often each pair was drawn, so its sums of statistics are one matrix product.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from utterly.errors import MetricsError
from utterly.metrics.measure import Interval, Measure

RESAMPLES: Final = 1000
LEVEL: Final = 0.95
_ROWS_AT_ONCE: Final = 256  # resamples in memory


def intervals(measures: Sequence[Measure], rng: np.random.Generator, resamples: int) -> list[Interval]:
    """The confidence interval of each measure, all from the same resamples."""
    (values,) = resampled_values([measures], rng, resamples)
    return [interval(column) for column in values.T]


def interval(values: NDArray[np.float64]) -> Interval:
    """The middle `LEVEL` of the values."""
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high), LEVEL)


def resampled_values(
    systems: Sequence[Sequence[Measure]], rng: np.random.Generator, resamples: int
) -> NDArray[np.float64]:
    """The value of each measure of each system, all on the same resamples: (systems, resamples, measures)."""
    if resamples < 1:
        raise MetricsError(f"the number of resamples must be at least 1, got {resamples}; {RESAMPLES} is usual")
    pairs = systems[0][0].settings.n
    values = []
    for done in range(0, resamples, _ROWS_AT_ONCE):
        rows = min(_ROWS_AT_ONCE, resamples - done)
        draws = rng.multinomial(pairs, np.full(pairs, 1 / pairs), size=rows).astype(np.float64)  # (rows, pairs)
        values.append([[each.values(draws @ each.statistics) for each in measures] for measures in systems])
    return np.concatenate(values, axis=-1).swapaxes(1, 2)
