"""`Measure`: a metric taken on a corpus, as statistics of each pair and a formula on their sums.

All metrics have this form, so that a domain is a choice of rows and a resample another weighting.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from utterly.metrics import restoration
from utterly.metrics.bleu import MAX_ORDER, bleu, bleu_statistics
from utterly.metrics.modes import Reading
from utterly.metrics.pairs import Pairs
from utterly.metrics.rouge import VARIANTS, rouge_f1
from utterly.metrics.score import Interval, Score, Settings

Formula = Callable[[NDArray[Any]], NDArray[np.float64]]


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    name: str
    statistics: NDArray[Any]  # (pairs, columns)
    formula: Formula  # (..., columns) to (...), 0 to 1
    settings: Settings

    def of(self, rows: NDArray[np.intp]) -> Self:
        """The same measure on some of the pairs."""
        return replace(self, statistics=self.statistics[rows], settings=replace(self.settings, n=len(rows)))

    def values(self, sums: NDArray[Any]) -> NDArray[np.float64]:
        """0 to 100, for each row of sums."""
        return 100.0 * self.formula(sums)

    def score(self, interval: Interval | None = None) -> Score:
        return Score(self.name, float(self.values(self.statistics.sum(axis=0))), self.settings, interval)


def measured(pairs: Pairs, how: Reading) -> tuple[Measure, ...]:
    """Every metric that the texts allow: restoration needs the sources."""
    hypotheses = [how.hypothesis_words(text) for text in pairs.predictions]
    wanted = [how.reference_words(text) for text in pairs.references]
    settings = Settings(mode=how.mode, words=how.words, case=how.case, n=len(wanted))
    measures = [
        *_bleus(hypotheses, wanted, settings, how),
        *_rouges(hypotheses, wanted, settings),
        _exact_match(hypotheses, wanted, settings),
    ]
    if pairs.sources is not None:
        given = [how.reference_words(text) for text in pairs.sources]
        measures += _restorations(hypotheses, wanted, given, settings)
    return tuple(measures)


def _bleus(hypotheses: list[list[str]], references: list[list[str]], settings: Settings, how: Reading) -> list[Measure]:
    statistics = bleu_statistics(hypotheses, references, least_total=how.least_total)
    return [
        Measure(
            f"BLEU-{order}",
            statistics,
            partial(bleu, order=order, smoothing=how.smoothing),
            replace(settings, order=order, smooth=how.smoothing),
        )
        for order in range(1, MAX_ORDER + 1)
    ]


def _rouges(hypotheses: list[list[str]], references: list[list[str]], settings: Settings) -> list[Measure]:
    scores = rouge_f1(hypotheses, references)
    settings = replace(settings, variant="rouge-1.0.1-f1")
    return [
        Measure(f"ROUGE-{variant}", _with_ones(column), _mean, settings)
        for variant, column in zip(VARIANTS, scores.T, strict=True)
    ]


def _exact_match(hypotheses: list[list[str]], references: list[list[str]], settings: Settings) -> Measure:
    hits = [left == right for left, right in zip(hypotheses, references, strict=True)]
    return Measure("EM", _with_ones(np.array(hits, dtype=np.float64)), _mean, settings)


def _restorations(
    hypotheses: list[list[str]], references: list[list[str]], sources: list[list[str]], settings: Settings
) -> list[Measure]:
    statistics = restoration.restoration_statistics(hypotheses, references, sources)
    formulas = {"P": restoration.precision, "R": restoration.recall, "F": restoration.f_score}
    return [
        Measure(f"restoration-{letter}{order}", statistics[:, place], formula, settings)
        for place, order in enumerate(restoration.ORDERS)
        for letter, formula in formulas.items()
    ]


def _with_ones(column: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([column, np.ones_like(column)], axis=-1)


def _mean(sums: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(sums[..., 0] / sums[..., 1])
