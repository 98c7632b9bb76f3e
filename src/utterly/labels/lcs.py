"""Align source and target by their longest common subsequence: what is kept, deleted and added.

The paper's four cases, read off consecutive aligned words: what lies between them in the source is
deleted, what lies between them in the target is a phrase to add. A phrase goes before the first word
of the deleted run, or before the next kept word where nothing is deleted.

Among equally long alignments the one with the fewest phrases is taken. RapidFuzz finds one alignment;
only where that has several phrases is there anything to choose, and a small exact search chooses.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

Pair = tuple[int, int]
"""Positions of the same word in source and target."""


class Phrase(NamedTuple):
    """Target words start..stop, to be added before source word `before` (the end has the next number)."""

    before: int
    start: int
    stop: int


class Alignment(NamedTuple):
    keep: tuple[bool, ...]  # one per source word
    phrases: tuple[Phrase, ...]  # left to right


def align(source: Sequence[str], target: Sequence[str]) -> Alignment:
    """Which source words stay, and which target phrases are added where.

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


def aligned_pairs(source: Sequence[str], target: Sequence[str]) -> list[Pair]:
    """A longest common subsequence as pairs of positions, with as few gaps in the target as can be."""
    # Equal words at either end are in some best alignment, and never cost a phrase: set them aside.
    limit = min(len(source), len(target))
    head = 0
    while head < limit and source[head] == target[head]:
        head += 1
    tail = 0
    while tail < limit - head and source[-1 - tail] == target[-1 - tail]:
        tail += 1
    middle_source = source[head : len(source) - tail]
    middle_target = target[head : len(target) - tail]
    middle = [(i + head, j + head) for i, j in _middle_pairs(middle_source, middle_target)]
    ends = range(tail, 0, -1)
    return [*((k, k) for k in range(head)), *middle, *((len(source) - k, len(target) - k) for k in ends)]


def _middle_pairs(source: Sequence[str], target: Sequence[str]) -> list[Pair]:
    if set(source).isdisjoint(target):
        return []
    blocks = LCSseq.opcodes(source, target).as_matching_blocks()
    pairs = [(block.a + k, block.b + k) for block in blocks for k in range(block.size)]
    return pairs if _gaps_in_target(pairs, len(target)) <= 1 else _fewest_phrases(source, target)


def _gaps_in_target(pairs: Sequence[Pair], size: int) -> int:
    edges = [-1, *(j for _, j in pairs), size]
    return sum(right - left > 1 for left, right in pairwise(edges))


def _fewest_phrases(source: Sequence[str], target: Sequence[str]) -> list[Pair]:
    """The longest common subsequence with the fewest phrases, by dynamic programming from the end.

    A cell holds shared words * unit - phrases for source[i:] and target[j:]. It is `inside` where target
    words were added since the last aligned pair, so that one more starts no new phrase, else `outside`.
    """
    n, m = len(source), len(target)
    unit = m + 1
    outside = [[0] * (m + 1) for _ in range(n + 1)]
    inside = [[0] * (m + 1) for _ in range(n + 1)]
    outside[n][:m] = [-1] * m
    for i in range(n - 1, -1, -1):
        word, out_row, in_row = source[i], outside[i], inside[i]
        out_below, in_below = outside[i + 1], inside[i + 1]
        for j in range(m - 1, -1, -1):
            match = unit + out_below[j + 1] if word == target[j] else -1 - unit
            in_row[j] = max(match, in_below[j], in_row[j + 1])
            out_row[j] = max(match, out_below[j], in_row[j + 1] - 1)
    pairs, i, j, table = [], 0, 0, outside
    while i < n and j < m:
        here = table[i][j]
        if source[i] == target[j] and here == unit + outside[i + 1][j + 1]:
            pairs.append((i, j))
            i, j, table = i + 1, j + 1, outside
        elif here == table[i + 1][j]:
            i += 1
        else:
            j, table = j + 1, inside
    return pairs
