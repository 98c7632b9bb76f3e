"""The training benchmark runs a part of a recipe's labels and reckons with all of them."""

from pathlib import Path

import pytest
from benchmarks.training_speed import main

from tests import tiny
from tests.training.recipes import tiny_toml


def test_a_part_of_the_labels_is_trained_on_and_all_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = tiny_toml(tmp_path, "", kind="ptr-gen", batch_size=4)
    recipe.write_text(
        recipe.read_text() + "\n[network]\nembedding = 8\nhidden = 8\n[variants.small]\ntraining.seed = 1\n"
    )
    clock = iter(range(100))
    monkeypatch.setattr("utterly.training.epochs.time.time", lambda: next(clock))  # an epoch takes a second
    main([str(recipe), "small", "--dialogues", "8", "--epochs", "2"])
    row = [cell.strip() for cell in capsys.readouterr().out.splitlines()[-1].split("|")[1:-1]]
    assert row[:4] == ["small", "4", "8", f"{len(tiny.labels()) / 8:,.0f} s"]
    assert not (tmp_path / "run").exists()  # nothing is left behind
