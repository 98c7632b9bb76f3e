"""What tests of several folders need, and how Hypothesis runs in all of them."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.command_line import CommandLine

# A busy machine, or the first import of a large package, must not fail a law.
settings.register_profile("utterly", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("utterly")


@pytest.fixture
def utterly(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setenv("COLUMNS", "200")
    return CommandLine(capsys)


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny encoder, as transformers saves it."""
    from tests.tiny import save_encoder  # the wheel's tests run without the extra that this needs

    return save_encoder(tmp_path_factory.mktemp("encoder"))
