"""A drawn script holds both the source and the rewrite, and says where each segment comes from."""

import pytest
from hypothesis import given

from tests.strategies import scripts
from utterly.dialogues.dialogue import Dialogue
from utterly.scripts.diff import SegmentKind, segments
from utterly.scripts.edits import Edit, EditScript, Rule, Span


@given(scripts())
def test_what_is_deleted_and_what_is_kept_are_the_words_of_the_source(script: EditScript) -> None:
    words = [segment.text for segment in segments(script) if segment.kind in (SegmentKind.KEPT, SegmentKind.DELETED)]
    bare = "".join("".join(words).split())
    source = "".join(word.text for word in script.dialogue.source.words)
    assert bare.casefold() == "".join(source.split()).casefold()  # a kept word may have got a capital


@given(scripts())
def test_copied_words_are_those_of_the_context(script: EditScript) -> None:
    for segment in segments(script):
        if segment.turn is not None and segment.characters is not None:
            start, stop = segment.characters
            words = script.dialogue.context[segment.turn].text[start:stop]
            said, copied = ("".join(text.split()).casefold() for text in (segment.text, words))
            assert said == copied * (len(said) // len(copied))  # a span may be copied twice


TURNS = ["Why did Federer withdraw?", "He hurt his back.", "Did he have any other injuries?"]


def test_rule_words_and_each_span_stand_apart() -> None:
    he = Edit(keep=False, rule=Rule.parse("_ and _"), spans=(Span(0, 2, 3), Span(1, 2, 4)))
    end = Edit(keep=True, rule=Rule.parse("besides _"), spans=(Span(1, 2, 4),))
    drawn = segments(EditScript.from_changes(Dialogue.of(TURNS), [(1, he), (6, end)]))
    assert [(segment.text, segment.kind.value, segment.turn) for segment in drawn] == [
        ("Did ", "kept", None),
        ("he", "deleted", None),
        ("Federer", "copied", 0),
        (" ", "kept", None),
        ("and", "rule", None),
        (" ", "kept", None),
        ("his back", "copied", 1),
        (" have any other injuries ", "kept", None),
        ("besides", "rule", None),
        (" ", "kept", None),
        ("his back", "copied", 1),
        ("?", "kept", None),
    ]


def test_an_unchanged_turn_is_one_kept_segment() -> None:
    script = EditScript.unchanged(Dialogue.of(["so", " thank you!\n"]))
    assert [(segment.text, segment.kind) for segment in segments(script)] == [(" thank you!\n", SegmentKind.KEPT)]


@given(scripts())
def test_all_segments_but_the_deleted_joined_are_the_rewrite(script: EditScript) -> None:
    drawn = segments(script)
    assert "".join(each.text for each in drawn if each.kind != "deleted") == script.apply()
    deleted = [
        word.text for word, edit in zip(script.dialogue.source.words, script.edits, strict=False) if not edit.keep
    ]
    assert "".join(" ".join(each.text for each in drawn if each.kind == "deleted").split()) == "".join(deleted)


@given(scripts())
def test_every_span_of_the_script_is_a_segment(script: EditScript) -> None:
    spans = [span for edit in script.edits for span in edit.spans]
    places = {(each.turn, each.characters) for each in segments(script) if each.kind == "copied"}
    assert places == {(span.turn, span.characters_in(script.dialogue)) for span in spans}


HE = (1, Edit(False, Rule.parse("_"), (Span(0, 2, 3),)))
BESIDES = (6, Edit(True, Rule.parse("besides _"), (Span(1, 2, 4),)))


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
