"""Count, cut and map rules as the paper's authors do.

Only phrases that are not a single span are counted. A rule loses a punctuation mark at its end, and everything from the
first slot too many on. A rule that the book has neither as a rule nor as a member becomes the glue rule with as many
slots; without slots, nothing is inserted.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from utterly.labels.labels import Labels
from utterly.rules.book import RuleBook
from utterly.scripts.edits import NULL_RULE, SLOT, Rule

_STRIPPED: Final = frozenset(", ? ! ， ？ ！".split())


def cut_rule(rule: Rule, max_slots: int) -> Rule:
    """A rule without the punctuation mark at its end, and cut before the first slot too many.

    >>> [str(cut_rule(Rule.parse(text), 2)) for text in ("besides _ ,", "_ , _ , _", "?")]
    ['besides _', '_ , _ ,', '∅']
    """
    parts = rule.parts[:-1] if rule.parts[-1:] and rule.parts[-1] in _STRIPPED else rule.parts
    slots = [place for place, part in enumerate(parts) if part is SLOT]
    return Rule(parts[: slots[max_slots]] if len(slots) > max_slots else parts)


def count_unaligned(labels: Iterable[Labels], *, max_slots: int = 3) -> Counter[Rule]:
    """How many phrases each cut rule inserts, not counting single spans and rules cut to nothing."""
    rules = (edit.rule for each in labels for edit in each.script.edits if edit.rule not in (NULL_RULE, Rule.glue(1)))
    counts = Counter(cut_rule(rule, max_slots) for rule in rules)
    del counts[NULL_RULE]
    return counts


class LiteralRestriction:
    """Maps labels onto a book as the paper does; `Restriction` is ours."""

    def __init__(self, book: RuleBook) -> None:
        self._book = book

    def restrict(self, labels: Labels) -> Labels:
        """The same labels with rules of the book. Of too many slots, the first ones stay; no words are copied."""
        edits = zip(labels.script.edits, labels.mentions, strict=True)
        mapped = ((edit.keep, self.rule_for(edit.rule), same) for edit, same in edits)
        cut = ((keep, rule, same[: rule.slots]) for keep, rule, same in mapped)
        return Labels.of(labels.script.dialogue, cut)

    def rule_for(self, rule: Rule) -> Rule:
        """The rule of the book that represents a rule."""
        cut = cut_rule(rule, self._book.max_slots)
        return cut if cut in self._book else self._book.exemplars.get(cut, Rule.glue(cut.slots))
