"""Windows: which words of a long dialogue a tagger reads.

    newest      the first turns, which carry the topic, and the newest that fit
    relevant    whole sentences: those of the asker, and those of the answers that are likely to be referred to

Time grows with the number of pieces, so a smaller window with the right sentences is faster. `benchmarks/log.md` shows
which sentences people take words from, and how many of them each window holds.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from utterly.dialogues.dialogue import Dialogue, Word, split_words
from utterly.labels.function_words import is_content
from utterly.model.guards import sentences

WordPieces = tuple[int, ...]
"""The pieces of one word."""
Cut = Callable[[str], Sequence[WordPieces]]
"""Splits a text into words, and words into pieces."""
Places = dict[int, Sequence[int]]
"""For each turn, the positions of the words that are read, in order."""

_MAX_PIECES_A_TOPIC_TURN: Final = 48
_LONGEST_CACHED: Final = 40  # characters: no function word is longer
_LEAST_PIECES_OF_A_CUT_TURN: Final = 8
LOOKED_AT: Final = {"newest": 1, "relevant": 3}
"""How much of a dialogue is considered, in multiples of the window."""


def newest(dialogue: Dialogue, cut: Cut, room: int, topic_turns: int) -> Places:
    """Of a dialogue that does not fit: the beginnings of the first turns, and the newest turns that fit."""
    chosen: Places = {}
    topic = min(topic_turns, len(dialogue.context))
    for turn in range(topic):
        words = cut(dialogue.context[turn].text)
        if fitting := _beginning(words, min(_MAX_PIECES_A_TOPIC_TURN, room - 1)):
            room -= _size(words[: len(fitting)]) + 1
            chosen[turn] = fitting
    return chosen | dict(_newest_that_fit(dialogue, cut, room, down_to=topic))


def _newest_that_fit(dialogue: Dialogue, cut: Cut, room: int, *, down_to: int) -> Iterator[tuple[int, range]]:
    for turn in range(len(dialogue.context) - 1, down_to - 1, -1):
        if room < 1:  # even a turn without words needs one for the piece after it
            return
        words = cut(dialogue.context[turn].text)
        fitting = _beginning(words, room - 1)
        if len(fitting) == len(words) or _size(words[: len(fitting)]) >= _LEAST_PIECES_OF_A_CUT_TURN:
            yield turn, fitting
        if len(fitting) < len(words):
            return
        room -= _size(words) + 1


class _Sentence(NamedTuple):
    worth: float
    turn: int
    words: range


def relevant(dialogue: Dialogue, cut: Cut, room: int, topic_turns: int) -> Places:
    """Of a dialogue that does not fit: the most valuable sentences, as long as there is room."""
    turns = _looked_at(dialogue, cut, room, topic_turns)
    chosen: dict[int, list[int]] = {}
    for _, turn, places in sorted(_sentences(dialogue, turns), key=lambda each: -each.worth):
        words = turns[turn][places.start : places.stop]
        left = room - (turn not in chosen)  # for the piece after a turn
        fitting = _beginning(words, left)
        room = left - _size(words[: len(fitting)])
        if len(fitting) < len(words) and left < _LEAST_PIECES_OF_A_CUT_TURN:
            break
        chosen.setdefault(turn, []).extend(places[: len(fitting)])
    return {turn: sorted(places) for turn, places in chosen.items()}


def _looked_at(dialogue: Dialogue, cut: Cut, room: int, topic_turns: int) -> dict[int, Sequence[WordPieces]]:
    """The turns to consider, each with the pieces of its words: the first ones and enough of the newest."""
    turns = {turn: cut(each.text) for turn, each in enumerate(dialogue.context[:topic_turns])}
    pieces = 0
    for turn in range(len(dialogue.context) - 1, len(turns) - 1, -1):
        if pieces > LOOKED_AT["relevant"] * room:
            break
        turns[turn] = cut(dialogue.context[turn].text)
        pieces += _size(turns[turn]) + 1
    return turns


def _sentences(dialogue: Dialogue, turns: dict[int, Sequence[WordPieces]]) -> Iterator[_Sentence]:
    """Every sentence with its value. Speakers alternate, so the last answer is the last turn of the context."""
    said = {turn: split_words(dialogue.context[turn].text, len(pieces)) for turn, pieces in turns.items()}
    last = len(dialogue.context) - 1
    asked = _content(split_words(dialogue.source.text))
    topics = frozenset[str]().union(*(_content(words) for turn, words in said.items() if (last - turn) % 2)) - asked
    for turn, pieces in turns.items():
        back = last - turn
        found = sentences(dialogue.context[turn].text, len(pieces))
        for number, places in enumerate(found, start=1):
            content = _content(said[turn][places.start : places.stop])
            worth = 5.0 * bool(content & asked) + min(3, len(content & topics))
            worth -= _size(pieces[places.start : places.stop]) / 11
            if back % 2:  # the asker's
                worth += 3.5 - 0.3 * back + 1.5 * (turn == 0) + 1.2 * (back == 1)
            else:
                worth += 4.0 * (back == 0) - 0.35 * back + 3.0 * (number == 1) + 4.0 * (number == len(found))
            yield _Sentence(worth, turn, places)


_is_content: Final = lru_cache(maxsize=8_192)(is_content)


def _content(words: Sequence[Word]) -> frozenset[str]:
    """The content words, case-folded."""
    return frozenset(text for word in words if _is_content((text := word.text.casefold())[:_LONGEST_CACHED]))


def _size(words: Sequence[WordPieces]) -> int:
    return sum(map(len, words))


def _beginning(words: Sequence[WordPieces], most: int) -> range:
    """The positions of as many first words as fit into `most` pieces."""
    for count, total in enumerate(accumulate(map(len, words))):
        if total > most:
            return range(count)
    return range(len(words))


WINDOWS: Final[dict[str, Callable[[Dialogue, Cut, int, int], Places]]] = {"newest": newest, "relevant": relevant}
"""Each takes a dialogue, a function to split text, the room in pieces, and how many first turns carry the topic."""
