"""What a Markdown page shows: its blocks, its commands, and whether what they print agrees with what is shown.

A `text` block after a Python block is what that prints. In outputs `...` stands for what may differ, and
blanks count as one.
"""

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple


class Block(NamedTuple):
    language: str
    line: int
    text: str


class Program(NamedTuple):
    line: int
    text: str
    shown: str | None


class Command(NamedTuple):
    line: int
    text: str
    shown: str


def blocks_of(page: str) -> list[Block]:
    return [
        Block(match["language"], page.count("\n", 0, match.start()) + 1, match["text"])
        for match in re.finditer(r"^```(?P<language>\S*)\n(?P<text>.*?)^```$", page, re.MULTILINE | re.DOTALL)
    ]


def programs_of(blocks: Sequence[Block]) -> Iterator[Program]:
    for block, after in pairwise([*blocks, Block("", 0, "")]):
        if block.language == "python":
            yield Program(block.line, block.text, after.text if after.language == "text" else None)


def commands_of(blocks: Sequence[Block]) -> Iterator[Command]:
    for block in blocks:
        if block.language == "console":
            for text, shown in re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
                yield Command(block.line, text, shown)


def agree(shown: str, printed: str) -> bool:
    return doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)


def run_command(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command as a reader would run it, with this environment's programs."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(  # noqa: S602 - as a reader would
        text, shell=True, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
