"""How a rewrite is drawn: marks without colour, styles with it."""

import pytest
from rich.text import Text

from utterly.dialogues.dialogue import Dialogue
from utterly.rewriter import Alternative, Rewrite
from utterly.scripts.edits import Edit, EditScript, Rule, Span
from utterly.terminal.rewrites import explanation, rewrite_diff

ENGLISH = Dialogue.of(["Why did Federer withdraw?", "He hurt his back.", "Did he have any other injuries?"])
HE = Edit(keep=False, rule=Rule.parse("_"), spans=(Span(0, 2, 3),))
END = Edit(keep=True, rule=Rule.parse("besides _"), spans=(Span(1, 2, 4),))
CHINESE = Dialogue.of(["你喜欢周杰伦吗", "他最有名的歌是什么"])
HIM = Edit(keep=False, rule=Rule.parse("_"), spans=(Span(0, 3, 6),))


def rewrite_by(script: EditScript, **more: object) -> Rewrite:
    text, source = script.apply(), script.dialogue.source.text
    return Rewrite(text=text, source=source, confidence=0.834, model="en", script=script, **more)  # type: ignore[arg-type]


def styled(text: Text, style: str) -> list[str]:
    return [text.plain[span.start : span.end] for span in text.spans if span.style == style]


@pytest.mark.parametrize(
    ("dialogue", "changes", "drawn"),
    [
        (
            ENGLISH,
            [(1, HE), (6, END)],
            "Did [-he-] {+Federer+} have any other injuries {+besides his back+}?",
        ),
        (CHINESE, [(0, HIM)], "[-他-]{+周杰伦+}最有名的歌是什么"),
        (ENGLISH, [], "Did he have any other injuries?"),
    ],
)
def test_without_colour_a_diff_has_marks(dialogue: Dialogue, changes: list[tuple[int, Edit]], drawn: str) -> None:
    rewrite = rewrite_by(EditScript.from_changes(dialogue, changes))
    assert rewrite_diff(rewrite, coloured=False).plain == drawn


def test_in_colour_what_is_deleted_a_rules_or_copied_has_a_style_of_its_own() -> None:
    text = rewrite_diff(rewrite_by(EditScript.from_changes(ENGLISH, [(1, HE), (6, END)])), coloured=True)
    assert text.plain == "Did he Federer have any other injuries besides his back?"
    assert styled(text, "red strike") == ["he"]
    assert styled(text, "bold yellow") == ["besides"]
    assert styled(text, "bold green") == ["Federer", "his back"]


def test_in_colour_a_blank_keeps_a_deleted_word_from_what_replaces_it() -> None:
    text = rewrite_diff(rewrite_by(EditScript.from_changes(CHINESE, [(0, HIM)])), coloured=True)
    assert text.plain == "他 周杰伦最有名的歌是什么"


def test_an_explanation_colours_rules_and_spans_as_the_diff_does() -> None:
    script = EditScript.from_changes(ENGLISH, [(6, END)])
    text = explanation(rewrite_by(script, alternatives=(Alternative("So?", 0.1),)))
    assert text.plain.splitlines() == [
        '  word 7 "?": keep, insert "besides his back" by rule "besides _" from turn 2, characters 8-16 "his back"',
        "  confidence 0.83, model en",
        "  or, at 0.10: So?",
    ]
    assert styled(text, "bold yellow") == ['"besides _"']
    assert styled(text, "bold green") == ['"his back"']


def test_what_no_model_was_asked_is_shown_as_it_is_with_the_reason() -> None:
    rewrite = Rewrite(text="So?", source="So?", confidence=1.0, model="en", reason="there is nothing before it")
    assert rewrite_diff(rewrite, coloured=False).plain == "So?"
    assert explanation(rewrite).plain.splitlines()[0] == "  no change: there is nothing before it"
