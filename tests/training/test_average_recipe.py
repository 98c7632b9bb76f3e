"""Averaged weights: the mean of all models, with what is stored made of the mean."""

from pathlib import Path

import pytest
import torch
from recipes.average import averaged

from tests.taggers.models import untrained
from utterly.errors import TrainingError
from utterly.taggers.hct import Hct


def test_weights_are_the_mean_and_rules_are_read_anew(encoder_folder: Path) -> None:
    first, second, third = (untrained("hct", encoder_folder) for _ in range(3))
    for model, bias in ((first, 1.0), (second, 3.0), (third, 7.0)):
        assert isinstance(model.tagger, Hct)
        with torch.no_grad():
            model.tagger.action_head.bias.fill_(bias)
            model.tagger.encoder.network.embeddings.LayerNorm.bias.add_(bias)
    tagger = averaged(iter([first, second, third]), [1, 2, 1]).tagger
    assert isinstance(tagger, Hct)
    assert tagger.action_head.bias.tolist() == [3.5, 3.5]
    assert not tagger.training
    stored = tagger.stored_rules.clone()
    tagger.train().eval()
    assert torch.equal(tagger.stored_rules, stored)


def test_models_of_two_kinds_and_shares_without_sense_are_refused(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    with pytest.raises(TrainingError, match=r"one kind and book.* hct .* mst .* came; give"):
        averaged([model, untrained("mst", encoder_folder)], [1, 1])
    for shares in ([1.0, -1.0], [0.0, 0.0]):
        with pytest.raises(TrainingError, match=r"a share of at least 0 for each model, not all 0, but \["):
            averaged([model, model], shares)
