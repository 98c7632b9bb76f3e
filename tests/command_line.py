"""`CommandLine`: the program `utterly`, run in this process."""

from typing import NamedTuple

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
