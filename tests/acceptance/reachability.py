"""Whether an editor can write a text, so that no case asks for wordings that only a generator could give.

An editor keeps words of the turn in their order, copies spans of the history, and adds small words of rules.
"""

from difflib import SequenceMatcher
from typing import Final

from tests.acceptance.scoring import Case
from utterly.dialogues.dialogue import split_words

# What a rule may say. Pronouns, questions and verbs of content are no rule's: they must be copied.
RULE_WORDS: Final = frozenset(
    "a an the of in on at to for from by with about after before when instead besides other than aside "
    "and also is was do does did can it 's ' , ? "
    "的 了 吗 呢 是 在 和 有 里 那 这 们 除 以 外".split()
)
SPANS_OF_A_RULE: Final = 3


def words_of(text: str) -> list[str]:
    return [word.text for word in split_words(text.casefold().replace("，", ",").replace("？", "?"))]


def foreign_words(case: Case, text: str) -> list[str]:
    """Words that are neither in the dialogue nor in a rule."""
    known = RULE_WORDS.union(*map(words_of, case.turns))
    return [word for word in words_of(text) if word not in known]


def crowded_insertions(case: Case, text: str) -> list[str]:
    """Phrases that need more spans than rules hold at their place: one rule before each deleted word and the next."""
    turn, words = words_of(case.utterance), words_of(text)
    changes = SequenceMatcher(None, turn, words, autojunk=False).get_opcodes()
    return [
        " ".join(words[start:stop])
        for change, deleted_from, deleted_to, start, stop in changes
        if change in ("insert", "replace")
        and spans_needed(case, words[start:stop]) > SPANS_OF_A_RULE * (1 + deleted_to - deleted_from)
    ]


def spans_needed(case: Case, phrase: list[str]) -> int:
    """The spans of the history that a phrase is put together from, the longest first; rule words cost none."""
    spans = 0
    while phrase:
        length = next((n for n in range(len(phrase), 0, -1) if is_copied(case, phrase[:n])), 1)
        spans += length > 1 or phrase[0] not in RULE_WORDS
        phrase = phrase[length:]
    return spans


def is_copied(case: Case, phrase: list[str]) -> bool:
    """Whether one turn of the history holds these words side by side."""
    turns = map(words_of, case.history)
    return any(turn[i : i + len(phrase)] == phrase for turn in turns for i in range(len(turn)))
