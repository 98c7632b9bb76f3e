"""`utterly rewrite` with turns: the text alone, explained, or everything as JSON."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from utterly.rewriter import FIRST_TURN, Rewriter

TURNS = ["who is anna ?", "a singer in paris .", "where was he born ?"]
PROGRAM = [sys.executable, "-c", "from utterly.cli.app import main; main()"]


def test_the_rewrite_alone_is_printed(utterly: CommandLine, model_folder: Path, rewriter: Rewriter) -> None:
    result = rewriter.rewrite(TURNS)
    assert result.changed
    assert utterly("rewrite", *TURNS, "--model", model_folder) == (0, f"{result.text}\n", "")


def test_everything_is_there_as_json(utterly: CommandLine, model_folder: Path, rewriter: Rewriter) -> None:
    status, out, _ = utterly("rewrite", *TURNS, "--model", model_folder, "--json", "--n-best", "3")
    assert status == 0
    assert json.loads(out) == rewriter.rewrite(TURNS, n_best=3).to_json()
    assert len(json.loads(out)["alternatives"]) == 2


def test_the_best_rewrites_are_a_line_each(utterly: CommandLine, model_folder: Path, rewriter: Rewriter) -> None:
    result = rewriter.rewrite(TURNS, n_best=3)
    lines = [result.text, *(other.text for other in result.alternatives)]
    assert utterly("rewrite", *TURNS, "--model", model_folder, "--n-best", "3").out.splitlines() == lines


def test_under_the_least_confidence_the_turn_comes_back(utterly: CommandLine, model_folder: Path) -> None:
    assert utterly("rewrite", *TURNS, "--model", model_folder, "--min-confidence", "1").out == f"{TURNS[-1]}\n"


def test_an_explanation_has_the_diff_and_where_each_span_came_from(
    utterly: CommandLine, model_folder: Path, rewriter: Rewriter
) -> None:
    diff, *lines = utterly("rewrite", *TURNS, "--model", model_folder, "--explain").out.splitlines()
    assert "[-" in diff
    assert "{+" in diff
    assert [line.strip() for line in lines[:-1]] == rewriter.rewrite(TURNS).explain().splitlines()
    assert lines[-1].startswith("  confidence 0.")
    assert lines[-1].endswith(", model tiny")


@pytest.mark.parametrize(("environment", "coloured"), [({"FORCE_COLOR": "1"}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_for_those_who_see_them(
    utterly: CommandLine,
    model_folder: Path,
    environment: dict[str, str],
    coloured: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    out = utterly("rewrite", *TURNS, "--model", model_folder, "--explain").out
    assert ("\x1b[" in out, "[-" in out) == (coloured, not coloured)


@pytest.mark.parametrize("turns", [["where was he born ?"], ["", "where was he born ?"]])
def test_a_first_turn_stays_as_it_is_and_says_why(utterly: CommandLine, model_folder: Path, turns: list[str]) -> None:
    out = utterly("rewrite", *turns, "--model", model_folder, "--explain").out
    assert out.splitlines()[:2] == ["where was he born ?", f"  no change: {FIRST_TURN}"]


@pytest.mark.parametrize("last", ["", "  "])
def test_a_turn_without_words_comes_back(utterly: CommandLine, model_folder: Path, last: str) -> None:
    assert utterly("rewrite", "who is anna ?", last, "--model", model_folder) == (0, f"{last}\n", "")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--json"], "a dialogue needs at least one turn, but none came; give the turn to rewrite"),
        (["so", "--model", "nowhere"], "nowhere: must be a bundled model"),
        (["so", "--model", "."], "a model's folder needs config.json, but No such file"),
        (["so", "caf\udce9"], "a turn must be valid Unicode, but character 3 is the lone surrogate"),
    ],
)
def test_what_cannot_be_rewritten_is_one_line_of_error(
    utterly: CommandLine, arguments: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, error = utterly("rewrite", *arguments)
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert error.startswith("error: ")
    assert problem in error


@pytest.mark.parametrize("broken", ["tagger.onnx", "rules.json", "tokenizer.json"])
def test_a_model_with_a_missing_or_altered_file_is_refused(
    utterly: CommandLine, model_folder: Path, broken: str, tmp_path: Path
) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    for file in model_folder.iterdir():
        (folder / file.name).write_bytes(file.read_bytes() + b" " * (file.name == broken))
    status, out, error = utterly("rewrite", *TURNS, "--model", folder)
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert f"{folder / broken}: must have the checksum" in error
    (folder / broken).unlink()
    assert "a model needs this file" in utterly("rewrite", *TURNS, "--model", folder).err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["so", "--output", "x.jsonl"], "are for files; give --input"),
        (["so", "--skip-bad"], "are for files; give --input"),
        (["so", "--input", "x.jsonl"], "are for one dialogue"),
        (["--explain", "--input", "x.jsonl"], "are for one dialogue"),
        (["so", "--n-best", "0"], "should be greater than or equal to 1"),
        (["so", "--min-confidence", "2"], "should be less than or equal to 1"),
    ],
)
def test_options_that_do_not_go_together_are_refused(utterly: CommandLine, arguments: list[str], problem: str) -> None:
    status, out, error = utterly("rewrite", *arguments)
    assert (status, out) == (2, "")
    assert problem in error


def test_a_full_disk_behind_the_output_is_one_line_of_error(model_folder: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with Path("/dev/full").open("w") as full:
        command = [*PROGRAM, "rewrite", *TURNS, "--model", str(model_folder)]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == (
        "error: cannot read or write: [Errno 28] No space left on device; check disk and permissions\n"
    )


def test_the_text_alone_needs_neither_torch_nor_rich(model_folder: Path) -> None:
    program = (
        "import sys, contextlib\nfrom utterly.cli.app import main\nwith contextlib.suppress(SystemExit): main()\n"
        "sys.exit(', '.join(sorted({'torch', 'transformers', 'rich', 'pyarrow'} & set(sys.modules))) or 0)"
    )
    command = [sys.executable, "-c", program, "rewrite", *TURNS, "--model", str(model_folder)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
