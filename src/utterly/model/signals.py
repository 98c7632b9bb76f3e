"""Signals: facts from decoding, beyond a script's probability, that tell how likely the script is to help.

The probability alone says how often a person would have written the same. Other signals tell whether a rewrite helps or
harms: whether the other scripts copy the same words, how often the context has them, how certain it is that the turn
needs a change, and how certain each deletion is.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self


class Signals(NamedTuple):
    """All are 0 for a script that changes nothing."""

    changed: float = 0.0  # 1
    agreement: float = 0.0  # 0 to 1: how far the other scripts in the beam copy the same words
    mentions: float = 0.0  # log count, in the context, of the rarest copied span
    deletion: float = 0.0  # log probability of the least probable deletion
    stays: float = 0.0  # log probability that the turn stays unchanged


SIGNS = Signals(changed=0, agreement=1, mentions=1, deletion=1, stays=-1)
"""1 if more of a signal can only speak for a rewrite, -1 if only against it, 0 if it may do either."""


@dataclass(frozen=True)
class Confidence:
    """A logistic curve: 1 / (1 + exp(-(slope * log probability + weights * signals + offset)))."""

    slope: float
    offset: float
    weights: Mapping[str, float] = field(default_factory=dict)  # by name of signal; 0 if missing

    def __post_init__(self) -> None:
        if unknown := set(self.weights) - set(Signals._fields):
            raise ValueError(f"confidence has weights of {', '.join(Signals._fields)}, got {min(unknown)}")
        for number in (self.slope, self.offset, *self.weights.values()):
            if not math.isfinite(number):
                raise ValueError(f"confidence must have finite numbers, got {number}")

    @classmethod
    def from_json(cls, curve: Any) -> Self:
        slope, offset, weights = curve["slope"], curve["offset"], dict(curve.get("weights", {}))
        return cls(float(slope), float(offset), {name: float(weight) for name, weight in weights.items()})

    def of(self, log_probability: float, signals: Signals) -> float:
        """The confidence, 0 to 1."""
        x = self.slope * log_probability + self.offset
        x += sum(weight * getattr(signals, name) for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
