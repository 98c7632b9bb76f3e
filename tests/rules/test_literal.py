"""The paper's own rules: what is counted and cut, and labels in the rules of a book."""

import pytest
from hypothesis import given

from tests.rules.strategies import books, labels
from tests.rules.test_restrict import book, labels_for, rule
from utterly.labels.labels import Labels
from utterly.rules.book import RuleBook
from utterly.rules.literal import LiteralRestriction, count_unaligned, cut_rule
from utterly.scripts.edits import NULL_RULE, Edit, Span


@pytest.mark.parametrize(
    ("whole", "cut"),
    [
        ("besides _", "besides _"),
        ("besides _ ,", "besides _"),
        ("_ ? ?", "_ ?"),
        ("_ .", "_ ."),  # the authors strip , ? and !
        ("！", "∅"),
        ("_ , _ , _", "_ , _ ,"),  # a rule of theirs for MuDoCo
        ("the _ _ 's old _ _ of", "the _ _ 's old"),
        ("∅", "∅"),
    ],
)
def test_a_rule_loses_punctuation_at_its_end_and_all_from_the_first_slot_too_many_on(whole: str, cut: str) -> None:
    assert cut_rule(rule(whole), 2) == rule(cut)


def test_only_phrases_that_no_single_span_says_are_counted() -> None:
    some = labels_for(
        "a winter in Paris", ("_", [(0, 1)]), ("_ _ ?", [(0, 1), (3, 4)]), ("?", []), ("by _ ,", [(3, 4)])
    )
    assert count_unaligned([some, some], max_slots=2) == {rule("_ _"): 2, rule("by _"): 2}


@given(labels(), books())
def test_only_rules_of_the_book_remain_with_the_first_spans(original: Labels, some: RuleBook) -> None:
    restricted = LiteralRestriction(some).restrict(original)
    for before, after in zip(original.script.edits, restricted.script.edits, strict=True):
        assert after.rule in some
        assert after.keep == before.keep
        assert after.spans == before.spans[: some.max_slots]


@pytest.mark.parametrize(
    ("unseen", "stands_for_it"),
    [
        ("besides _ ,", "besides _"),
        ("apart from _ ,", "besides _"),  # a member of its cluster, once cut
        ("in addition to _", "_"),  # `in addition _` is near, and does not count
        ("whatever _ of _ _", "_ _"),
        ("okay", "∅"),
    ],
)
def test_a_rule_outside_the_book_goes_to_its_exemplar_else_to_the_glue_rule(unseen: str, stands_for_it: str) -> None:
    some = book("∅", "_", "_ _", "besides _", "in addition _", members={"apart from _": "besides _"})
    assert LiteralRestriction(some).rule_for(rule(unseen)) == rule(stands_for_it)


def test_of_too_many_slots_the_first_stay_and_no_words_are_copied() -> None:
    original = labels_for("a winter in Paris", ("_ , _ , _ in", [(0, 1), (3, 4), (1, 2)]))
    restricted = LiteralRestriction(book("∅", "_", "_ _")).restrict(original)
    assert restricted.script.edits == (Edit(True, rule("_ _"), (Span(0, 0, 1), Span(0, 3, 4))),)
    assert LiteralRestriction(book("∅", "_")).rule_for(rule("so !")) == NULL_RULE
