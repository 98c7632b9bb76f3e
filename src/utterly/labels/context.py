"""Find words in the context of a dialogue."""

from collections.abc import Sequence

from utterly.edits import Span


class Context:
    """The words of the context turns, with their places, to find spans in."""

    def __init__(self, turns: Sequence[Sequence[str]]) -> None:
        self._turns = turns
        self._places: dict[str, list[tuple[int, int]]] = {}
        for turn in range(len(turns) - 1, -1, -1):
            for place, word in enumerate(turns[turn]):
                self._places.setdefault(word, []).append((turn, place))

    def mentions(self, words: Sequence[str]) -> tuple[Span, ...]:
        """Every span of exactly these words, newest turn first."""
        size = len(words)
        return tuple(
            Span(turn, place, place + size)
            for turn, place in self._places.get(words[0], ())
            if self._turns[turn][place : place + size] == words
        )
