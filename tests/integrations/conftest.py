"""A tiny model that knows the tiny dialogues by heart, exported as users have models."""

import os
from pathlib import Path

import pytest

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # read when haystack is imported


@pytest.fixture(scope="session")
def model(encoder_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder, as people give it."""
    import torch  # noqa: TID251 - to make the model; to use it none is needed

    from tests.training.recipes import tiny_recipe
    from utterly.networks.export.graphs import export
    from utterly.training.loop import train

    torch.set_num_threads(1)  # tiny networks gain nothing from several
    folder = tmp_path_factory.mktemp("integrations")
    trained = train(tiny_recipe(folder, encoder_folder, epochs=20, patience=20, batch_size=4), report=lambda _: None)
    export(trained, folder / "tiny", bits=32)
    return str(folder / "tiny")


@pytest.fixture
def any_term(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny model is sure of what it learned; so that a search query has a term, an improbable one will do."""
    monkeypatch.setattr("utterly.model.terms.LEAST_PROBABILITY", 0.0)
    monkeypatch.setattr("utterly.rewriter.SEARCHED_PROBABILITY", 0.0)
