"""What README shows is run: every Python block, and every command of a console block with its output."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.pages import Command, Program, agree, blocks_of, commands_of, programs_of, run_command

ROOT = Path(__file__).parent.parent
BLOCKS = blocks_of((ROOT / "README.md").read_text(encoding="utf-8"))
RUN = {"python", "console"}
PROGRAMS = [pytest.param(program, id=f"line {program.line}") for program in programs_of(BLOCKS)]
COMMANDS = [pytest.param(each, id=f"line {each.line}: {each.text[:40]}") for each in commands_of(BLOCKS)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A place to write to from where the examples are found."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


def test_readme_has_something_to_run() -> None:
    assert {block.language for block in BLOCKS} <= RUN | {"text"}
    assert PROGRAMS
    assert COMMANDS


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_print_what_is_shown(program: Program, folder: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", program.text], cwd=folder, capture_output=True, text=True, check=False
    )
    assert result.stderr == ""
    assert program.shown is None or agree(program.shown, result.stdout), result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_print_what_is_shown(command: Command, folder: Path) -> None:
    result = run_command(command.text, folder)
    assert result.stderr == ""
    assert agree(command.shown, result.stdout), result.stdout
