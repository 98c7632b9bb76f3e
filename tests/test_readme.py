"""What README shows is run: every Python block, and every command of a console block with its output.

A `text` block after a Python block is what that prints. In outputs `...` stands for what may differ, and
blanks count as one.
"""

import doctest
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
RUN = {"python", "console"}


class Block(NamedTuple):
    language: str
    line: int
    text: str


BLOCKS = [
    Block(match["language"], README.count("\n", 0, match.start()) + 1, match["text"])
    for match in re.finditer(r"^```(?P<language>\S*)\n(?P<text>.*?)^```$", README, re.MULTILINE | re.DOTALL)
]
PROGRAMS = [
    pytest.param(block.text, after.text if after.language == "text" else None, id=f"line {block.line}")
    for block, after in pairwise([*BLOCKS, Block("", 0, "")])
    if block.language == "python"
]
COMMANDS = [
    pytest.param(command, output, id=f"line {block.line}: {command[:40]}")
    for block in BLOCKS
    if block.language == "console"
    for command, output in re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE)
]


def agree(shown: str, printed: str) -> bool:
    return doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A place to write to from where the examples are found."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


def test_readme_has_something_to_run() -> None:
    assert {block.language for block in BLOCKS} <= RUN | {"text"}
    assert PROGRAMS
    assert COMMANDS


@pytest.mark.parametrize(("program", "shown"), PROGRAMS)
def test_programs_print_what_is_shown(program: str, shown: str | None, folder: Path) -> None:
    result = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert result.stderr == ""
    assert shown is None or agree(shown, result.stdout), result.stdout


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_commands_print_what_is_shown(command: str, shown: str, folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(  # noqa: S602 - as a reader would
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stderr == ""
    assert agree(shown, result.stdout), result.stdout
