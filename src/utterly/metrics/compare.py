"""`compare`: is system B really better than system A, or is it the choice of dialogues?

Both tests are two-sided: p is the share of trials, the observed one included, whose difference is at least
as large as the observed one although there is none by construction. sacreBLEU counts only larger ones, so
that there a system differs from itself at p = 0.001, and its bootstrap centres the differences after taking
their absolute values, which makes p too small where it is not small; its randomisation agrees with ours.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from utterly.errors import MetricsError
from utterly.metrics.measure import Interval, Measure, Pairs, Score, measures
from utterly.metrics.resampling import RESAMPLES, bootstrap_draws, interval, rows_at_once
from utterly.metrics.words import Mode, splitting


class PairedTest(StrEnum):
    """How the world without a difference is made."""

    BOOTSTRAP = "bootstrap"  # resample the dialogues, centre the differences (Koehn 2004)
    RANDOMISATION = "randomisation"  # swap the systems' outputs at random (Riezler & Maxwell 2005)


@dataclass(frozen=True, slots=True)
class Difference:
    """B minus A on one metric. Only the bootstrap gives an interval."""

    a: Score
    b: Score
    p: float
    interval: Interval | None = None

    @property
    def value(self) -> float:
        return self.b.value - self.a.value

    def __str__(self) -> str:
        return f"{self.a.name} {self.a.value:.2f} -> {self.b.value:.2f} ({self.value:+.2f}, p = {self.p:.4f})"

    def to_dict(self) -> dict[str, object]:
        """For JSON; without `interval` if there is none."""
        plain = {"a": self.a.to_dict(), "b": self.b.to_dict(), "difference": self.value, "p": self.p}
        return plain | ({"interval": asdict(self.interval)} if self.interval else {})


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same dialogues: differences by metric, and the test that judged them."""

    test: PairedTest
    trials: int
    differences: Mapping[str, Difference]

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "test": str(self.test),
            "trials": self.trials,
            "differences": {name: difference.to_dict() for name, difference in self.differences.items()},
        }


def compare(
    predictions_a: Sequence[str],
    predictions_b: Sequence[str],
    references: Sequence[str],
    *,
    rng: np.random.Generator,
    sources: Sequence[str] | None = None,
    language: str | None = None,
    mode: Mode | str = Mode.PAPER,
    test: PairedTest | str = PairedTest.BOOTSTRAP,
    trials: int = RESAMPLES,
) -> Comparison:
    """Score two systems on the same references and test every difference."""
    pairs_a, pairs_b = (Pairs(texts, references, sources) for texts in (predictions_a, predictions_b))
    how = splitting(mode, language or pairs_a.language)
    return compare_measures(measures(pairs_a, how), measures(pairs_b, how), rng=rng, test=test, trials=trials)


def compare_measures(
    a: Sequence[Measure],
    b: Sequence[Measure],
    *,
    rng: np.random.Generator,
    test: PairedTest | str = PairedTest.BOOTSTRAP,
    trials: int = RESAMPLES,
) -> Comparison:
    """The same, for two systems that were measured already."""
    try:
        test = PairedTest(test)
    except ValueError:
        raise MetricsError(f"no paired test called {test!r}; known tests: {', '.join(PairedTest)}") from None
    scores = [(left.score(), right.score()) for left, right in zip(a, b, strict=True)]
    observed = np.array([right.value - left.value for left, right in scores])  # (measures,)
    if test is PairedTest.BOOTSTRAP:
        drawn = np.concatenate(list(_resampled_differences(a, b, trials, rng)))  # (trials, measures)
        null = drawn - drawn.mean(axis=0)
        spread: list[Interval | None] = [interval(column) for column in drawn.T]
    else:
        null = np.concatenate(list(_swapped_differences(a, b, trials, rng)))
        spread = [None] * len(scores)
    # Sums in another order differ in the last bits; a tie is a tie.
    as_large = np.abs(null) >= np.abs(observed) - 1e-9
    p_values = (as_large.sum(axis=0) + 1) / (len(null) + 1)
    differences = {
        left.name: Difference(left, right, float(p), found)
        for (left, right), p, found in zip(scores, p_values, spread, strict=True)
    }
    return Comparison(test, trials, MappingProxyType(differences))


def _resampled_differences(
    a: Sequence[Measure], b: Sequence[Measure], trials: int, rng: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    for draws in bootstrap_draws(a[0].settings.n, trials, rng):
        yield np.stack(
            [
                right.values(draws @ right.statistics) - left.values(draws @ left.statistics)
                for left, right in zip(a, b, strict=True)
            ],
            axis=-1,
        )


def _swapped_differences(
    a: Sequence[Measure], b: Sequence[Measure], trials: int, rng: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    for rows in rows_at_once(trials):
        swaps = rng.integers(2, size=(rows, a[0].settings.n)).astype(np.float64)
        columns = []
        for left, right in zip(a, b, strict=True):
            moved = swaps @ (right.statistics - left.statistics)
            of_a, of_b = left.statistics.sum(axis=0) + moved, right.statistics.sum(axis=0) - moved
            columns.append(right.values(of_b) - left.values(of_a))
        yield np.stack(columns, axis=-1)
