"""Align source and target by their longest common subsequence, to see which words are kept, deleted and added.

The paper's four cases, for two consecutive aligned words:

    1  adjacent in both           both are kept
    2  adjacent in the source     both are kept, the target words between them are a phrase to add
    3  adjacent in the target     both are kept, the source words between them are deleted
    4  adjacent in neither        both are kept, and both of these happen

The start and the end of the texts each count as an aligned pair. A phrase goes before the first word of the deleted
run, or before the next kept word if nothing is deleted.

The paper does not say which of several longest alignments to take. We take one with the fewest phrases: RapidFuzz finds
an alignment, and if it has several phrases, a small exact search looks for a better one.
"""

import math
import operator
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from utterly.extras import require

_LCSSEQ: Final[Any] = require("rapidfuzz.distance", extra="labels").LCSseq
_LONGEST_SEARCH: Final = 100_000_000  # steps: about a second, for a thousand words repeated hundreds of times

Aligned = tuple[int, int]
"""Positions of the same word in source and target."""

_Chain = tuple[Aligned, "_Chain | None"]


class Phrase(NamedTuple):
    """Target words start..stop, added before source word `before` (the number of words means the end)."""

    before: int
    start: int
    stop: int


class Alignment(NamedTuple):
    keep: tuple[bool, ...]  # one per source word
    phrases: tuple[Phrase, ...]  # left to right


def align(source: Sequence[str], target: Sequence[str]) -> Alignment:
    """Which source words are kept, and which target phrases are added where.

    >>> align("it sleeps well , mostly at night .".split(), "the puppy sleeps well at night now .".split())
    Alignment(keep=(False, True, True, False, False, True, True, True), phrases=(Phrase(before=0, start=0, stop=2), \
Phrase(before=7, start=6, stop=7)))
    """
    pairs = aligned_pairs(source, target)
    kept = {i for i, _ in pairs}
    phrases, next_source, next_target = [], 0, 0
    for i, j in (*pairs, (len(source), len(target))):
        if j > next_target:
            phrases.append(Phrase(before=next_source, start=next_target, stop=j))
        next_source, next_target = i + 1, j + 1
    return Alignment(tuple(i in kept for i in range(len(source))), tuple(phrases))


def aligned_pairs(source: Sequence[str], target: Sequence[str]) -> list[Aligned]:
    """A longest common subsequence as pairs of positions, with as few gaps in the target as possible."""
    # Some best alignment pairs the equal words at either end: any other partner can be moved there, and moving a gap
    # away from the end makes no new one. So they are set aside.
    head = _same_at_the_start(source, target)
    source_rest, target_rest = source[head:], target[head:]
    tail = _same_at_the_start(source_rest[::-1], target_rest[::-1])
    middle_source = source_rest[: len(source_rest) - tail]
    middle_target = target_rest[: len(target_rest) - tail]
    middle = [(i + head, j + head) for i, j in _middle_pairs(middle_source, middle_target)]
    source_tail, target_tail = range(len(source) - tail, len(source)), range(len(target) - tail, len(target))
    return [*zip(range(head), range(head), strict=True), *middle, *zip(source_tail, target_tail, strict=True)]


def _same_at_the_start(left: Sequence[str], right: Sequence[str]) -> int:
    """How many words both have in common at the start."""
    return [*map(operator.ne, left, right), True].index(True)


def _middle_pairs(source: Sequence[str], target: Sequence[str]) -> list[Aligned]:
    if set(source).isdisjoint(target):
        return []
    blocks = _LCSSEQ.opcodes(source, target).as_matching_blocks()
    pairs = [(block.a + k, block.b + k) for block in blocks for k in range(block.size)]
    edges = [-1, *(j for _, j in pairs), len(target)]
    if sum(right - left > 1 for left, right in pairwise(edges)) <= 1:
        return pairs  # at most one phrase is added
    return _fewest_phrases(source, target) or pairs


def _fewest_phrases(source: Sequence[str], target: Sequence[str]) -> list[Aligned] | None:
    """The longest common subsequence with the fewest phrases; None if the search would take too long.

    Working back from the end of the source, `best[j]` is the value of the best alignment that begins with target word
    j: one unit per pair, less one for each phrase. `after[j]` is the rest of it. Ties go to the earlier words.
    """
    size = len(target)
    unit = size + 1  # more than all phrases together
    places: dict[str, list[int]] = {}
    for j, word in enumerate(target):
        places.setdefault(word, []).append(j)
    if size * sum(len(places.get(word, ())) for word in source) > _LONGEST_SEARCH:
        return None
    best = [-math.inf] * size + [0.0]  # the last is the end
    after: list[_Chain | None] = [None] * (size + 1)

    def follow(j: int) -> tuple[float, _Chain | None]:
        """The best continuation at target word j: from j itself, or from a later word after a phrase."""
        if j == size or best[j] >= (further := max(best[j + 1 :]) - 1):
            return best[j], after[j]
        return further, after[best.index(further + 1, j + 1)]

    for i in range(len(source) - 1, -1, -1):
        for j in places.get(source[i], ()):
            worth, chain = follow(j + 1)
            if worth + unit >= best[j]:
                best[j], after[j] = worth + unit, ((i, j), chain)
    pairs = []
    _, chain = follow(0)
    while chain:
        pair, chain = chain
        pairs.append(pair)
    return pairs
