"""How sure a rewrite is, from 0 to 1: a logistic curve over the log probability of its script, fitted on dev."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from utterly.errors import ModelError

_STEPS: Final = 100


@dataclass(frozen=True)
class Confidence:
    """1 / (1 + exp(-(slope * log probability + offset))): Platt's scaling."""

    slope: float
    offset: float

    def __call__(self, log_probability: float) -> float:
        return _logistic(self.slope * log_probability + self.offset)

    @classmethod
    def fit(cls, log_probabilities: Sequence[float], right: Sequence[bool]) -> Self:
        """The curve under which what was `right` is most probable, with Platt's targets against certainty."""
        hits = sum(right)
        if not 0 < hits < len(right):
            raise ModelError(
                f"fitting a confidence needs rewrites that are right and some that are not, but {hits} of "
                f"{len(right)} are right; give more held-out dialogues"
            )
        yes, no = (hits + 1) / (hits + 2), 1 / (len(right) - hits + 2)
        targets = [yes if hit else no for hit in right]
        slope, offset = 0.0, math.log(hits / (len(right) - hits))
        for _ in range(_STEPS):
            step = _newton_step(log_probabilities, targets, slope, offset)
            slope, offset = slope - step[0], offset - step[1]
            if max(map(abs, step)) < 1e-9:
                break
        return cls(slope, offset)

    def to_json(self) -> dict[str, float]:
        return asdict(self)


def confidence_from_json(data: Any) -> Confidence | None:
    """The curve of a model's config; None where it has none."""
    if data is None:
        return None
    try:
        return Confidence(float(data["slope"]), float(data["offset"]))
    except (KeyError, TypeError, ValueError) as wrong:
        raise ModelError(
            f'"confidence" must be an object with the numbers slope and offset, but {data!r} came ({wrong!r}); '
            "export the model again"
        ) from None


def raw_confidence(log_probability: float) -> float:
    """The probability itself, for a model that was not calibrated."""
    return min(1.0, math.exp(min(0.0, log_probability)))


def _newton_step(places: Sequence[float], targets: Sequence[float], slope: float, offset: float) -> tuple[float, float]:
    """The gradient of the cross-entropy over its curvature."""
    curve = Confidence(slope, offset)
    odds = [curve(place) for place in places]
    away = [p - target for p, target in zip(odds, targets, strict=True)]
    weights = [p * (1 - p) + 1e-9 for p in odds]
    by_slope, by_offset = sum(a * x for a, x in zip(away, places, strict=True)), sum(away)
    xx = sum(w * x * x for w, x in zip(weights, places, strict=True))
    x1, one = sum(w * x for w, x in zip(weights, places, strict=True)), sum(weights)
    determinant = xx * one - x1 * x1 + 1e-12
    return (one * by_slope - x1 * by_offset) / determinant, (xx * by_offset - x1 * by_slope) / determinant


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
