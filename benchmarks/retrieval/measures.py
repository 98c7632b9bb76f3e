"""How well one search did, how much of the way to the reference a system goes, and how sure that is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RESAMPLES: Final = 2000
LEVEL: Final = 0.95


def reciprocal_rank(scores: Floats, relevant: Sequence[int]) -> float:
    """1 / rank of the best relevant passage; 0 if it scores 0. Others that score the same rank before it."""
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
    """The n best of the passages that score above 0, best first; of equal ones the first in the pool."""
    best = np.argsort(-scores, kind="stable")[:n]
    return best[scores[best] > 0]


MEASURES: Final[Mapping[str, Callable[[Floats, Sequence[int]], float]]] = {
    "MRR": reciprocal_rank,
    "nDCG@5": ndcg_at_5,
    "recall@10": recall_at_10,
}


@dataclass(frozen=True)
class Share:
    """How much of the way from the raw turn to the reference is closed, with its bootstrap interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.0%} ({self.low * 100:.0f} to {self.high * 100:.0f})"


@dataclass(frozen=True)
class Comparison:
    """The scores of one system on the turns of one set, beside those of the raw turns and of the references."""

    scores: Floats
    raw: Floats
    reference: Floats

    def __post_init__(self) -> None:
        if self.reference.mean() <= self.raw.mean():
            raise ValueError(
                f"references must score more than raw turns for a share, got {self.reference.mean():.3f} and "
                f"{self.raw.mean():.3f}"
            )

    @property
    def mean(self) -> float:
        return float(self.scores.mean())

    @property
    def better(self) -> float:
        return float((self.scores > self.raw).mean())

    @property
    def worse(self) -> float:
        return float((self.scores < self.raw).mean())

    def share(self, draws: Floats | None = None) -> Floats:
        """The share closed, of the turns as they are or of each row of draws: (resamples, turns) -> (resamples,)."""
        weights = np.ones((1, len(self.raw))) if draws is None else draws
        share: Floats = (weights @ (self.scores - self.raw)) / (weights @ (self.reference - self.raw))
        return share


def draws(dialogues: Sequence[str], rng: np.random.Generator) -> Floats:
    """How often each turn is drawn in each resample, all turns of a dialogue together: (resamples, turns)."""
    _, dialogue_of_turn = np.unique(dialogues, return_inverse=True)
    n = int(dialogue_of_turn.max()) + 1
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=RESAMPLES).astype(np.float64)  # (resamples, dialogues)
    return drawn[:, dialogue_of_turn]


def mean_share(comparisons: Sequence[Comparison], resamples: Sequence[Floats]) -> Share:
    """The share closed, averaged over sets, each with its own resamples."""
    value = np.mean([each.share() for each in comparisons])
    drawn = np.mean([each.share(rows) for each, rows in zip(comparisons, resamples, strict=True)], axis=0)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Share(float(value), float(low), float(high))
