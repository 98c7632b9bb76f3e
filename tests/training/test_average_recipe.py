"""Averaged weights: the mean of all models, with what is stored made of the mean."""

import math
from pathlib import Path

import pytest
import torch
from recipes.average import averaged, main

from tests import tiny
from tests.networks.models import untrained
from utterly.errors import TrainingError
from utterly.model.model import Confidence
from utterly.networks.hct import Hct
from utterly.networks.torch_model import TorchModel


def test_weights_are_the_mean_and_rule_embeddings_are_recomputed(encoder_folder: Path) -> None:
    first, second, third = (untrained("hct", encoder_folder) for _ in range(3))
    for model, bias in ((first, 1.0), (second, 3.0), (third, 7.0)):
        assert isinstance(model.tagger, Hct)
        with torch.no_grad():
            model.tagger.action_head.bias.fill_(bias)
            model.tagger.encoder.network.embeddings.LayerNorm.bias.add_(bias)
    first = first.with_config(confidence=Confidence(1.0, 1.0), notes={"epoch": 3})
    mean = averaged(iter([first, second, third]), [1, 2, 1])
    tagger = mean.tagger
    assert isinstance(tagger, Hct)
    assert tagger.action_head.bias.tolist() == [3.5, 3.5]
    assert not tagger.training
    stored = tagger.stored_rules.clone()
    tagger.train().eval()
    assert torch.equal(tagger.stored_rules, stored)
    assert mean.config.confidence is None
    assert mean.config.notes == {"averaged": "3 models, shares [1, 2, 1]"}


def test_models_that_do_not_belong_together_are_refused(encoder_folder: Path, tmp_path: Path) -> None:
    model = untrained("hct", encoder_folder)
    other = untrained("hct", tiny.save_encoder(tmp_path, positions=64))
    for odd in (untrained("mst", encoder_folder), other):
        with pytest.raises(
            TrainingError, match=r"same tagger, rule book and encoder, got hct on BertModel with .* and (mst|hct) on"
        ):
            averaged([model, odd], [1, 1])


@pytest.mark.parametrize("shares", [[1.0, -1.0], [0.0, 0.0], [math.nan, 1.0], [1.0, math.inf], [1.0], []])
def test_invalid_shares_are_refused(shares: list[float]) -> None:
    with pytest.raises(TrainingError, match=r"at least two models with shares of at least 0, not all 0, got shares \["):
        averaged([], shares)


def test_no_model_is_overwritten(
    encoder_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(tmp_path / name) for name in ("first", "second")]
    for name in names:
        untrained("hct", encoder_folder).save_pretrained(name)
    monkeypatch.setattr("sys.argv", ["average.py", *names])
    with pytest.raises(SystemExit):
        main()
    assert f"OUT must not exist, but {names[0]} does" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", ["average.py", str(tmp_path / "mean"), *names, "--shares", "1", "3"])
    main()
    assert TorchModel.from_pretrained(tmp_path / "mean").config.notes == {"averaged": "2 models, shares [1.0, 3.0]"}


def test_the_script_ends_with_one_line_of_error(
    encoder_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("hct", "mst"):
        untrained(kind, encoder_folder).save_pretrained(tmp_path / kind)
    monkeypatch.setattr("sys.argv", ["average.py", *(str(tmp_path / name) for name in ("mean", "hct", "mst"))])
    with pytest.raises(SystemExit, match=r"^averaging needs models with the same tagger"):
        main()
    assert not (tmp_path / "mean").exists()
