"""Which turns of a long dialogue a baseline reads: the topic turns at its start, and the newest that fit."""

from collections.abc import Callable

from utterly.dialogues.dialogue import Dialogue, Turn


def length_in_words(turn: Turn) -> int:
    return len(turn.words)


def turns_that_fit(
    dialogue: Dialogue, *, topic_turns: int, most: int, length: Callable[[Turn], int] = length_in_words
) -> list[int]:
    """Indices of the context turns to read, in order. Each counts one more than its length, for its separator."""
    turns = range(len(dialogue.context))
    chosen: list[int] = []
    for turn in (*turns[:topic_turns], *reversed(turns[topic_turns:])):
        most -= length(dialogue.context[turn]) + 1
        if most < 0:
            break
        chosen.append(turn)
    return sorted(chosen)
