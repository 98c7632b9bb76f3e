"""How well a search did, what share of the gap to the reference a system closes, and how certain that is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RESAMPLES: Final = 2000
LEVEL: Final = 0.95


def reciprocal_rank(scores: Floats, relevant: Sequence[int]) -> float:
    """1 / rank of the best relevant passage; 0 if it scores 0. In a tie, irrelevant passages rank first."""
    best = max(scores[list(relevant)])
    return 0.0 if best <= 0 else 1 / (int((scores >= best).sum()) - sum(scores[i] >= best for i in relevant) + 1)


def ndcg_at_5(scores: Floats, relevant: Sequence[int]) -> float:
    """Normalised discounted cumulative gain of the five best passages, each relevant or not."""
    gains = 1 / np.log2(np.arange(2, 7))
    hits = np.isin(best_passages(scores, 5), relevant)
    return float(gains[: len(hits)][hits].sum() / gains[: len(relevant)].sum())


def recall_at_10(scores: Floats, relevant: Sequence[int]) -> float:
    return float(np.isin(best_passages(scores, 10), relevant).sum() / len(relevant))


def best_passages(scores: Floats, n: int) -> NDArray[np.intp]:
    """The n best passages with a score above 0, best first; ties in the order of the pool."""
    best = np.argsort(-scores, kind="stable")[:n]
    return best[scores[best] > 0]


MEASURES: Final[Mapping[str, Callable[[Floats, Sequence[int]], float]]] = {
    "MRR": reciprocal_rank,
    "nDCG@5": ndcg_at_5,
    "recall@10": recall_at_10,
}


@dataclass(frozen=True)
class Estimate:
    """A share of the gap between raw turns and references, with its bootstrap interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, shares: Floats) -> Self:
        """From the share on the corpus itself, then those on its resamples: (1 + resamples,)."""
        low, high = np.quantile(shares[1:], [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        return cls(float(shares[0]), float(low), float(high))

    def __str__(self) -> str:
        return f"{100 * self.value:.0f} ({100 * self.low:.0f} to {100 * self.high:.0f})"


@dataclass(frozen=True)
class Comparison:
    """The scores of one system on one set, with those of the raw turns and the references."""

    scores: Floats
    raw: Floats
    reference: Floats
    weights: Floats  # (1 + resamples, turns), as `resampled` makes them

    @property
    def mean(self) -> float:
        return float(self.scores.mean())

    @property
    def better(self) -> float:
        return float((self.scores > self.raw).mean())

    @property
    def worse(self) -> float:
        return float((self.scores < self.raw).mean())

    @cached_property
    def closed(self) -> Floats | None:
        """The share closed: (1 + resamples,). None unless references clearly score higher than raw turns."""
        gaps: Floats = self.weights @ (self.reference - self.raw)
        return (self.weights @ (self.scores - self.raw)) / gaps if np.quantile(gaps, (1 - LEVEL) / 2) > 0 else None


def resampled(dialogues: Sequence[str], rng: np.random.Generator) -> Floats:
    """The weight of each turn: 1, then how often its dialogue is drawn in each resample. (1 + resamples, turns)."""
    _, dialogue_of_turn = np.unique(dialogues, return_inverse=True)
    n = int(dialogue_of_turn.max()) + 1
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=RESAMPLES)  # (resamples, dialogues)
    return np.concatenate([np.ones((1, len(dialogues))), drawn[:, dialogue_of_turn]])
