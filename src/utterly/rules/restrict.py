"""Map labels onto a rule book: a tagger learns from the result and cannot do better than it.

A rule that is not in the book is replaced by the one that represents it. If words are lost, the phrase is also tried as
a sequence of copies, function words included, and the version that keeps more of the phrase wins: `did _ have`, if not
in the book, becomes `_` if the context has all of it.
"""

from typing import NamedTuple

from utterly.labels.labels import Labels, Mentions
from utterly.labels.trees import Context, best_cover, rule_with_slots
from utterly.rules.book import RuleBook
from utterly.rules.distance import indel_distance, nearest_rule
from utterly.scripts.edits import SLOT, Rule, Span


class Restriction:
    """Maps labels onto a rule book; without `copy_words`, a phrase keeps its spans, as in the paper."""

    def __init__(self, book: RuleBook, *, copy_words: bool = True) -> None:
        self.book, self._copy_words = book, copy_words
        self._known: dict[Rule, Rule] = {rule: rule for rule in book} | dict(book.exemplars)

    def rule_for(self, rule: Rule) -> Rule:
        """The rule of the book that represents a rule with at most `book.max_slots` slots; it has as many slots.

        A rule of the book represents itself, an exemplar its members. Any other rule is replaced by the nearest one,
        which may be the glue rule or, without slots, the null rule; ties go to the first in the book.
        """
        if rule not in self._known:
            self._known[rule] = nearest_rule(rule, self.book)
        return self._known[rule]

    def restrict(self, labels: Labels) -> Labels:
        """The same labels with rules of the book; labels that already use them are unchanged."""
        dialogue = labels.script.dialogue
        context = Context.of(dialogue)
        edits = zip(labels.script.edits, labels.mentions, strict=True)
        return Labels.of(
            dialogue, ((edit.keep, *self._restricted(_Version(edit.rule, same), context)) for edit, same in edits)
        )

    def _restricted(self, version: "_Version", context: Context) -> "_Version":
        if version.rule in self.book:
            return version
        phrase = version.words(context)
        options = [self._in_book(version, context)]
        if self._copy_words:
            options.append(self._in_book(_copied(phrase, context), context))
        return min(options, key=lambda each: (indel_distance(each.words(context), phrase), len(each.mentions)))

    def _in_book(self, version: "_Version", context: Context) -> "_Version":
        """The version with a rule of the book. If there are too many slots, those with the longest spans are kept."""
        rule, mentions = version
        if rule.slots > self.book.max_slots:
            lengths = [sum(map(len, context.words(spans[0]))) for spans in mentions]
            longest = sorted(range(len(mentions)), key=lambda j: (-lengths[j], j))[: self.book.max_slots]
            mentions = tuple(mentions[j] for j in sorted(longest))
            rule = Rule.glue(len(mentions))
        return _Version(self.rule_for(rule), mentions)


class _Version(NamedTuple):
    """One way to write a phrase: a rule, and for each slot the spans that fill it."""

    rule: Rule
    mentions: Mentions

    def words(self, context: Context) -> tuple[str, ...]:
        spans = iter(self.mentions)
        words: list[str] = []
        for part in self.rule.parts:
            words += [part.casefold()] if part is not SLOT else context.words(next(spans)[0])
        return tuple(words)


def _copied(phrase: tuple[str, ...], context: Context) -> _Version:
    """A phrase made of the longest possible copies from the context, whatever their words."""
    longest = context.longest_run(phrase)
    found: dict[tuple[int, int], tuple[Span, ...]] = {}

    def match(start: int, stop: int) -> int:
        if stop - start > longest:
            return 0
        found[start, stop] = context.mentions(phrase[start:stop])
        return len(found[start, stop])

    whole = 0, len(phrase)
    ranges = best_cover(whole, None, match)
    return _Version(rule_with_slots(phrase, whole, ranges), tuple(found[r] for r in ranges))
