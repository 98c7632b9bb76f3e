"""A drawn script is the rewrite and what was deleted, and knows where each stretch comes from."""

import pytest
from hypothesis import given

from tests.strategies import scripts
from utterly.dialogues.dialogue import Dialogue
from utterly.scripts.edits import Edit, EditScript, Rule, Span
from utterly.server.segments import segments

TURNS = ["Why did Federer withdraw?", "He hurt his back.", "Did he have any other injuries?"]
HE = (1, Edit(False, Rule.parse("_"), (Span(0, 2, 3),)))
BESIDES = (6, Edit(True, Rule.parse("besides _"), (Span(1, 2, 4),)))


@given(scripts())
def test_all_but_the_deleted_joined_are_the_rewrite(script: EditScript) -> None:
    drawn = segments(script)
    assert "".join(each.text for each in drawn if each.kind != "deleted") == script.apply()
    deleted = [
        word.text for word, edit in zip(script.dialogue.source.words, script.edits, strict=False) if not edit.keep
    ]
    assert "".join(" ".join(each.text for each in drawn if each.kind == "deleted").split()) == "".join(deleted)


@given(scripts())
def test_every_span_of_the_script_is_drawn(script: EditScript) -> None:
    spans = [span for edit in script.edits for span in edit.spans]
    places = {(each.turn, each.characters) for each in segments(script) if each.kind == "copied"}
    assert places == {(span.turn, span.characters_in(script.dialogue)) for span in spans}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([], "kept:Did he have any other injuries?"),
        ([HE], "kept:Did |deleted:he|copied:Federer|kept: have any other injuries?"),
        ([BESIDES], "kept:Did he have any other injuries |rule:besides|kept: |copied:his back|kept:?"),
        ([(0, Edit(False)), (1, Edit(False))], "deleted:Did he|kept:Have any other injuries?"),
    ],
)
def test_segments_read_from_left_to_right(changes: list[tuple[int, Edit]], expected: str) -> None:
    script = EditScript.from_changes(Dialogue.of(TURNS), changes)
    assert "|".join(f"{each.kind}:{each.text}" for each in segments(script)) == expected
