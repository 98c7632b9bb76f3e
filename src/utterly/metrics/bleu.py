"""BLEU on lists of words: first counts for each pair, then a score from their sums.

Each pair is one row of statistics: `bleu(rows)` is the BLEU of each sentence, `bleu(rows.sum(axis=0))` that of the
corpus, and a resample of the corpus is another sum. Needs only numpy, as training uses it too.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MAX_ORDER: Final = 4


class Smoothing(StrEnum):
    """How an order without a match is counted; numbered as in Chen & Cherry 2014 and NLTK."""

    NONE = "none"  # as 0, which makes the whole score 0
    ADD_ONE = "method2"  # one more match and one more n-gram for every order above 1
    GEOMETRIC = "method3"  # 1/2, 1/4, 1/8 ... matches; sacreBLEU calls it exp


def ngrams(words: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    """Every run of `order` words, from left to right.

    >>> list(ngrams(["is", "he", "swiss"], 2))
    [('is', 'he'), ('he', 'swiss')]
    """
    return zip(*(words[start:] for start in range(order)), strict=False)


def corpus_bleu(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """The BLEU-4 of a corpus, 0 to 1, without smoothing, as NLTK's `corpus_bleu` with one reference per hypothesis."""
    return float(bleu(bleu_statistics(hypotheses, references).sum(axis=0)))


def sentence_bleu(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """The BLEU-4 of each sentence, 0 to 1, shape (pairs,), as NLTK's `sentence_bleu` with smoothing method 2.

    >>> sentence_bleu([["is", "he", "swiss"]], [["is", "federer", "swiss"]]).round(3)
    array([0.485])
    """
    return bleu(bleu_statistics(hypotheses, references), smoothing=Smoothing.ADD_ONE)


def bleu_statistics(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], *, least_total: int = 1
) -> NDArray[np.int64]:
    """Hypothesis length, reference length, matches of order 1 to 4, n-grams of order 1 to 4: (pairs, 10).

    NLTK counts at least one n-gram of each order in every hypothesis, even in one too short to have any, so a short
    turn costs a little BLEU-4 even if it is correct. sacreBLEU does not: `least_total=0`.
    """
    rows = [_row(*pair, least_total) for pair in zip(hypotheses, references, strict=True)]
    return np.array(rows, dtype=np.int64).reshape(-1, 2 + 2 * MAX_ORDER)


def bleu(
    statistics: NDArray[Any], *, order: int = MAX_ORDER, smoothing: Smoothing = Smoothing.NONE
) -> NDArray[np.float64]:
    """BLEU, 0 to 1, of each row of (sums of) statistics: shape (..., 10) to (...)."""
    hypothesis_length, reference_length = statistics[..., 0], statistics[..., 1]
    matches, totals = (statistics[..., start : start + order] for start in (2, 2 + MAX_ORDER))
    with np.errstate(divide="ignore"):  # log 0 is the minus infinity we want
        log_mean = np.log(_precisions(matches, totals, smoothing)).mean(axis=-1)
    brevity = np.minimum(0.0, 1.0 - reference_length / np.maximum(hypothesis_length, 1))
    return np.where(matches[..., 0] > 0, np.exp(brevity + log_mean), 0.0)


def _row(hypothesis: Sequence[str], reference: Sequence[str], least_total: int) -> list[int]:
    matches, totals = [], []
    for order in range(1, MAX_ORDER + 1):
        found, wanted = Counter(ngrams(hypothesis, order)), Counter(ngrams(reference, order))
        matches.append(sum(min(count, wanted[ngram]) for ngram, count in found.items() if ngram in wanted))
        totals.append(max(least_total, len(hypothesis) - order + 1))
    return [len(hypothesis), len(reference), *matches, *totals]


def _precisions(matches: NDArray[Any], totals: NDArray[Any], smoothing: Smoothing) -> NDArray[np.float64]:
    match smoothing:
        case Smoothing.ADD_ONE:
            above_first = np.arange(matches.shape[-1]) > 0
            matches, totals = matches + above_first, totals + above_first
        case Smoothing.GEOMETRIC:
            orders_missed = (matches == 0).cumsum(axis=-1)
            matches = np.where(matches == 0, 0.5**orders_missed, matches)
        case Smoothing.NONE:
            pass
    return np.where(totals > 0, matches / np.maximum(totals, 1), 0.0)
