"""Find words in the context, and cover a target phrase with them along its constituents: the paper's Algorithm 1.

A constituent is taken whole if the context has it, unless its children together cover more characters.
Ours differs from the paper's:

- Constituents are cut to the phrase, while the paper takes the smallest subtree around it: a span never covers words
  of the source.
- `match` decides what counts. For labels it counts the characters of identical words: words that share only their
  lemma may come along, but never decide.
- Neighbouring ranges are joined, and grown over the words beside them, if the context has the longer range too.
  Projected dependency trees are flat where a constituency tree has layers, and a preposition or quotation mark at the
  edge is copied for free.
- If it covers more to take the longest ranges first, ignoring the tree, we do that.

`literal` turns the last two off.

Nothing here is recursive: a run-on sentence nests deeper than Python's stack.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Self

from utterly.dialogues.dialogue import Dialogue
from utterly.labels.syntax import Range, folded_words
from utterly.scripts.edits import SLOT, Rule, Span

Ranges = tuple[Range, ...]
Match = Callable[[int, int], int]
"""How much of target words start..stop a context span covers; 0 if there is no such span."""


class Context:
    """The words of the context turns, indexed to find spans."""

    def __init__(self, turns: Iterable[Sequence[str]]) -> None:
        self.turns = [tuple(turn) for turn in turns]

    @classmethod
    def of(cls, dialogue: Dialogue) -> Self:
        return cls(folded_words(turn.text) for turn in dialogue.context)

    @cached_property
    def _places(self) -> list[Mapping[str, Sequence[int]]]:
        return [_places(turn) for turn in self.turns]

    def words(self, span: Span) -> tuple[str, ...]:
        return self.turns[span.turn][span.start : span.stop]

    def mentions(self, words: Sequence[str]) -> tuple[Span, ...]:
        """Every span with exactly these words, newest turn first."""
        wanted, size = tuple(words), len(words)
        return tuple(
            Span(turn, place, place + size)
            for turn in range(len(self.turns) - 1, -1, -1)
            for place in self._places[turn].get(wanted[0], ())
            if self.turns[turn][place : place + size] == wanted
        )

    def longest_run(self, words: Sequence[str]) -> int:
        """The length of the longest run of these words that occurs in a turn."""
        longest = 0
        for start in range(len(words)):
            while start + longest < len(words) and self.mentions(words[start : start + longest + 1]):
                longest += 1
        return longest


@lru_cache(maxsize=256)  # successive dialogues of a conversation share turns
def _places(turn: tuple[str, ...]) -> Mapping[str, Sequence[int]]:
    """The positions of each word."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(turn):
        places.setdefault(word, []).append(place)
    return places


def best_cover(phrase: Range, constituents: Sequence[Range] | None, match: Match, *, literal: bool = False) -> Ranges:
    """The ranges inside `phrase`, left to right, that cover most of it. If `constituents` is None, any range is one."""
    if literal and constituents is not None:
        return _descend(phrase, constituents, match)
    greedy = _longest_first(*phrase, lambda start, stop: match(start, stop) > 0)
    if constituents is None:
        return greedy
    guided = _grown(_joined(_descend(phrase, constituents, match), match), phrase, match)
    return max(guided, greedy, key=lambda ranges: (_covered(ranges, match), -len(ranges)))


def rule_with_slots(words: Sequence[str], phrase: Range, ranges: Ranges) -> Rule:
    """The rule for a phrase of `words`: a slot for each of the ranges, and the other words themselves."""
    stop_of_slot = dict(ranges)
    parts: list[str | None] = []
    at, stop = phrase
    while at < stop:
        parts.append(SLOT if at in stop_of_slot else words[at])
        at = stop_of_slot.get(at, at + 1)
    return Rule(tuple(parts))


def _descend(phrase: Range, constituents: Sequence[Range], match: Match) -> Ranges:
    """The paper's DescendTree, but bottom-up: the best ranges of a node are known before its parent's."""
    start, stop = phrase
    cut = {(max(i, start), min(k, stop)) for i, k in constituents}
    nodes = sorted({(i, k) for i, k in cut if k - i > 1} | {phrase}, key=lambda node: node[1] - node[0])
    best: dict[Range, Ranges] = {}
    for node in nodes:
        parts: Ranges = ()
        for child in _children(node, best):
            parts += best[child] if child in best else (child,) if match(*child) else ()
        whole = match(*node)
        best[node] = parts if _covered(parts, match) > whole else (node,) if whole else ()
    return best[phrase]


def _children(node: Range, narrower: Iterable[Range]) -> list[Range]:
    """The widest of the narrower nodes inside a node, left to right, and the single words between them."""
    at, stop = node
    inside = sorted((r for r in narrower if at <= r[0] and r[1] <= stop), key=lambda r: (r[0], -r[1]))
    children: list[Range] = []
    for i, k in inside:
        if i >= at:  # else it lies inside the child before
            children += [(word, word + 1) for word in range(at, i)]
            children.append((i, k))
            at = k
    return children + [(word, word + 1) for word in range(at, stop)]


def _joined(ranges: Ranges, match: Match) -> Ranges:
    """The ranges, with each run joined that the context has as one range, the longest runs first."""

    def joins(first: int, after: int) -> bool:
        if after - first == 1:
            return True
        whole = match(ranges[first][0], ranges[after - 1][1])
        return whole > 0 and whole >= _covered(ranges[first:after], match)

    runs = _longest_first(0, len(ranges), joins)
    return tuple((ranges[first][0], ranges[after - 1][1]) for first, after in runs)


def _grown(ranges: Ranges, phrase: Range, match: Match) -> Ranges:
    """The ranges, extended over uncovered words beside them where the context continues with the same words."""
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


def _longest_first(start: int, stop: int, fits: Callable[[int, int], bool]) -> Ranges:
    """Disjoint ranges of start..stop that fit, left to right; longer ones are chosen first, then those to the left."""
    chosen: list[Range] = []
    taken = bytearray(stop)
    for size in range(stop - start, 0, -1):
        i = start
        while i + size <= stop:
            if (occupied := taken.rfind(1, i, i + size)) >= 0:
                i = occupied + 1
            elif fits(i, i + size):
                chosen.append((i, i + size))
                taken[i : i + size] = b"\1" * size
                i += size
            else:
                i += 1
    return tuple(sorted(chosen))


def _covered(ranges: Ranges, match: Match) -> int:
    return sum(match(start, stop) for start, stop in ranges)
