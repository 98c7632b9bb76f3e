"""Find words in the context of a dialogue."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from utterly.scripts.edits import Span


class Context:
    """The words of the context turns, with their places, to find spans in."""

    def __init__(self, turns: Sequence[Sequence[str]]) -> None:
        self._turns = [tuple(turn) for turn in turns]
        self._places = [_places(turn) for turn in self._turns]

    def mentions(self, words: Sequence[str]) -> tuple[Span, ...]:
        """Every span of exactly these words, newest turn first."""
        wanted, size = tuple(words), len(words)
        return tuple(
            Span(turn, place, place + size)
            for turn in range(len(self._turns) - 1, -1, -1)
            for place in self._places[turn].get(wanted[0], ())
            if self._turns[turn][place : place + size] == wanted
        )

    def longest_run(self, words: Sequence[str]) -> int:
        """How many of these words, in a row, some turn has in a row too."""
        longest = 0
        for start in range(len(words)):
            while start + longest < len(words) and self.mentions(words[start : start + longest + 1]):
                longest += 1
        return longest


@lru_cache(maxsize=256)  # the dialogues of one conversation share turns and follow each other
def _places(turn: tuple[str, ...]) -> Mapping[str, Sequence[int]]:
    """Where each word of a turn stands."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(turn):
        places.setdefault(word, []).append(place)
    return places
