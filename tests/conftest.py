"""What tests of several folders ask for."""

from pathlib import Path

import pytest

from tests.command_line import CommandLine


@pytest.fixture
def utterly(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setenv("COLUMNS", "200")
    return CommandLine(capsys)


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny encoder, as transformers saves it."""
    from tests.tiny import save_encoder  # the wheel's tests run without the extra that this needs

    return save_encoder(tmp_path_factory.mktemp("encoder"))
