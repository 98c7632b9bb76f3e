"""`CommandLine`: the program `utterly`, run in this process; and files of rows for it."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from utterly.cli.app import main


class Outcome(NamedTuple):
    status: int
    out: str
    err: str


class CommandLine:
    """Runs commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: object) -> Outcome:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        return Outcome(int(ended.value.code or 0), *self.capsys.readouterr())


def write_rows(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path
