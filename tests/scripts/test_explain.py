"""Both views of a script say what it does, and read back."""

import json
from typing import Any

import pytest
from hypothesis import given

from tests.scripts.test_edits import FEDERER, inserted, replaced_by
from tests.strategies import scripts
from utterly.errors import EditError
from utterly.scripts.edits import EditScript
from utterly.scripts.explain import explain, script_from_explanation, script_from_json, script_to_json

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


def test_people_read_a_line_per_edit() -> None:
    assert explain(SCRIPT).splitlines() == [
        'word 2 "he": delete, insert "Federer" by rule "_" from turn 1, characters 8-15 "Federer"',
        'word 7 "?": keep, insert "besides his back" by rule "besides _" from turn 2, characters 11-19 "his back"',
    ]
    assert explain(EditScript.unchanged(FEDERER)) == "no change"


def test_programs_read_what_was_deleted_inserted_and_copied_from_where() -> None:
    assert script_to_json(SCRIPT) == CHANGES
    assert script_to_json(EditScript.unchanged(FEDERER)) == []


@given(scripts())
def test_an_explanation_reads_back(script: EditScript) -> None:
    assert script_from_explanation(explain(script), script.dialogue) == script


@given(scripts())
def test_the_json_reads_back(script: EditScript) -> None:
    assert script_from_json(json.loads(json.dumps(script_to_json(script))), script.dialogue) == script


@pytest.mark.parametrize(
    ("explanation", "problem"),
    [
        ('word 2 "she": delete', "was made for 'she', but the source has 'he' there"),
        ('word 9 "he": delete', "was made for 'he', but the source has None there"),
        ("delete the second word", "must read as `explain` writes it"),
        ('word 2 "\\he": delete', "must read as `explain` writes it"),
        ('word 2 "he": delete\nword 2 "he": keep', "a word has one edit, but two came for word 1"),
        (
            'word 2 "he": delete, insert "er" by rule "_" from turn 1, characters 13-15 "er"',
            "must be whole words of the context",
        ),
        (
            'word 2 "he": delete, insert "er" by rule "_" from turn 8, characters 0-3 "Why"',
            "must be whole words of the context",
        ),
    ],
)
def test_an_explanation_of_something_else_is_refused(explanation: str, problem: str) -> None:
    with pytest.raises(EditError, match=problem):
        script_from_explanation(explanation, FEDERER)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"word": 1}, "must be a list of edits, but an object came; make it with `script_to_json`"),
        ([{**CHANGES[0], "text": "she"}], "was made for 'she', but the source has 'he' there"),
        ([{"word": 1, "keep": False}], "needs word, text, keep, rule"),
        ([{**CHANGES[0], "word": "1"}], "word must be a whole number"),
        ([{**CHANGES[0], "keep": 0}], r"keep \(True or False\), a Rule and a tuple of Spans, but 0"),
        ([{**CHANGES[0], "rule": "ab", "spans": []}], "rule a list"),
        ([{**CHANGES[0], "spans": [{"turn": False, "words": [2, 3]}]}], "needs whole numbers"),
        ([{**CHANGES[0], "spans": [{"turn": 0, "words": [2.0, 3.0]}]}], "needs whole numbers"),
        ([CHANGES[0], CHANGES[0]], "a word has one edit, but two came for word 1"),
        ([{**CHANGES[0], "rule": 5}], "needs word, text, keep, rule"),
        ([{**CHANGES[0], "spans": [{"turn": 0, "words": [2]}]}], "needs word, text, keep, rule"),
        ([{**CHANGES[0], "spans": [{"turn": "0", "words": [2, 3]}]}], "needs whole numbers, .* but turn '0'"),
        ([{**CHANGES[0], "rule": [None, None]}], r"has 2 slot\(s\), but 1 span\(s\) came"),
        ([None], "needs word, text, keep, rule"),
    ],
)
def test_json_that_is_no_script_is_refused(changes: Any, problem: str) -> None:
    with pytest.raises(EditError, match=problem):
        script_from_json(changes, FEDERER)
