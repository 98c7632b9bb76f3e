"""Algorithm 1 of the paper: cover a target phrase with context spans along its constituents.

A constituent is taken whole where the context has it, unless its children together cover more
characters. Ours: the ranges so found are then joined with their neighbours, and grown over words
beside them, wherever the context has the longer piece too. Projected dependency trees are flat where
a constituency tree has layers, and a preposition or quotation mark at the edge is copied for free.
"""

from collections.abc import Callable, Sequence

from utterly.labels.syntax import Range

Ranges = tuple[Range, ...]
Match = Callable[[int, int], int]
"""How much of target words start..stop one context span covers; 0 where the context has no such span."""


def best_cover(phrase: Range, constituents: Sequence[Range] | None, match: Match) -> Ranges:
    """The ranges inside `phrase`, left to right, that cover most of it."""
    if constituents is None:
        return _greedy_longest(*phrase, match)
    start, stop = phrase
    clipped = {(max(i, start), min(k, stop)) for i, k in constituents}
    inside = sorted({(i, k) for i, k in clipped if k - i > 1} - {phrase}, key=lambda r: (r[0], -r[1]))
    guided = _grown(_joined(_descend(phrase, inside, match), match), phrase, match)
    greedy = _greedy_longest(*phrase, match)
    return max(guided, greedy, key=lambda ranges: (_covered(ranges, match), -len(ranges)))


def _descend(node: Range, inside: Sequence[Range], match: Match) -> Ranges:
    """The paper's DescendTree. `inside` are the node's proper descendants, left to right, wide ones first."""
    whole = match(*node)
    if node[1] - node[0] == 1:
        return (node,) if whole else ()
    parts: Ranges = ()
    for child in _children(node, inside):
        parts += _descend(child, [r for r in inside if _properly_inside(r, child)], match)
    return parts if _covered(parts, match) > whole else (node,) if whole else ()


def _joined(ranges: Ranges, match: Match) -> Ranges:
    """The ranges with each run joined, the longest first, that the context has in one piece."""
    for size in range(len(ranges), 1, -1):
        for first in range(len(ranges) - size + 1):
            run, after = ranges[first : first + size], ranges[first + size :]
            whole = run[0][0], run[-1][1]
            if match(*whole) >= _covered(run, match):
                return (*_joined(ranges[:first], match), whole, *_joined(after, match))
    return ranges


def _grown(ranges: Ranges, phrase: Range, match: Match) -> Ranges:
    """The ranges with the uncovered words beside them taken in, where the context goes on in the same words."""
    grown: list[Range] = []
    for r, (start, stop) in enumerate(ranges):
        first = grown[-1][1] if grown else phrase[0]
        last = ranges[r + 1][0] if r + 1 < len(ranges) else phrase[1]
        while start > first and match(start - 1, stop) > match(start, stop):
            start -= 1
        while stop < last and match(start, stop + 1) > match(start, stop):
            stop += 1
        grown.append((start, stop))
    return tuple(grown)


def _covered(ranges: Ranges, match: Match) -> int:
    return sum(match(start, stop) for start, stop in ranges)


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


def _greedy_longest(start: int, stop: int, match: Match) -> Ranges:
    """Without syntax: the longest range that the context has, then the same left and right of it."""
    for size in range(stop - start, 0, -1):
        for i in range(start, stop - size + 1):
            if match(i, i + size):
                return (*_greedy_longest(start, i, match), (i, i + size), *_greedy_longest(i + size, stop, match))
    return ()
