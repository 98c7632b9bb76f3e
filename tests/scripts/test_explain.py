"""An explanation says what each edit does, one line each."""

from hypothesis import given

from tests.scripts.test_edits import FEDERER, inserted, replaced_by
from tests.strategies import scripts
from utterly.scripts.edits import EditScript
from utterly.scripts.explain import edit_views, explain

SCRIPT = EditScript.from_changes(FEDERER, [(1, replaced_by(0, 2, 3)), (6, inserted(1, 2, 4, "besides _"))])


def test_people_read_a_line_per_edit() -> None:
    assert explain(SCRIPT).splitlines() == [
        'word 2 "he": delete, insert "Federer" by rule "_" from turn 1, characters 8-15 "Federer"',
        'word 7 "?": keep, insert "besides his back" by rule "besides _" from turn 2, characters 11-19 "his back"',
    ]
    assert explain(EditScript.unchanged(FEDERER)) == "no change"


@given(scripts())
def test_every_change_is_one_line(script: EditScript) -> None:
    lines = explain(script).splitlines()
    assert len(lines) == max(1, len(edit_views(script)))
    for line, edit in zip(lines, edit_views(script), strict=False):
        assert line.startswith("end: " if edit.text is None else f"word {edit.word + 1} ")
        assert line.count(" from turn ") >= len(edit.spans)
