"""Edit scripts: what can be built, and the text they make."""

from typing import Any

import pytest
from hypothesis import given

from tests.strategies import RULES, dialogues, scripts
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import EditError
from utterly.scripts.edits import KEEP, NULL_RULE, SLOT, Edit, EditScript, Rule, Span

FEDERER = Dialogue.of(
    [
        "Why did Federer withdraw from the tournament?",
        "He injured his back in yesterday's match.",
        "Did he have any other injuries?",
    ]
)
PUPPY = Dialogue.of(["We adopted the puppy last week.", "it sleeps well, mostly at night."])


def rewritten(turns: list[str], changes: dict[int, Edit], language: str = "") -> str:
    return EditScript.from_changes(Dialogue.of(turns, language=language), changes.items()).apply()


def replaced_by(turn: int, start: int, stop: int, rule: str = "_") -> Edit:
    return Edit(False, Rule.parse(rule), (Span(turn, start, stop),))


def inserted(turn: int, start: int, stop: int, rule: str = "_") -> Edit:
    return Edit(True, Rule.parse(rule), (Span(turn, start, stop),))


def test_the_papers_federer_example_is_two_edits() -> None:
    script = EditScript.from_changes(FEDERER, [(1, replaced_by(0, 2, 3)), (6, inserted(1, 2, 4, "besides _"))])
    assert script.apply() == "Did Federer have any other injuries besides his back?"
    assert script.words == ("Did", "Federer", "have", "any", "other", "injuries", "besides", "his", "back", "?")


def test_the_papers_puppy_example_uses_all_four_cases() -> None:
    delete = Edit(False)
    script = EditScript.from_changes(
        PUPPY, [(0, replaced_by(0, 2, 4)), (3, delete), (4, delete), (7, Edit(True, Rule(("now",))))]
    )
    assert script.apply() == "the puppy sleeps well at night now."


@given(dialogues())
def test_a_script_without_changes_gives_the_source_to_the_byte(dialogue: Dialogue) -> None:
    assert EditScript.unchanged(dialogue).apply() == dialogue.source.text


@given(scripts())
def test_a_rewrite_holds_exactly_the_kept_the_inserted_and_the_copied_words(script: EditScript) -> None:
    expected: list[str] = []
    for edit, word in zip(script.edits, [*script.dialogue.source.words, None], strict=True):
        spans = iter(edit.spans)
        for part in edit.rule.parts:
            expected += [part] if part is not SLOT else next(spans).words_in(script.dialogue)
        expected += [word.text] if word and edit.keep else []
    assert [word.lower() for word in script.words] == [word.lower() for word in expected]
    assert "".join("".join(script.words).split()) == "".join(script.apply().split())


@pytest.mark.parametrize(
    ("turns", "changes", "rewrite"),
    [
        (["Paul called.", "his phone is off"], {0: replaced_by(0, 0, 1, "_ 's")}, "Paul's phone is off"),
        (["Paul called.", "Who  called ?"], {2: inserted(0, 0, 1, "besides _")}, "Who  called besides Paul ?"),
        (["Paul and Ann.", "Is it (really) them?"], {5: replaced_by(0, 0, 3)}, "Is it (really) Paul and Ann?"),
        (["the back", "Any other ones"], {3: inserted(0, 0, 2, "besides _")}, "Any other ones besides the back"),
        (["the back", "Any other ones "], {3: inserted(0, 0, 2)}, "Any other ones the back "),
        (["a  dog", "what about\nit"], {2: replaced_by(0, 0, 2)}, "what about\na dog"),
        (["x", "so?"], {1: Edit(True, Rule((",", SLOT)), (Span(0, 0, 1),))}, "so, x?"),
        (["x y", "go"], {1: Edit(True, Rule(('"', SLOT, '"')), (Span(0, 0, 2),))}, 'go "x y"'),
        (["x", "did they win?"], {3: replaced_by(0, 0, 1, "while _ won ?")}, "did they win while x won?"),
        (["see 'The Demos' now", "the album?"], {2: inserted(0, 1, 5)}, "the album 'The Demos'?"),
        (["a - b / c", "is it"], {1: replaced_by(0, 0, 5)}, "is a - b / c"),
        (["in post war", "the era"], {1: inserted(0, 1, 3)}, "the post war era"),
        (["ابراهيم", "أين هو؟"], {1: replaced_by(0, 0, 1)}, "أين ابراهيم؟"),
    ],
)
def test_blanks_stand_where_a_writer_puts_them(turns: list[str], changes: dict[int, Edit], rewrite: str) -> None:
    assert rewritten(turns, changes) == rewrite


