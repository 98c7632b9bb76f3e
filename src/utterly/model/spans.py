"""Which words of the context fill a slot: spans of one turn, by scores of their first and last word."""

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from utterly.model.encode import STOP, Pieces

Floats = NDArray[np.float32]


class Pair(NamedTuple):
    """A span by the context indices of its first and last word, with its log probability."""

    log_probability: float
    first: int
    last: int


class FoundSpans(NamedTuple):
    """What the second level says of one query: the best pairs of each slot, and how likely each is to be a stop."""

    pairs: tuple[tuple[Pair, ...], ...]
    stops: tuple[float, ...]


def best_spans(pieces: Pieces, start: Floats, end: Floats, *, max_words: int, count: int) -> list[FoundSpans]:
    """The `count` best (start, end) pairs, chosen together, of each slot of each query of one dialogue.

    `start` and `end` are log probabilities over the context: (queries, slots, context).
    """
    context = start.shape[2]
    outside = _outside_a_turn(pieces, max_words)  # (context, length)
    most_words = outside.shape[1]
    asked = start.max(axis=2) > -np.inf  # (queries, slots): the others a rule has not got
    ends = np.full((np.count_nonzero(asked), context + most_words - 1), -np.inf, dtype=end.dtype)
    ends[:, :context] = end[asked]
    both = start[asked][:, :, None] + sliding_window_view(ends, most_words, axis=1)  # (rows, context, length)
    both += outside
    pairs = iter(_best_pairs(both, count))
    stops = (start[:, :, STOP] + end[:, :, STOP]).tolist()
    return [
        FoundSpans(tuple(next(pairs) if wanted else () for wanted in row), tuple(stop))
        for row, stop in zip(asked.tolist(), stops, strict=True)
    ]


def _best_pairs(both: Floats, count: int) -> list[tuple[Pair, ...]]:
    """The `count` best pairs of each row, the best first; of equal ones, the first in the context.

    `both` has the log probability of each pair of a first index and a length less one: (rows, context, length).
    It is used up.
    """
    most_words = both.shape[2]
    flat = both.reshape(len(both), -1)
    rows = np.arange(len(flat))
    found: list[list[Pair]] = [[] for _ in rows]
    for _ in range(min(count, flat.shape[1])):
        best = flat.argmax(axis=1)
        for pairs, index, score in zip(found, best.tolist(), flat[rows, best].tolist(), strict=True):
            if score > -np.inf:
                first, more = divmod(index, most_words)
                pairs.append(Pair(score, first, first + more))
        flat[rows, best] = -np.inf
    return [tuple(pairs) for pairs in found]


def _outside_a_turn(pieces: Pieces, max_words: int) -> Floats:
    """0 where a first context index and a length, from 1, make a span, and minus infinity elsewhere: (context, length).

    The context is in the order of its turns.
    """
    turns = pieces.turns
    words_left = np.searchsorted(turns, turns, side="right") - np.arange(len(turns))
    words_left[turns < 0] = 0
    longest = max(1, min(max_words, int(words_left.max())))
    outside: Floats = np.where(np.arange(longest) < words_left[:, None], np.float32(0), np.float32(-np.inf))
    return outside
