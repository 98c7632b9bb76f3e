"""Two systems side by side: what each row says of its dialogue and of each rewrite."""

from pathlib import Path
from typing import Any

import pytest

from tests.command_line import write_rows
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import MetricsError
from utterly.metrics import Predictions
from utterly.metrics.errors import ErrorKind
from utterly.metrics.side_by_side import SideBySide, side_by_side
from utterly.scripts.edits import Edit, EditScript, Rule, Span
from utterly.scripts.serialize import script_to_json

HISTORY = ["Who is Federer?", "A player."]
REFERENCES: list[dict[str, Any]] = [
    {"id": "a", "domain": "sport", "history": HISTORY, "utterance": "Is he Swiss?", "rewrite": "Is Federer Swiss?"},
    {"id": "b", "utterance": "Why?", "rewrite": "Why did the band split?"},
]
SCRIPT = EditScript.from_changes(
    Dialogue.of([*HISTORY, "Is he Swiss?"]), [(1, Edit(False, Rule.parse("_"), (Span(0, 2, 3),)))]
)
GOOD: dict[str, Any] = {"id": "a", "rewrite": "Is Federer Swiss?", "confidence": 0.5, "edits": script_to_json(SCRIPT)}
BAD: dict[str, Any] = {"id": "b", "rewrite": "Why the singer?"}


def judged(tmp_path: Path, *systems: list[dict[str, Any]], field: str = "rewrite") -> SideBySide:
    references = write_rows(tmp_path / "references.jsonl", REFERENCES)
    paths = [write_rows(tmp_path / f"{number}.jsonl", rows) for number, rows in enumerate(systems)]
    return side_by_side(references, *(Predictions(path, field) for path in paths))


def test_a_rewrite_comes_with_its_loss_its_kinds_and_what_its_file_says(tmp_path: Path) -> None:
    found = judged(tmp_path, [GOOD, BAD])
    first, second = found.dialogues
    assert [turn.text for turn in first.dialogue.context] == HISTORY
    assert (first.dialogue.domain, second.dialogue.domain) == ("sport", None)
    assert (first.rewrites[0].loss, first.rewrites[0].kinds, first.rewrites[0].confidence) == (0, frozenset(), 0.5)
    assert first.rewrites[0].edits == (
        'word 2 "he": delete, insert "Federer" by rule "_" from turn 1, characters 7-14 "Federer"',
    )
    assert second.rewrites[0].kinds == {ErrorKind.WRONG_SPAN, ErrorKind.WRONG_RULE}  # `singer`, and `did` is missing
    assert (second.rewrites[0].confidence, second.rewrites[0].edits) == (None, ())
    assert found.comparison is None


def test_kinds_are_counted_and_compared_like_every_score(tmp_path: Path) -> None:
    found = judged(tmp_path, [GOOD, BAD], [GOOD, {**BAD, "rewrite": "Why?"}])
    assert [found.count(ErrorKind.WRONG_SPAN, system) for system in (0, 1)] == [1, 0]
    assert [scores["wrong span"].value for scores in found.scores] == [50, 0]
    assert found.comparison is not None
    assert found.comparison.differences["wrong span"].value == -50
    assert found.comparison.differences["EM"].value == 0


def test_edits_belong_to_the_rewrite_and_to_no_other_field(tmp_path: Path) -> None:
    rows = [{**GOOD, "careful": "Is he?"}, {**BAD, "careful": "Why?"}]
    assert judged(tmp_path, rows, field="careful").dialogues[0].rewrites[0].edits == ()


def test_edits_are_left_out_where_the_references_have_no_context(tmp_path: Path) -> None:
    found = judged(tmp_path, [GOOD, {**BAD, "edits": GOOD["edits"]}])
    assert found.dialogues[1].rewrites[0].edits == ()


def test_edits_of_another_dialogue_are_refused_by_name(tmp_path: Path) -> None:
    other = EditScript.from_changes(Dialogue.of(["So", "And she?"]), [(1, Edit(False))])
    with pytest.raises(MetricsError, match=r"0\.jsonl: the 'edits' of 'a' must fit the reference's dialogue: the edit"):
        judged(tmp_path, [{**GOOD, "edits": script_to_json(other)}, BAD])
