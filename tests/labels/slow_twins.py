"""What the fast code must agree with: plain Python, obviously right, slow."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

Pairs = tuple[tuple[int, int], ...]
Best = tuple[int, int, Pairs]
"""Words aligned, minus the number of phrases, and the alignment."""


def every_alignment(source: Sequence[str], target: Sequence[str]) -> Iterator[Pairs]:
    """All ways to align equal words in order, by trying every choice of as many words on both sides."""
    for size in range(min(len(source), len(target)) + 1):
        for left in combinations(range(len(source)), size):
            for right in combinations(range(len(target)), size):
                if all(source[i] == target[j] for i, j in zip(left, right, strict=True)):
                    yield tuple(zip(left, right, strict=True))


def phrases(pairs: Sequence[tuple[int, int]], target_size: int) -> int:
    """How many runs of target words lie between aligned ones."""
    edges = [-1, *(j for _, j in pairs), target_size]
    return sum(right - left > 1 for left, right in pairwise(edges))


def aligned_by_the_book(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """The longest alignment, of those one with the fewest phrases, by the textbook's table of best answers.

    Two tables hold the best answer for each beginning of source and target: with the last target word aligned,
    and with a phrase open, which the next target word makes longer without beginning one.
    """
    worst: Best = (-1, 0, ())
    closed: list[list[Best]] = [[worst] * (len(target) + 1) for _ in range(len(source) + 1)]
    opened: list[list[Best]] = [[worst] * (len(target) + 1) for _ in range(len(source) + 1)]
    for i in range(len(source) + 1):
        for j in range(len(target) + 1):
            ends_closed: list[Best] = [(0, 0, ())] if i == j == 0 else []
            ends_open: list[Best] = []
            if i > 0:  # the source word is deleted
                ends_closed.append(closed[i - 1][j])
                ends_open.append(opened[i - 1][j])
            if j > 0:  # the target word is added
                aligned, fewer, pairs = closed[i][j - 1]
                ends_open += [opened[i][j - 1], (aligned, fewer - 1, pairs)]
            if i > 0 and j > 0 and source[i - 1] == target[j - 1]:
                for aligned, fewer, pairs in (closed[i - 1][j - 1], opened[i - 1][j - 1]):
                    if aligned >= 0:
                        ends_closed.append((aligned + 1, fewer, (*pairs, (i - 1, j - 1))))
            closed[i][j] = max(ends_closed, default=worst, key=lambda best: best[:2])
            opened[i][j] = max(ends_open, default=worst, key=lambda best: best[:2])
    return list(max(closed[-1][-1], opened[-1][-1], key=lambda best: best[:2])[2])
