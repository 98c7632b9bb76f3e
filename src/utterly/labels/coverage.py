"""`Coverage`: how much of the targets spans and rules say, in the terms of the paper's section on labels.

A *phrase* is what one edit inserts. It is *unaligned*, in the paper's word, where the context does not have it
in one piece, word for word; about 42 % of CANARD's dialogues are free of such phrases, says the paper, and
87.57 % of REWRITE's. Only labels as they were extracted can be added: restricted to a rule book, or made for
MST or RaST, they no longer say which words of the target stand where.
"""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from utterly.errors import LabelError
from utterly.labels.context import Context
from utterly.labels.labels import Labels
from utterly.labels.syntax import folded_words
from utterly.scripts.edits import NULL_RULE, Edit


class Says(StrEnum):
    """What says a phrase."""

    ONE_SPAN = "one span"
    SEVERAL_SPANS = "several spans"
    SPANS_AND_WORDS = "spans and rule words"
    WORDS = "rule words only"


@dataclass
class Coverage:
    """Counts over the labels that were added. `settings` says how these were made."""

    settings: str
    dialogues: int = 0
    covered: int = 0  # applying the script gives the target's words, casing aside
    free_of_unaligned: int = 0  # every phrase stands in the context in one piece; also without any phrase
    phrases: Counter[Says] = field(default_factory=Counter)
    slots: Counter[int] = field(default_factory=Counter)  # phrases by the number of slots
    copied_words: int = 0
    rule_words: int = 0

    def add(self, labels: Labels) -> None:
        dialogue = labels.script.dialogue
        if dialogue.target is None:
            raise LabelError("coverage is measured on targets, but the dialogue has none; label it with its rewrite")
        target = folded_words(dialogue.target.text)
        context = Context([folded_words(turn.text) for turn in dialogue.context])
        aligned, at = True, 0
        for edit in labels.script.edits:
            copied = sum(map(len, edit.spans))
            added = copied + len(edit.rule.words)  # a span has as many words as the part of the target it is for
            if edit.rule != NULL_RULE:
                aligned = aligned and bool(context.mentions(target[at : at + added]))
                self.phrases[_says(edit)] += 1
                self.slots[edit.rule.slots] += 1
            self.copied_words += copied
            self.rule_words += len(edit.rule.words)
            at += added + edit.keep
        self.dialogues += 1
        self.covered += tuple(word.casefold() for word in labels.script.words) == target
        self.free_of_unaligned += aligned

    def merge(self, other: "Coverage") -> None:
        """Add what another has counted."""
        self.dialogues += other.dialogues
        self.covered += other.covered
        self.free_of_unaligned += other.free_of_unaligned
        self.phrases += other.phrases
        self.slots += other.slots
        self.copied_words += other.copied_words
        self.rule_words += other.rule_words

    @property
    def words_per_phrase(self) -> float:
        return (self.copied_words + self.rule_words) / max(self.phrases.total(), 1)

    def to_dict(self) -> dict[str, Any]:
        """All counts for programs."""
        return {
            "settings": self.settings,
            "dialogues": self.dialogues,
            "covered": self.covered,
            "free_of_unaligned": self.free_of_unaligned,
            "phrases": {str(kind): self.phrases[kind] for kind in Says},
            "slots": {str(slots): count for slots, count in sorted(self.slots.items())},
            "copied_words": self.copied_words,
            "rule_words": self.rule_words,
            "words_per_phrase": self.words_per_phrase,
        }


def _says(edit: Edit) -> Says:
    if not edit.spans:
        return Says.WORDS
    if not edit.rule.is_glue:
        return Says.SPANS_AND_WORDS
    return Says.ONE_SPAN if len(edit.spans) == 1 else Says.SEVERAL_SPANS
