"""Label lines: there and back, and what is refused; labels for MST and RaST."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.labels.test_extract import FEDERER, changes, label
from tests.strategies import dialogues, scripts
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import EditError, FileError
from utterly.labels.labels import (
    Labels,
    labels_for,
    labels_from_json,
    labels_to_json,
    mst_labels,
    rast_labels,
    read_labels,
)
from utterly.scripts.edits import EditScript, Span


def by_itself(script: EditScript) -> Labels:
    """Labels in which nothing is mentioned twice."""
    return Labels(script, tuple(tuple((span,) for span in edit.spans) for edit in script.edits))


@given(dialogues(with_target=True))
def test_a_label_line_reads_back_the_same(dialogue: Dialogue) -> None:
    labels = label(dialogue)
    assert labels_from_json(json.loads(json.dumps(labels_to_json(labels)))) == labels


def test_a_label_line_is_the_dialogue_with_script_and_mentions() -> None:
    line = labels_to_json(label(FEDERER))
    assert list(line) == ["lang", "history", "utterance", "rewrite", "script", "mentions"]
    assert [change["rule"] for change in line["script"]] == [[None], ["besides", None]]
    assert line["mentions"] == [[], [[[0, 2, 3]]], [], [], [], [], [[[1, 2, 4]]], []]


def changed(**fields: Any) -> dict[str, Any]:
    return {**labels_to_json(label(FEDERER)), **fields}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"history": [], "utterance": "so"}, "needs the fields script and mentions; make it with `utterly label`"),
        (changed(mentions=[]), "the first of them as in the script, but they differ; label the dialogue again"),
        (changed(mentions=[[[]]] * 8), "the first of them as in the script, but they differ"),
        (changed(script=[], mentions=[[[]], *[[]] * 7]), "the first of them as in the script, but they differ"),
        (changed(mentions=7), r"mentions must be \[turn, start, stop\] for each mention of each slot of each edit"),
        (changed(mentions=[[[["a", "b", "c"]]]]), "a span needs whole numbers"),
        (changed(mentions=[[[[0, 2]]]]), r"mentions must be \[turn, start, stop\] .* label the dialogue again"),
        (
            changed(mentions=[[], [[[0, 2, 3], [9, 0, 1]]], [], [], [], [], [[[1, 2, 4]]], []]),
            r"Span\(turn=9, start=0, stop=1\) is outside the context, whose turns have \[8, 9\] words",
        ),
        (changed(script="x"), "a script in JSON must be a list of edits, got a string"),
    ],
)
def test_a_line_that_is_wrong_is_refused(line: dict[str, Any], problem: str, tmp_path: Path) -> None:
    with pytest.raises(EditError, match=problem):
        labels_from_json(line)
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps(labels_to_json(label(FEDERER))) + "\n" + json.dumps(line) + "\n")
    with pytest.raises(FileError, match=rf"labels.jsonl, line 2: .*{problem}"):
        list(read_labels(path))


def test_reading_labels_needs_none_of_the_packages_that_make_them() -> None:
    program = (
        "import sys; import utterly.labels.labels;"
        "sys.exit(', '.join(sorted({'rapidfuzz', 'spacy', 'sklearn', 'jieba', 'numpy'} & set(sys.modules))))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""


PARTY = Dialogue.of(
    ["Anna Maria came.", "Bob left the old house.", "Why?"], "Why did Bob and Anna Maria leave not the old house?"
)


def test_mst_takes_the_spans_in_order_and_drops_the_rule_words() -> None:
    labels = label(PARTY)
    assert changes(labels) == [(1, True, "did _ and _ leave not _", ["Bob", "Anna Maria", "the old house"])]
    assert changes(mst_labels(labels)) == [(1, True, "_ _ _", ["Bob", "Anna Maria", "the old house"])]
    assert mst_labels(labels).mentions == labels.mentions


def test_rast_takes_one_span_a_phrase_the_longest() -> None:
    labels = label(PARTY)
    assert changes(rast_labels(labels)) == [(1, True, "_", ["the old house"])]
    assert rast_labels(labels).mentions[1] == ((Span(1, 2, 5),),)
    assert changes(rast_labels(label(FEDERER))) == [(1, False, "_", ["Federer"]), (6, True, "_", ["his back"])]


def test_rast_as_first_trained_drops_what_no_single_span_says() -> None:
    assert changes(labels_for("rast", literal=True)(label(PARTY))) == []
    assert changes(labels_for("rast", literal=True)(label(FEDERER))) == [(1, False, "_", ["Federer"])]
    assert labels_for("mst", literal=True) is mst_labels


@given(scripts())
def test_mst_and_rast_have_no_rule_words_and_keep_the_actions(script: EditScript) -> None:
    labels = by_itself(script)
    mst, rast = mst_labels(labels), rast_labels(labels)
    for before, many, one in zip(script.edits, mst.script.edits, rast.script.edits, strict=True):
        assert before.keep == many.keep == one.keep
        assert many.rule.words == one.rule.words == ()
        assert many.spans == before.spans
        assert one.rule.slots == min(1, before.rule.slots)
        assert set(one.spans) <= set(before.spans)
    assert mst_labels(mst) == mst
    assert rast_labels(mst) == rast_labels(rast) == rast
