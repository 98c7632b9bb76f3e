"""Which turns of a long dialogue a baseline reads: the first ones, which carry the topic, and the newest that fit."""

from utterly.dialogues.dialogue import Dialogue


def turns_that_fit(dialogue: Dialogue, *, topic_turns: int, most_words: int) -> list[int]:
    """The context turns in their order. Each takes a word more than it has, for what parts it from the next."""
    last = len(dialogue.context) - 1
    topics = min(topic_turns, last + 1)
    chosen: list[int] = []
    for turn in (*range(topics), *range(last, topics - 1, -1)):
        most_words -= len(dialogue.context[turn].words) + 1
        if most_words < 0:
            break
        chosen.append(turn)
    return sorted(chosen)
