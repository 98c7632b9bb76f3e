"""Scripts that use only the rules of a book: what training learns from, and the ceiling of every tagger."""

from collections.abc import Sequence

from rapidfuzz.distance import Indel

from utterly.edits import NULL_RULE, Edit, EditScript, Rule, Span
from utterly.labels.extract import Labels
from utterly.rules.book import RuleBook


class Restriction:
    """Maps labels onto one rule book."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book
        self._known: dict[Rule, Rule] = {rule: rule for rule in book} | dict(book.exemplars)

    def rule_for(self, rule: Rule) -> Rule:
        """The rule of the book that stands for `rule`, with as many slots.

        A rule of the book stands for itself, an exemplar for its members. Any other goes to the nearest
        rule with as many slots, which may be the glue rule, or without slots the null rule; of equally near
        ones to the one that comes first in the book.
        """
        if rule not in self._known:
            same_slots = [each for each in self.book if each.slots == rule.slots]
            self._known[rule] = min(same_slots, key=lambda each: Indel.normalized_distance(rule.parts, each.parts))
        return self._known[rule]

    def restrict(self, labels: Labels) -> Labels:
        """The same labels in rules of the book. Of too many slots, those of the longest spans stay."""
        edits, mentions = [], []
        for edit, same in zip(labels.script.edits, labels.mentions, strict=True):
            spans, same = self._longest(edit.spans, same, labels)
            rule = edit.rule if len(spans) == edit.rule.slots else Rule.glue(len(spans))
            edits.append(Edit(edit.keep, self.rule_for(rule), spans))
            mentions.append(same)
        return Labels(EditScript(labels.script.dialogue, tuple(edits)), tuple(mentions))

    def _longest(
        self, spans: tuple[Span, ...], same: tuple[tuple[Span, ...], ...], labels: Labels
    ) -> tuple[tuple[Span, ...], tuple[tuple[Span, ...], ...]]:
        lengths = [sum(map(len, span.words_in(labels.script.dialogue))) for span in spans]
        longest = sorted(range(len(spans)), key=lambda j: (-lengths[j], j))[: self.book.max_slots]
        kept = sorted(longest)
        return tuple(spans[j] for j in kept), tuple(same[j] for j in kept)
