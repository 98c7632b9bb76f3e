"""What tests of several folders ask for."""

import pytest
from hypothesis import HealthCheck, settings

from tests.command_line import CommandLine

# A busy machine, or the first import of a large package, is no verdict on a law.
settings.register_profile("utterly", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("utterly")


@pytest.fixture
def utterly(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setenv("COLUMNS", "200")
    return CommandLine(capsys)
