"""RUN's matrix: cells to edit scripts, worked by hand; and scripts to cells and back."""

import numpy as np
import pytest

from tests import tiny
from utterly.baselines.run.grid import Cell, Cells, Grid
from utterly.dialogues.dialogue import Dialogue
from utterly.scripts.edits import Edit, EditScript, Rule, Span

FEDERER = Dialogue.of(["Why did Roger Federer withdraw?", "He hurt his back.", "Did he have any other injuries?"])
# rows: Why did Roger Federer withdraw ? | He hurt his back . | besides | in | of | the | 's |
# columns: Did he have any other injuries ? (the end)
ROGER, FEDERER_ROW, HIS, BACK, BESIDES, OF, SUFFIX = 2, 3, 9, 10, 13, 17, 21


def cells(*marks: tuple[int, int, Cell]) -> Cells:
    """A matrix with these cells marked: row, column, what."""
    made = np.zeros(Grid(FEDERER).shape, dtype=np.int64)
    for row, column, kind in marks:
        made[row, column] = kind
    return made


S, I = Cell.SUBSTITUTE, Cell.INSERT  # noqa: E741 - as the table reads


def test_rows_are_context_and_extra_words_with_breaks_between() -> None:
    words = [row.word for row in Grid(FEDERER).rows]
    assert words == "Why did Roger Federer withdraw ? | He hurt his back . | besides | in | of | the | 's |".split()
    assert Grid(FEDERER).shape == (23, 8)


@pytest.mark.parametrize(
    ("marks", "rewrite"),
    [
        ([], "Did he have any other injuries?"),
        # one region of one cell, and of two rows
        ([(FEDERER_ROW, 1, S)], "Did Federer have any other injuries?"),
        ([(ROGER, 1, S), (FEDERER_ROW, 1, S)], "Did Roger Federer have any other injuries?"),
        # one region over two columns: both words go
        ([(BACK, 4, S), (BACK, 5, S)], "Did he have any back?"),
        # two regions: a substitution, and an insertion with an extra word in front
        (
            [(FEDERER_ROW, 1, S), (HIS, 6, I), (BACK, 6, I), (BESIDES, 6, I)],
            "Did Federer have any other injuries besides his back?",
        ),
        # substitution and insertion in the same row of cells: the word is used twice
        ([(FEDERER_ROW, 1, S), (FEDERER_ROW, 6, I)], "Did Federer have any other injuries Federer?"),
        # two spans at one place, in the order of the dialogue, and a suffix after them
        ([(BACK, 5, I), (FEDERER_ROW, 5, I), (SUFFIX, 5, I)], "Did he have any other Federer back's injuries?"),
        # at the end, where there is nothing to replace
        ([(BACK, 7, I), (OF, 7, I)], "Did he have any other injuries? of back"),
        ([(BACK, 7, S)], "Did he have any other injuries? back"),
        # corners do not touch: two regions
        ([(ROGER, 1, S), (FEDERER_ROW, 2, S)], "Did Roger Federer any other injuries?"),
        # a region that is no rectangle is filled up to one
        ([(ROGER, 1, S), (FEDERER_ROW, 1, S), (FEDERER_ROW, 2, S)], "Did Roger Federer any other injuries?"),
        # a break is never part of a region
        ([(5, 1, S), (6, 1, S), (7, 1, S)], "Did? he have any other injuries?"),
    ],
)
def test_regions_by_hand(marks: list[tuple[int, int, Cell]], rewrite: str) -> None:
    assert Grid(FEDERER).script(cells(*marks)).apply() == rewrite


def test_a_region_is_one_span_and_cells_that_meet_at_a_corner_are_two() -> None:
    region = Grid(FEDERER).script(cells((ROGER, 1, S), (FEDERER_ROW, 1, S), (FEDERER_ROW, 2, S)))
    assert [edit.spans for edit in region.edits[:3]] == [(), (Span(0, 2, 4),), ()]
    corner = Grid(FEDERER).script(cells((ROGER, 1, S), (FEDERER_ROW, 2, S)))
    assert [edit.spans for edit in corner.edits[:3]] == [(), (Span(0, 2, 3),), (Span(0, 3, 4),)]


def test_scripts_come_back_from_their_cells() -> None:
    script = EditScript.from_changes(
        FEDERER,
        [
            (1, Edit(False, Rule.parse("_"), (Span(0, 2, 4),))),
            (6, Edit(True, Rule.parse("besides _"), (Span(1, 2, 4),))),
        ],
    )
    assert Grid(FEDERER).script(Grid(FEDERER).cells(script)) == script


def test_labels_come_back_if_their_rules_have_only_slots_and_extra_words() -> None:
    said = [labels.script for labels in tiny.labels()]
    back = [Grid(script.dialogue).script(Grid(script.dialogue).cells(script)) for script in said]
    fits = [
        script
        for script in said
        if {*(word for edit in script.edits for word in edit.rule.words)} <= {"besides", "'s", "of", "in", "the"}
        and all(edit.keep or edit.rule.parts for edit in script.edits)
    ]
    assert fits
    assert {script.apply() for script in fits} <= {script.apply() for script in back}


def test_edits_that_cells_cannot_express_are_left_out() -> None:
    script = EditScript.from_changes(
        FEDERER, [(0, Edit(False)), (6, Edit(True, Rule.parse("except _"), (Span(1, 3, 4),)))]
    )
    assert Grid(FEDERER).script(Grid(FEDERER).cells(script)).apply() == "Did he have any other injuries back?"


def test_of_a_long_dialogue_the_topic_and_the_newest_turns_are_read() -> None:
    turns = ["A title", *(f"turn {i}" for i in range(9)), "Why?"]
    grid = Grid(Dialogue.of(turns, language="fr"), topic_turns=1, most=9)
    assert [row.word for row in grid.rows] == ["A", "title", "|", "turn", "7", "|", "turn", "8", "|"]
    script = EditScript.from_changes(grid.dialogue, [(0, Edit(True, Rule.parse("_"), (Span(2, 0, 2),)))])
    assert not grid.cells(script).any()  # the span is of a turn that was left out


def test_chinese_has_extra_words_too_and_some_of_them_follow_the_span() -> None:
    grid = Grid(Dialogue.of(["你 喜 欢 围城", "喜欢", "主人公是谁"]))
    script = EditScript.from_changes(grid.dialogue, [(0, Edit(True, Rule.parse("_ 的"), (Span(0, 3, 5),)))])
    assert grid.script(grid.cells(script)).apply() == "围城的主人公是谁"
