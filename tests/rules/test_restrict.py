"""Labels in rules of a book: nothing else remains, and as much as can be is kept."""

import pytest
from hypothesis import given

from tests.rules.slow_twins import lcs_length
from tests.rules.strategies import books, labels
from utterly.dialogues.dialogue import Dialogue
from utterly.labels.labels import Labels
from utterly.rules.book import RuleBook
from utterly.rules.restrict import Restriction
from utterly.scripts.edits import NULL_RULE, SLOT, Edit, EditScript, Rule, Span


def rule(text: str) -> Rule:
    return Rule.parse(text)


def book(*texts: str, members: dict[str, str] | None = None) -> RuleBook:
    exemplars = {rule(member): rule(exemplar) for member, exemplar in (members or {}).items()}
    return RuleBook(tuple(map(rule, texts)), (1,) * len(texts), exemplars)


def phrase(edit: Edit, dialogue: Dialogue) -> list[str]:
    """The words an edit inserts, without their casing."""
    spans = iter(edit.spans)
    words = [[part] if part is not SLOT else next(spans).words_in(dialogue) for part in edit.rule.parts]
    return [word.casefold() for some in words for word in some]


def lost(restricted: Labels, original: Labels) -> list[float]:
    """For each edit, how far what it inserts now is from what it inserted before."""
    dialogue = original.script.dialogue
    both = zip(restricted.script.edits, original.script.edits, strict=True)
    phrases = [(phrase(now, dialogue), phrase(before, dialogue)) for now, before in both]
    return [1 - 2 * lcs_length(now, before) / (len(now) + len(before) or 1) for now, before in phrases]


def labels_for(context: str, *edits: tuple[str, list[tuple[int, int]]]) -> Labels:
    """Labels of a dialogue with one context turn: what each edit inserts, all source words kept."""
    dialogue = Dialogue.of([context, " ".join("x" * (len(edits) - 1))])
    made = [Edit(True, rule(text), tuple(Span(0, *place) for place in places)) for text, places in edits]
    mentions = tuple(tuple((span,) for span in edit.spans) for edit in made)
    return Labels(EditScript(dialogue, tuple(made)), mentions)


@given(labels(), books())
def test_only_rules_of_the_book_remain(original: Labels, some: RuleBook) -> None:
    restricted = Restriction(some).restrict(original)
    assert all(edit.rule in some for edit in restricted.script.edits)
    assert restricted.script.dialogue is original.script.dialogue
    assert [edit.keep for edit in restricted.script.edits] == [edit.keep for edit in original.script.edits]


@given(labels())
def test_labels_in_rules_of_the_book_are_left_alone(original: Labels) -> None:
    used = {edit.rule for edit in original.script.edits}
    max_slots = max([1, *(each.slots for each in used)])
    fixed = (NULL_RULE, *map(Rule.glue, range(1, max_slots + 1)))
    some = RuleBook((*fixed, *(used - {*fixed})), (0,) * len({*fixed} | used))
    assert Restriction(some).restrict(original) == original


@given(labels(), books())
def test_copying_words_never_loses_more_than_the_literal_mapping(original: Labels, some: RuleBook) -> None:
    literal = lost(Restriction(some, copy_words=False).restrict(original), original)
    copying = lost(Restriction(some).restrict(original), original)
    assert all(mine <= theirs + 1e-9 for mine, theirs in zip(copying, literal, strict=True))


@given(labels(), books())
def test_restricting_again_changes_nothing(original: Labels, some: RuleBook) -> None:
    once = Restriction(some).restrict(original)
    assert Restriction(some).restrict(once) == once


@pytest.mark.parametrize(
    ("unseen", "stands_for_it"),
    [
        ("besides _", "besides _"),
        ("apart from _", "besides _"),  # a member of its cluster
        ("in addition to _", "in addition _"),  # the paper's example
        ("whatever _", "_"),
        ("whatever _ of _", "_ of _"),
        ("okay", "∅"),
        ("so ?", "?"),
    ],
)
def test_a_rule_outside_the_book_goes_to_its_exemplar_else_to_the_nearest(unseen: str, stands_for_it: str) -> None:
    some = book(
        "∅", "_", "_ _", "besides _", "in addition _", "_ of _", "?", members={"apart from _": "besides _"}
    )  # fmt: skip
    assert Restriction(some).rule_for(rule(unseen)) == rule(stands_for_it)


def test_of_too_many_slots_the_longest_spans_stay_in_their_order() -> None:
    original = labels_for("a winter in Paris", ("_ , _ , _", [(0, 1), (3, 4), (1, 2)]))
    restricted = Restriction(book("∅", "_", "_ _"), copy_words=False).restrict(original)
    assert restricted.script.edits == (Edit(True, rule("_ _"), (Span(0, 3, 4), Span(0, 1, 2))),)
    assert restricted.mentions == (((Span(0, 3, 4),), (Span(0, 1, 2),)),)


def test_words_outside_the_rules_are_copied_where_the_context_has_them() -> None:
    original = labels_for("Why did Federer have injuries ?", ("did _ have", [(2, 3)]))
    some = book("∅", "_", "_ _")
    assert Restriction(some, copy_words=False).restrict(original).script.words == ("Federer",)
    assert Restriction(some).restrict(original).script.edits == (Edit(True, rule("_"), (Span(0, 1, 4),)),)


def test_every_mention_of_a_copy_is_recorded_newest_first() -> None:
    dialogue = Dialogue.of(["of course", "he , of course , won", ""])
    original = Labels(EditScript(dialogue, (Edit(True, rule("of course")),)), ((),))
    restricted = Restriction(book("∅", "_")).restrict(original)
    assert restricted.mentions == (((Span(1, 2, 4), Span(0, 0, 2)),),)
