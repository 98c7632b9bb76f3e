"""What tests of several folders ask for."""

import pytest

from tests.command_line import CommandLine


@pytest.fixture
def utterly(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setenv("COLUMNS", "200")
    return CommandLine(capsys)