@pytest.mark.parametrize(
    ("turns", "changes", "rewrite"),
    [
        (["西安天气", "明天有雨吗"], {0: inserted(0, 0, 2)}, "西安明天有雨吗"),
        (["iphonex 好不好", "为什么不好用"], {0: inserted(0, 0, 1)}, "iphonex为什么不好用"),
        (["你喜欢Tom Hanks吗", "他演过什么？"], {0: replaced_by(0, 3, 5)}, "Tom Hanks演过什么？"),
        (["好", "what does it mean"], {2: replaced_by(0, 0, 1)}, "what does 好 mean"),
    ],
)
def test_chinese_gets_no_blanks(turns: list[str], changes: dict[int, Edit], rewrite: str) -> None:
    assert rewritten(turns, changes) == rewrite


@pytest.mark.parametrize(
    ("turns", "changes", "rewrite"),
    [
        (["his back hurts", "Any others?"], {0: inserted(0, 0, 2, "besides _")}, "Besides his back any others?"),
        (["his back hurts", "Paul too?"], {0: inserted(0, 0, 2, "besides _")}, "Besides his back Paul too?"),
        (["A-1043", "Can I cancel it?"], {3: replaced_by(0, 0, 3)}, "Can I cancel A-1043?"),
        (["What is it?", "And now?"], {1: inserted(0, 0, 3)}, "And what is it now?"),
        (["his back hurts", "any others?"], {0: inserted(0, 0, 2, "besides _")}, "besides his back any others?"),
        (["the puppy", "It sleeps."], {0: replaced_by(0, 0, 2)}, "The puppy sleeps."),
        (["my iPhone", "It rings."], {0: replaced_by(0, 1, 2)}, "iPhone rings."),
        (["The puppy is here.", "Does it sleep?"], {1: replaced_by(0, 0, 2)}, "Does the puppy sleep?"),
        (["Yes. The puppy.", "Does it sleep?"], {1: replaced_by(0, 2, 4)}, "Does the puppy sleep?"),
        (["Paul is here.", "does he sleep?"], {1: replaced_by(0, 0, 1)}, "does Paul sleep?"),
        (["I met The Who.", "Did they play?"], {1: replaced_by(0, 2, 4)}, "Did The Who play?"),
        (["x", "And did it rain?"], {0: Edit(False)}, "Did it rain?"),
        (["the puppy", "Okay. It sleeps."], {2: replaced_by(0, 0, 2)}, "Okay. The puppy sleeps."),
        (["The puppy", "okay. it sleeps."], {2: replaced_by(0, 0, 2)}, "okay. The puppy sleeps."),
        (["the puppy", "okay. it sleeps."], {2: replaced_by(0, 0, 2)}, "okay. the puppy sleeps."),
        (["x", "Okay. And did it rain?"], {2: Edit(False)}, "Okay. Did it rain?"),
        (["Yes. The puppy.", "what about it?"], {2: replaced_by(0, 0, 4)}, "what about Yes. The puppy?"),
        (["élan vital", "Is it real?"], {0: inserted(0, 0, 1)}, "Élan is it real?"),
    ],
)
def test_capitals_follow_the_place_in_the_sentence(turns: list[str], changes: dict[int, Edit], rewrite: str) -> None:
    assert rewritten(turns, changes) == rewrite


@given(RULES)
def test_a_rule_reads_back_from_its_text(rule: Rule) -> None:
    assert Rule.parse(str(rule)) == rule


