"""Which turns of a long dialogue a baseline reads: the first ones, which carry the topic, and the newest that fit."""

from collections.abc import Callable

from utterly.dialogues.dialogue import Dialogue, Turn


def length_in_words(turn: Turn) -> int:
    return len(turn.words)


def turns_that_fit(
    dialogue: Dialogue, *, topic_turns: int, most: int, length: Callable[[Turn], int] = length_in_words
) -> list[int]:
    """The context turns in their order. Each takes one more than its length, for what parts it from the next."""
    last = len(dialogue.context) - 1
    topics = min(topic_turns, last + 1)
    chosen: list[int] = []
    for turn in (*range(topics), *range(last, topics - 1, -1)):
        most -= length(dialogue.context[turn]) + 1
        if most < 0:
            break
        chosen.append(turn)
    return sorted(chosen)
