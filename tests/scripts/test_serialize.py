"""A script as JSON says what it does, and reads back."""

import json
from typing import Any

import pytest
from hypothesis import given

from tests.scripts.test_edits import FEDERER, inserted, replaced_by
from tests.strategies import scripts
from utterly.errors import EditError
from utterly.scripts.edits import EditScript
from utterly.scripts.serialize import script_from_json, script_to_json

SCRIPT = EditScript.from_changes(FEDERER, [(1, replaced_by(0, 2, 3)), (6, inserted(1, 2, 4, "besides _"))])
CHANGES: list[dict[str, Any]] = [
    {
        "word": 1,
        "text": "he",
        "keep": False,
        "insert": "Federer",
        "rule": [None],
        "spans": [{"turn": 0, "words": [2, 3], "characters": [8, 15], "text": "Federer"}],
    },
    {
        "word": 6,
        "text": "?",
        "keep": True,
        "insert": "besides his back",
        "rule": ["besides", None],
        "spans": [{"turn": 1, "words": [2, 4], "characters": [11, 19], "text": "his back"}],
    },
]


def test_programs_read_what_was_deleted_inserted_and_copied_from_where() -> None:
    assert script_to_json(SCRIPT) == CHANGES
    assert script_to_json(EditScript.unchanged(FEDERER)) == []


@given(scripts())
def test_the_json_reads_back(script: EditScript) -> None:
    assert script_from_json(json.loads(json.dumps(script_to_json(script))), script.dialogue) == script


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"word": 1}, "must be a list of edits, got an object; use `script_to_json`"),
        ([{**CHANGES[0], "text": "she"}], "was made for 'she', but the source has 'he';"),
        ([{"word": 1, "keep": False}], "needs word, text, keep, rule"),
        ([{**CHANGES[0], "word": "1"}], "word must be an integer"),
        ([{**CHANGES[0], "keep": 0}], r"keep \(True or False\), a Rule and a tuple of Spans, got 0"),
        ([{**CHANGES[0], "rule": "ab", "spans": []}], "rule a list"),
        ([{**CHANGES[0], "spans": [{"turn": False, "words": [2, 3]}]}], "needs whole numbers"),
        ([{**CHANGES[0], "spans": [{"turn": 0, "words": [2.0, 3.0]}]}], "needs whole numbers"),
        ([CHANGES[0], CHANGES[0]], "a word must have one edit, got two for word 1"),
        ([{**CHANGES[0], "rule": 5}], "needs word, text, keep, rule"),
        ([{**CHANGES[0], "spans": [{"turn": 0, "words": [2]}]}], "needs word, text, keep, rule"),
        ([{**CHANGES[0], "spans": [{"turn": "0", "words": [2, 3]}]}], "needs whole numbers .* got turn '0'"),
        ([{**CHANGES[0], "rule": [None, None]}], r"has 2 slot\(s\), got 1 span\(s\)"),
        ([None], "needs word, text, keep, rule"),
    ],
)
def test_json_that_is_no_script_is_refused(changes: Any, problem: str) -> None:
    with pytest.raises(EditError, match=problem):
        script_from_json(changes, FEDERER)