def test_a_rule_tells_a_slot_from_a_word_that_looks_like_one() -> None:
    word, slot = Rule(("_",)), Rule((SLOT,))
    assert (str(word), str(slot), word.slots, slot.slots) == ("\\_", "_", 0, 1)
    assert (Rule.glue(2).is_glue, NULL_RULE.is_glue, Rule.parse("of _").is_glue) == (True, False, False)


@pytest.mark.parametrize("part", ["", " ", "two words", "tail ", 7, "lone\ud800"])
def test_a_rule_refuses_parts_that_are_no_words(part: str) -> None:
    with pytest.raises(EditError, match="a part of a rule must be SLOT or one word"):
        Rule((part,))


@pytest.mark.parametrize(("turn", "start", "stop"), [(-1, 0, 1), (0, -1, 1), (0, 2, 2), (0, 3, 2)])
def test_a_span_must_hold_at_least_a_word(turn: int, start: int, stop: int) -> None:
    with pytest.raises(EditError, match="0 <= start < stop"):
        Span(turn, start, stop)


@pytest.mark.parametrize(("turn", "start", "stop"), [(True, 0, 1), (0, 0.0, 1), (0, 0, "1"), (None, 0, 1)])
def test_the_places_of_a_span_are_whole_numbers(turn: Any, start: Any, stop: Any) -> None:
    with pytest.raises(EditError, match="a span needs whole numbers"):
        Span(turn, start, stop)


@pytest.mark.parametrize("parts", ["ab", ["a"], None])
def test_a_rule_is_a_tuple(parts: Any) -> None:
    with pytest.raises(EditError, match=r"a rule must be a tuple of parts, got .*; `Rule.parse` makes one from text"):
        Rule(parts)


@pytest.mark.parametrize(
    "parts",
    [(1,), (True, "_", ()), (True, Rule.glue(1), [Span(0, 0, 1)]), (True, Rule.glue(1), ("Federer",))],
)
def test_an_edit_is_made_of_its_types(parts: Any) -> None:
    with pytest.raises(EditError, match=r"an edit needs keep \(True or False\), a Rule and a tuple of Spans, got"):
        Edit(*parts)


@pytest.mark.parametrize("parts", [(None, ()), (FEDERER, [KEEP] * 8), (FEDERER, ("keep",) * 8)])
def test_a_script_is_made_of_its_types(parts: Any) -> None:
    with pytest.raises(EditError, match="a script needs a Dialogue and a tuple of Edits, got"):
        EditScript(*parts)


def test_a_word_has_one_edit() -> None:
    with pytest.raises(EditError, match="a word must have one edit, got two for word 1 counted from 0"):
        EditScript.from_changes(FEDERER, [(1, Edit(False)), (1, replaced_by(0, 2, 3))])


def test_an_edit_needs_a_span_for_each_slot() -> None:
    with pytest.raises(EditError, match=r"'besides _' has 1 slot\(s\), got 0 span\(s\)"):
        Edit(True, Rule(("besides", SLOT)))


def test_a_script_needs_an_edit_for_each_word_and_one_for_the_end() -> None:
    with pytest.raises(EditError, match=r"a source of 7 word\(s\) needs 8 edits.* got 7"):
        EditScript(FEDERER, (KEEP,) * 7)


def test_the_end_cannot_be_deleted() -> None:
    with pytest.raises(EditError, match="the last edit is for the end"):
        EditScript(FEDERER, (*(KEEP,) * 7, Edit(False)))


@pytest.mark.parametrize("span", [Span(2, 0, 1), Span(0, 7, 9)])
def test_a_span_outside_the_context_is_refused(span: Span) -> None:
    with pytest.raises(EditError, match=r"is outside the context, whose turns have \[8, 9\] words"):
        EditScript.from_changes(FEDERER, [(0, Edit(True, Rule.glue(1), (span,)))])


def test_an_edit_outside_the_source_is_refused() -> None:
    with pytest.raises(EditError, match="belongs to another dialogue"):
        EditScript.from_changes(FEDERER, [(8, Edit(False))])
