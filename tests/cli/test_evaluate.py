"""`utterly evaluate`: scores with their settings, and how it refuses."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine, write_rows
from utterly.dialogues.jsonl import read_jsonl
from utterly.metrics import Mode, words

ROWS: list[dict[str, Any]] = [
    {"id": "a", "domain": "sport", "history": [], "utterance": "Is he Swiss?", "rewrite": "Is Federer Swiss?"},
    {"id": "b", "domain": "music", "history": [], "utterance": "Why?", "rewrite": "Why did the band split?"},
]


@pytest.mark.parametrize(
    "row",
    [
        {"history": [], "utterance": ""},
        {"history": ["so", ""] * 5_000, "utterance": "why"},
        {"history": ["why " * 250_000], "utterance": "so"},
        {"history": ["\x00 \x07"], "utterance": "\x1b[31m\x7f"},
        {"history": ["مرحبا بالعالم"], "utterance": "\u202eשלום\u202c"},
    ],
    ids=["no text", "ten thousand turns", "a megabyte", "control characters", "right to left"],
)
def test_odd_dialogues_convert_and_score(utterly: CommandLine, row: dict[str, Any], tmp_path: Path) -> None:
    path = write_rows(tmp_path / "odd.jsonl", [{**row, "rewrite": row["utterance"]}])
    assert utterly("convert", "jsonl", path, tmp_path / "out.jsonl").status == 0
    (dialogue,) = read_jsonl(tmp_path / "out.jsonl")
    assert [turn.text for turn in dialogue.context] == row["history"]
    status, out, _ = utterly("evaluate", "--predictions", path, "--references", tmp_path / "out.jsonl", "--json")
    assert status == 0
    assert json.loads(out)["report"]["overall"]["EM"]["value"] == 100


def table(out: str) -> dict[str, list[str]]:
    return {cells[0]: cells[1:] for line in out.splitlines() if (cells := line.split())}


def test_scores_are_shown_by_domain_with_their_settings_once(utterly: CommandLine, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", ROWS)
    status, out, error = utterly("evaluate", "--predictions", path, "--references", path, "--field", "utterance")
    assert (status, error) == (0, "")
    lines = table(out)
    assert lines["metric"] == ["overall", "sport", "music"]
    assert lines["pairs"] == ["2", "1", "1"]
    assert lines["EM"] == ["0.00", "0.00", "0.00"]
    # sport: is, swiss and ? of 4 words match; music: why and ? of 6, at exp(1 - 6/2)
    assert lines["BLEU-1"][1:] == ["75.00", "13.53"]
    assert f"predictions: {path}, field 'utterance'" in out
    assert f"references: {path}, matched by id" in out
    assert out.count("case:lower|smooth:none|n:2") == 1


def test_any_name_can_be_that_of_a_domain(utterly: CommandLine, tmp_path: Path) -> None:
    names = ["overall", "[bold]", ":cat:"]
    path = write_rows(tmp_path / "rows.jsonl", [{**ROWS[0], "id": name, "domain": name} for name in names])
    out = utterly("evaluate", "--predictions", path, "--references", path, "--field", "utterance").out
    assert table(out)["metric"] == ["overall", *names]


@pytest.mark.parametrize("mode", Mode)
def test_every_mode_is_shown_with_what_split_the_words(utterly: CommandLine, mode: Mode, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", ROWS)
    out = utterly("evaluate", "--predictions", path, "--references", path, "--field", "utterance", "--mode", mode).out
    assert f"mode:{mode}|words:{'sacrebleu-13a-' if mode is Mode.SACREBLEU else 'spacy-'}" in out
    assert ("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:" in out) == (mode is Mode.SACREBLEU)


def test_the_references_say_whose_words_unless_the_caller_does(utterly: CommandLine, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", [{**row, "lang": "zh"} for row in ROWS])
    files = ("--predictions", path, "--references", path, "--field", "utterance")
    assert "words:characters" in utterly("evaluate", *files).out
    assert "words:spacy" in utterly("evaluate", *files, "--language", "en").out


def test_intervals_are_shown_with_their_seed(utterly: CommandLine, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", ROWS)
    arguments = ["--predictions", path, "--references", path, "--field", "utterance", "--intervals", "--seed", "5"]
    out = utterly("evaluate", *arguments).out
    assert "[13.53, 75.00]" in out
    assert "resampling: 1,000 resamples, seed 5" in out
    assert out == utterly("evaluate", *arguments).out


def test_everything_is_there_as_json_too(utterly: CommandLine, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", ROWS)
    copies = ["--predictions", path, "--references", path, "--field", "utterance", "--json"]
    plain = json.loads(utterly("evaluate", *copies).out)
    assert plain["predictions"] == {"file": str(path), "field": "utterance"}
    assert (plain["matched_by"], plain["resampling"]) == ("id", None)
    assert plain["report"]["domains"]["sport"]["BLEU-1"]["value"] == pytest.approx(75)
    resampled = json.loads(utterly("evaluate", *copies, "--intervals").out)
    assert resampled["resampling"] == {"seed": 0, "resamples": 1000}
    assert resampled["report"]["overall"]["BLEU-1"]["interval"]["level"] == 0.95


@pytest.mark.parametrize(
    ("predictions", "more", "problem"),
    [
        ([ROWS[0], "{"], [], "predictions.jsonl, line 2: a record must be valid JSON"),
        (ROWS, ["--field", "mine"], "predictions.jsonl, line 1: the field 'mine' is missing; add it (fields"),
        (
            ROWS,
            ["--field", "history"],
            "predictions.jsonl, line 1: the field 'history' must be a string, got a l",
        ),
        ([ROWS[0], ROWS[0]], [], "predictions.jsonl, line 2: ids must be unique within a file, but 'a' is also"),
        (ROWS[:1], [], "references.jsonl, line 2: the id 'b' must also be in "),
        ([{"rewrite": "so"}], [], "predictions.jsonl: must have a line for each line of "),
        (ROWS, ["--mode", "papers"], "no mode called 'papers'; known modes: paper, published, sacrebleu"),
        (
            ROWS,
            ["--roles", "ltp:no/python"],
            "Chinese roles need a Python that has LTP, but 'no/python' failed: No such",
        ),
        (ROWS, ["--roles", "ltp"], "Chinese roles need a Python that has LTP, but '' failed: "),
        (ROWS, ["--language", "tlh"], "language must be one of en, zh, got 'tlh'"),
    ],
)
def test_what_cannot_be_scored_is_one_line_of_error(
    utterly: CommandLine, predictions: list[Any], more: list[str], problem: str, tmp_path: Path
) -> None:
    references = write_rows(tmp_path / "references.jsonl", ROWS)
    path = write_rows(tmp_path / "predictions.jsonl", predictions)
    status, out, error = utterly("evaluate", "--predictions", path, "--references", references, *more)
    assert (status, out) == (2, "")
    assert error.startswith("error: ")
    assert problem in error
    assert error.count("\n") == 1


def test_a_missing_package_is_answered_with_the_extra_that_brings_it(
    utterly: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    words._english.cache_clear()
    path = write_rows(tmp_path / "rows.jsonl", ROWS)
    status, _, error = utterly("evaluate", "--predictions", path, "--references", path, "--field", "utterance")
    assert status == 2
    assert error == (
        "error: this needs the package 'spacy', which is not installed; "
        "install it with: pip install 'utterly[metrics]'\n"
    )
