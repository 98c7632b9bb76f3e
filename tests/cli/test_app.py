"""The program: its version, its help, and how it ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from utterly import __version__
from utterly.dialogues.corpora import CORPORA
from utterly.labels.syntax import PROVIDERS
from utterly.metrics import Mode
from utterly.tables.formats import ENDINGS


def test_the_version_is_shown(utterly: CommandLine) -> None:
    assert utterly("--version") == (0, f"utterly {__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--help"], ["rewrite", "models", "convert", "evaluate", "compare", "export", "--version"]),
        (
            ["rewrite", "--help"],
            [
                "TURN",
                "--input",
                "--output",
                *ENDINGS,
                "--model",
                "--n-best",
                "--min-confidence",
                "--explain",
                "Example",
            ],
        ),
        (["models", "--help"], ["FOLDER", "--json", "Example"]),
        (["export", "--help"], ["MODEL", "OUT", "--sample", "--bits", "--no-int8", "Example"]),
        (
            ["convert", "--help"],
            ["CORPUS", "FILE", "OUT", *CORPORA, "--split", "--guessed-titles", "--skip-bad", "Example"],
        ),
        (["label", "--help"], ["IN", "OUT", *PROVIDERS, "--jobs", "--skip-bad", "Example"]),
        (["evaluate", "--help"], ["--predictions", "--references", "--intervals", "--field", *Mode, "Example"]),
    ],
)
def test_help_names_what_can_be_given_with_an_example(
    utterly: CommandLine, arguments: list[str], words: list[str]
) -> None:
    status, out, _ = utterly(*arguments)
    assert status == 0
    assert [word for word in words if word not in out] == []


def test_help_needs_none_of_the_heavy_modules() -> None:
    program = (
        "import sys; import utterly.cli.app;"
        "heavy = {'numpy', 'spacy', 'sacrebleu', 'rapidfuzz', 'rich', 'onnxruntime', 'pyarrow', 'torch'};"
        "sys.exit(', '.join(sorted(heavy & set(sys.modules))))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""


def test_a_misspelt_command_is_answered_with_the_right_one(utterly: CommandLine) -> None:
    status, _, error = utterly("evaluat")
    assert status == 2
    assert "Did you mean 'evaluate'?" in error


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
@pytest.mark.parametrize("arguments", [["--version"], ["evaluate", "--help"]])
def test_a_reader_who_leaves_gets_no_traceback(arguments: list[str]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-c", "from utterly.cli.app import main; main()", *arguments]
    result = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write_end)
    assert (result.returncode, result.stderr) == (1, "")


def test_the_installed_program_runs_and_its_status_tells(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("utterly")
    result = subprocess.run(
        [program, "convert", "jsonl", tmp_path / "nowhere", tmp_path / "out"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert result.stderr == f"error: {tmp_path / 'nowhere'}: there is no such file; check the path\n"
