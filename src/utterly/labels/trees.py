"""Algorithm 1 of the paper: cover a target phrase with context spans along its constituents.

A constituent is taken whole where the context has it, unless its children together cover more
characters. Ours: neighbouring ranges that the context has in one piece are then joined, because
projected dependency trees are flat where a constituency tree has layers.
"""

from collections.abc import Callable, Sequence
from itertools import chain

from utterly.labels.syntax import Range


Match = Callable[[int, int], bool]
"""Whether the context has target words start..stop as one span."""


def best_cover(phrase: Range, constituents: Sequence[Range] | None, match: Match) -> tuple[Range, ...]:
    """The ranges inside `phrase`, left to right, that cover most of its characters."""
    if constituents is None:
        return _greedy_longest(*phrase, match)
    start, stop = phrase
    clipped = {(max(i, start), min(k, stop)) for i, k in constituents}
    inside = sorted({(i, k) for i, k in clipped if k - i > 1} - {phrase}, key=lambda r: (r[0], -r[1]))
    return _joined(_descend(phrase, inside, match), match)


def _descend(node: Range, inside: Sequence[Range], match: Match) -> tuple[Range, ...]:
    """The paper's DescendTree. `inside` are the node's proper descendants, left to right, wide ones first."""
    if match(*node):
        return (node,)  # nothing inside it can cover more characters
    if node[1] - node[0] == 1:
        return ()
    parts = [
        _descend(child, [r for r in inside if _properly_inside(r, child)], match) for child in _children(node, inside)
    ]
    return tuple(chain.from_iterable(parts))


def _joined(ranges: tuple[Range, ...], match: Match) -> tuple[Range, ...]:
    """The ranges with each run joined, the longest first, that the context has in one piece."""
    for size in range(len(ranges), 1, -1):
        for first in range(len(ranges) - size + 1):
            run = ranges[first][0], ranges[first + size - 1][1]
            if match(*run):
                return (*_joined(ranges[:first], match), run, *_joined(ranges[first + size :], match))
    return ranges


def _children(node: Range, inside: Sequence[Range]) -> list[Range]:
    """The widest ranges inside a node, left to right, with single words where no range lies."""
    at, stop = node
    children: list[Range] = []
    for i, k in inside:
        if i < at:
            continue  # inside the child before
        children += [(word, word + 1) for word in range(at, i)]
        children.append((i, k))
        at = k
    return children + [(word, word + 1) for word in range(at, stop)]


def _properly_inside(inner: Range, outer: Range) -> bool:
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]


def _greedy_longest(start: int, stop: int, match: Match) -> tuple[Range, ...]:
    """Without syntax: the longest range that the context has, then the same left and right of it."""
    for size in range(stop - start, 0, -1):
        for i in range(start, stop - size + 1):
            if match(i, i + size):
                return (*_greedy_longest(start, i, match), (i, i + size), *_greedy_longest(i + size, stop, match))
    return ()
