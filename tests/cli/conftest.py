"""A tiny model to run commands with, and what to compare them with."""

from pathlib import Path

import pytest

from utterly.rewriter import Rewriter


@pytest.fixture(scope="session")
def model_folder(encoder_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny untrained tagger in ONNX: its answers are wild but always the same."""
    from tests.networks.models import untrained  # the wheel's tests run without torch
    from utterly.networks.export.graphs import export

    folder = tmp_path_factory.mktemp("models") / "tiny"
    export(untrained("hct", encoder_folder), folder)
    return folder


@pytest.fixture(scope="session")
def rewriter(model_folder: Path) -> Rewriter:
    return Rewriter.load(model_folder)
