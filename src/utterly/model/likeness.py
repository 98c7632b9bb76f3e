"""How similar rewrites are: sentence BLEU of each against every other."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

_ORDERS: Final = range(1, 5)


def pairwise_bleu(sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """The BLEU-4 of each sentence against every other: (sentences, sentences), rows are hypotheses.

    Smoothed by method 2 of Chen and Cherry (2014): one more match and one more n-gram for every order above 1. The same
    as `utterly.metrics.bleu.sentence_bleu` for all pairs, but at once.

    >>> he, federer = "where was he born".split(), "where was federer born".split()
    >>> pairwise_bleu([he, federer]).round(2).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    lengths = np.array(list(map(len, sentences)))
    precisions = []
    for order in _ORDERS:
        counts = _ngram_counts(sentences, order)
        matches = np.minimum(counts[:, None], counts).sum(axis=-1)
        totals = np.maximum(1, lengths - (order - 1))[:, None]
        precisions.append((matches + (order > 1)) / (totals + (order > 1)))
    shared = precisions[0] > 0
    with np.errstate(divide="ignore"):  # log 0 is the minus infinity we want
        log_mean = np.log(np.stack(precisions, axis=-1)).mean(axis=-1)
    brevity = np.minimum(0.0, 1.0 - lengths / np.maximum(lengths[:, None], 1))
    return np.where(shared, np.exp(brevity + log_mean), 0.0)


def _ngram_counts(sentences: Sequence[Sequence[str]], order: int) -> NDArray[np.int64]:
    """How often each n-gram occurs in each sentence: (sentences, n-grams)."""
    numbers: dict[tuple[str, ...], int] = {}
    found = [
        [numbers.setdefault(ngram, len(numbers)) for ngram in zip(*(words[k:] for k in range(order)), strict=False)]
        for words in sentences
    ]
    return np.array([np.bincount(row, minlength=len(numbers)) for row in found], dtype=np.int64)
