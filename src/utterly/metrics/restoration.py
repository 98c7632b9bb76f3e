"""Restoration: how much of what the source leaves out does the rewrite put back?

Only n-grams with at least one word that is not in the source count, hypothesis against reference, each as often as it
occurs, summed over the corpus (Pan et al. 2019). Words that the source has, kept or moved, earn nothing by themselves.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from utterly.metrics.bleu import ngrams

ORDERS: Final = (1, 2, 3)


def restoration_statistics(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], sources: Sequence[Sequence[str]]
) -> NDArray[np.int64]:
    """The `overlap` of restored n-grams: (pairs, orders, 3)."""
    rows = [
        [overlap(_restored(hypothesis, source, order), _restored(reference, source, order)) for order in ORDERS]
        for hypothesis, reference, source in zip(hypotheses, references, map(frozenset, sources), strict=True)
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, len(ORDERS), 3)


def _restored(words: Sequence[str], source: frozenset[str], order: int) -> Iterator[tuple[str, ...]]:
    return (ngram for ngram in ngrams(words, order) if not source.issuperset(ngram))


def overlap(found: Iterable[Hashable], wanted: Iterable[Hashable]) -> tuple[int, int, int]:
    """How many are in both, found, and wanted; each counts as often as it occurs."""
    left, right = Counter(found), Counter(wanted)
    return (left & right).total(), left.total(), right.total()


def _share(part: NDArray[Any], whole: NDArray[Any], sums: NDArray[Any]) -> NDArray[np.float64]:
    return np.where(sums.sum(axis=-1) == 0, 1.0, part / np.maximum(whole, 1))


FORMULAS: Final[dict[str, Callable[[NDArray[Any]], NDArray[np.float64]]]] = {
    "P": lambda sums: _share(sums[..., 0], sums[..., 1], sums),
    "R": lambda sums: _share(sums[..., 0], sums[..., 2], sums),
    "F": lambda sums: _share(2 * sums[..., 0], sums[..., 1] + sums[..., 2], sums),  # 2PR / (P + R)
}
"""Of sums of `overlap`, shape (..., 3) to (...), 0 to 1. Finding nothing scores 0, unless nothing was wanted."""
