"""The scores of a dialogue as log probabilities: tags immediately, spans on request.

These are the paper's two levels. The first tags every source word with an action and a rule. The second scores the
context words that may fill the slots of those rules, and runs only for rules with slots.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from utterly.model.encode import Pieces

Floats = NDArray[np.float32]


class TagScores(NamedTuple):
    """The first level."""

    actions: Floats  # (source, 2): delete, keep
    rules: Floats | None  # (source, rules); None in MST and RaST


class Query(NamedTuple):
    """A source word and a rule, given by its number in the book, whose slots need spans."""

    word: int
    rule: int  # 0 in MST and RaST, which have no rules
    slots: int


class SpanScores(NamedTuple):
    """The second level, for some queries; all minus infinity for a slot that the rule does not have."""

    start: Floats  # (queries, slots, context)
    end: Floats  # (queries, slots, context)


class ScoredEnds(NamedTuple):
    """A span, given by the context indices of its first and last word, with its log probability.

    Its certainty is the log odds that the slot's span begins with this first word, at any mention, plus those that it
    ends with this last one.
    """

    log_probability: float
    first: int
    last: int
    certainty: float = 0.0


class FoundSpans(NamedTuple):
    """The best spans for each slot of one query, and the log probability of a stop at each slot."""

    slots: tuple[tuple[ScoredEnds, ...], ...]
    stops: tuple[float, ...]


class Scores(Protocol):
    """Both levels for one dialogue."""

    @property
    def tags(self) -> TagScores: ...

    def spans(self, queries: Sequence[Query]) -> SpanScores: ...


class Scorer(Protocol):
    """A tagger on any runtime. It knows nothing about rule books or decoding."""

    def read(self, pieces: Pieces) -> Scores: ...
