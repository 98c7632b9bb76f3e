"""A diff holds both the source and the rewrite, and says how each part came about."""

from hypothesis import given

from tests.strategies import scripts
from utterly.dialogues.dialogue import Dialogue
from utterly.scripts.diff import Kind, diff
from utterly.scripts.edits import Edit, EditScript, Rule, Span


@given(scripts())
def test_all_that_is_not_deleted_is_the_rewrite(script: EditScript) -> None:
    assert "".join(part.text for part in diff(script) if part.kind is not Kind.DELETED) == script.apply()


@given(scripts())
def test_what_is_deleted_and_what_is_kept_are_the_words_of_the_source(script: EditScript) -> None:
    words = [part.text for part in diff(script) if part.kind in (Kind.KEPT, Kind.DELETED)]
    bare = "".join("".join(words).split())
    source = "".join(word.text for word in script.dialogue.source.words)
    assert bare.casefold() == "".join(source.split()).casefold()  # a kept word may have got a capital


@given(scripts())
def test_words_of_spans_are_those_of_the_context(script: EditScript) -> None:
    for part in diff(script):
        if part.kind is Kind.SPAN and part.span is not None:
            words = script.edits[part.edit].spans[part.span].words_in(script.dialogue)
            assert "".join(part.text.split()).casefold() == "".join(words).casefold()


def test_rule_words_and_each_span_stand_apart() -> None:
    dialogue = Dialogue.of(["Why did Federer withdraw?", "He hurt his back.", "Did he have any other injuries?"])
    he = Edit(keep=False, rule=Rule.parse("_ and _"), spans=(Span(0, 2, 3), Span(1, 2, 4)))
    end = Edit(keep=True, rule=Rule.parse("besides _"), spans=(Span(1, 2, 4),))
    parts = diff(EditScript.from_changes(dialogue, [(1, he), (6, end)]))
    assert [(part.text, part.kind, part.edit, part.span) for part in parts] == [
        ("Did", Kind.KEPT, 0, None),
        (" he", Kind.DELETED, 1, None),
        (" Federer", Kind.SPAN, 1, 0),
        (" and", Kind.RULE, 1, None),
        (" his back", Kind.SPAN, 1, 1),
        (" have any other injuries", Kind.KEPT, 2, None),
        (" besides", Kind.RULE, 6, None),
        (" his back", Kind.SPAN, 6, 0),
        ("?", Kind.KEPT, 6, None),
    ]


def test_an_unchanged_turn_is_one_kept_part() -> None:
    dialogue = Dialogue.of(["so", " thank you!\n"])
    (part,) = diff(EditScript.unchanged(dialogue))
    assert (part.text, part.kind) == (" thank you!\n", Kind.KEPT)
