"""Retrievers: score every passage of a pool for a query. `measures` says how good that is."""

from collections.abc import Sequence
from typing import Final, Protocol

import bm25s
import numpy as np
import Stemmer
from benchmarks.retrieval.measures import Floats

FUSION: Final = 10  # k of reciprocal rank fusion


class Retriever(Protocol):
    def scores(self, query: str) -> Floats:
        """A score for each passage, in the order of the pool; 0 for no match."""


class BM25:
    """BM25 by bm25s (Lucene's variant, k1 1.5, b 0.75), without English stop words, on Snowball stems."""

    def __init__(self, passages: Sequence[str]) -> None:
        self._stemmer = Stemmer.Stemmer("english")
        self._index = bm25s.BM25()
        self._index.index(self._words(passages), show_progress=False)
        self._nothing = np.zeros(len(passages))

    def scores(self, query: str) -> Floats:
        (words,) = self._words([query])
        known = [word for word in words if word in self._index.vocab_dict]
        return np.asarray(self._index.get_scores(known), dtype=np.float64) if known else self._nothing

    def _words(self, texts: Sequence[str]) -> list[list[str]]:
        words: list[list[str]] = bm25s.tokenize(
            list(texts), stopwords="en", stemmer=self._stemmer, return_ids=False, show_progress=False
        )
        return words


def fused(rankings: Sequence[Floats]) -> Floats:
    """Reciprocal rank fusion of several rankings; a passage gets nothing from a ranking that scores it 0."""
    if len(rankings) == 1:
        return rankings[0]
    total = np.zeros(len(rankings[0]))
    for scores in rankings:
        ranks = np.empty(len(scores))
        ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        total += np.where(scores > 0, 1 / (FUSION + ranks), 0)
    return total
