"""Predictions find their references: by id, else by order, else not at all."""

import json
from pathlib import Path
from typing import Any

import pytest

from utterly.errors import FileError
from utterly.metrics.files import NO_DOMAIN, Matched, Predictions, match_files
from utterly.metrics.measure import Pairs

REFERENCES: list[dict[str, Any]] = [
    {"id": "a", "utterance": "is he", "rewrite": "is Federer", "domain": "sport", "lang": "en"},
    {"id": "b", "utterance": "why", "rewrite": "why so", "domain": "music", "lang": "en"},
    {"id": "c", "utterance": "and she", "rewrite": "and Mara", "lang": "en"},
]


def without_ids(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "id"} for row in rows]


def said(*ids: str | None) -> list[dict[str, Any]]:
    return [{"id": id_, "rewrite": f"said {id_}"} for id_ in ids]


class Folder:
    def __init__(self, path: Path) -> None:
        self.references, self.predictions = path / "references.jsonl", path / "predictions.jsonl"

    def write(self, references: list[Any], predictions: list[Any]) -> None:
        for path, rows in ((self.references, references), (self.predictions, predictions)):
            path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))

    def match(self, field: str = "rewrite") -> Matched:
        return match_files(self.references, [Predictions(self.predictions, field)])


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_lines_are_matched_by_id_into_the_order_of_the_references(folder: Folder) -> None:
    folder.write(REFERENCES, said("c", "a", "b"))
    matched = folder.match()
    assert matched.pairs == (
        Pairs(
            predictions=["said a", "said b", "said c"],
            references=["is Federer", "why so", "and Mara"],
            sources=["is he", "why", "and she"],
            domains=["sport", "music", NO_DOMAIN],
        ),
    )
    assert (matched.language, matched.by) == ("en", "id")
    assert [row.text("id") for row in matched.reference_rows] == ["a", "b", "c"]
    assert [row.text("id") for row in matched.prediction_rows[0]] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("references", "predictions"),
    [
        (without_ids(REFERENCES), said("a", "b", "c")),
        (REFERENCES, said(None, None, None)),
        (REFERENCES, said("a", None, "c")),
    ],
    ids=["references without ids", "predictions without ids", "one without"],
)
def test_lines_are_matched_by_order_where_an_id_is_missing(
    folder: Folder, references: list[Any], predictions: list[Any]
) -> None:
    folder.write(references, predictions)
    assert folder.match().by == "order"
    assert folder.match().pairs[0].predictions == [row["rewrite"] for row in predictions]


def test_two_systems_are_matched_each(folder: Folder) -> None:
    folder.write(REFERENCES, [{**row, "other": row["rewrite"].upper()} for row in said("b", "c", "a")])
    systems = [Predictions(folder.predictions), Predictions(folder.predictions, "other")]
    assert [pairs.predictions for pairs in match_files(folder.references, systems).pairs] == [
        ["said a", "said b", "said c"],
        ["SAID A", "SAID B", "SAID C"],
    ]


def test_a_file_can_be_its_own_prediction_that_nothing_changes(folder: Folder) -> None:
    folder.write(REFERENCES, REFERENCES)
    assert folder.match(field="utterance").pairs[0].predictions == ["is he", "why", "and she"]


def test_language_and_domain_are_named_only_where_they_are_known(folder: Folder) -> None:
    rows = [{"utterance": "", "rewrite": ""}, {"utterance": "", "rewrite": "", "lang": "zh"}]
    folder.write(rows, rows)
    assert folder.match().language is None
    assert folder.match().pairs[0].domains is None


@pytest.mark.parametrize(
    ("references", "predictions", "problem"),
    [
        (
            REFERENCES,
            said("a", "b"),
            r"references.jsonl, line 3: the id 'c' must also be in .*predictions.jsonl, but is",
        ),
        (REFERENCES, said("a"), r"the id 'b' must also be in .* but is not, nor are 1 more; predict it"),
        (
            REFERENCES,
            said("a", "b", "c", "d"),
            r"predictions.jsonl, line 4: the id 'd' must also be in .*; add its ref",
        ),
        (
            REFERENCES,
            said("a", "b", "b"),
            r"predictions.jsonl, line 3: ids must be unique within a file, but 'b' is also",
        ),
        (REFERENCES, said("b", "a", None), r"predictions.jsonl, line 1: .*order of .*'b' is here and 'a' there"),
        (
            REFERENCES,
            said(None, None),
            r"predictions.jsonl: must have a line for each line of .*, but has 2 for 3; pre",
        ),
        (REFERENCES, said(*[None] * 4), r"predictions.jsonl: must have a line for each line of .*, but has 4 for 3"),
        (REFERENCES, [], r"references.jsonl, line 1: the id 'a' must also be in .*, nor are 2 more"),
        ([], [], r"references.jsonl: must have at least one reference to score against, but has none"),
        (REFERENCES, [{"id": "a"}], r"predictions.jsonl, line 1: the field 'rewrite' is missing; add it"),
        (
            REFERENCES,
            [{"rewrite": 5}],
            r"predictions.jsonl, line 1: the field 'rewrite' must be a string, got a n",
        ),
        (REFERENCES, [{"rewrite": None}], r"predictions.jsonl, line 1: .*must be a string, got null"),
        (REFERENCES, [{"rewrite": "\ud800"}], r"predictions.jsonl, line 1: .*lone surrogate U\+D800"),
        (REFERENCES, ["{", "", "["], r"predictions.jsonl, line 1: a record must be valid JSON"),
        ([{"utterance": "why"}], said(None), r"references.jsonl, line 1: the field 'rewrite' is missing"),
        ([{"rewrite": "why"}], said(None), r"references.jsonl, line 1: the field 'utterance' is missing"),
        ([{**REFERENCES[0], "domain": "\ud800"}], said(None), r"references.jsonl, line 1: .*domain.*lone surrogate"),
    ],
)
def test_files_that_do_not_fit_are_refused_by_file_and_line(
    folder: Folder, references: list[Any], predictions: list[Any], problem: str
) -> None:
    folder.write(references, predictions)
    with pytest.raises(FileError, match=problem):
        folder.match()
