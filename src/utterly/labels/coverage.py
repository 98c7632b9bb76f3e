"""`Coverage`: how much of the targets spans and rules cover, in the terms of the paper's section on labels.

A *phrase* is the text that one edit inserts. The paper calls it *unaligned* if the context does not contain it as one
span, word for word; according to the paper, about 42 % of CANARD's dialogues and 87.57 % of REWRITE's have no such
phrase. Only labels as extracted can be counted: once mapped onto a rule book, or made for MST or RaST, they no longer
tell where the words of the target are.
"""

from collections import Counter
from dataclasses import dataclass, field, fields
from enum import StrEnum

from utterly.errors import LabelError
from utterly.labels.labels import Labels
from utterly.labels.syntax import folded_words
from utterly.labels.trees import Context
from utterly.scripts.edits import NULL_RULE, Edit


class MadeOf(StrEnum):
    """The parts of a phrase."""

    ONE_SPAN = "one span"
    SEVERAL_SPANS = "several spans"
    SPANS_AND_WORDS = "spans and rule words"
    WORDS = "rule words only"


@dataclass
class Coverage:
    """Counts over the labels that were added; `settings` says how those were made."""

    settings: str
    dialogues: int = 0
    covered: int = 0  # applying the script gives the target's words, ignoring case
    free_of_unaligned: int = 0  # no phrase, or only such as the context has as one span
    phrases: Counter[MadeOf] = field(default_factory=Counter)
    slots: Counter[int] = field(default_factory=Counter)  # phrases by the number of slots
    copied_words: int = 0
    rule_words: int = 0

    def add(self, labels: Labels) -> None:
        dialogue = labels.script.dialogue
        if dialogue.target is None:
            raise LabelError("coverage needs targets, but the dialogue has none; label it with its rewrite")
        target = folded_words(dialogue.target.text)
        context = Context.of(dialogue)
        aligned, at = True, 0
        for edit in labels.script.edits:
            copied = sum(map(len, edit.spans))
            added = copied + len(edit.rule.words)  # a span has as many words as it covers in the target
            if edit.rule != NULL_RULE:
                aligned = aligned and bool(context.mentions(target[at : at + added]))
                self.phrases[_made_of(edit)] += 1
                self.slots[edit.rule.slots] += 1
            self.copied_words += copied
            self.rule_words += len(edit.rule.words)
            at += added + edit.keep
        self.dialogues += 1
        self.covered += tuple(word.casefold() for word in labels.script.words) == target
        self.free_of_unaligned += aligned

    def merge(self, other: "Coverage") -> None:
        """Add the counts of another."""
        for counts in fields(self)[1:]:
            setattr(self, counts.name, getattr(self, counts.name) + getattr(other, counts.name))

    @property
    def words_per_phrase(self) -> float:
        return (self.copied_words + self.rule_words) / max(self.phrases.total(), 1)


def _made_of(edit: Edit) -> MadeOf:
    if not edit.spans:
        return MadeOf.WORDS
    if not edit.rule.is_glue:
        return MadeOf.SPANS_AND_WORDS
    return MadeOf.ONE_SPAN if len(edit.spans) == 1 else MadeOf.SEVERAL_SPANS
