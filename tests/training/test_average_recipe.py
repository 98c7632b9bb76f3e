"""Averaged weights: the mean of both models, with what is stored made of the mean."""

from pathlib import Path

import pytest
import torch
from recipes.average import averaged

from tests.taggers.models import untrained
from utterly.errors import TrainingError
from utterly.taggers.hct import Hct


def test_weights_are_the_mean_and_rules_are_read_anew(encoder_folder: Path) -> None:
    first, second = untrained("hct", encoder_folder), untrained("hct", encoder_folder)
    assert isinstance(first.tagger, Hct)
    assert isinstance(second.tagger, Hct)
    with torch.no_grad():
        first.tagger.action_head.bias.fill_(1.0)
        second.tagger.action_head.bias.fill_(3.0)
        first.tagger.encoder.network.embeddings.LayerNorm.bias.add_(1.0)
    tagger = averaged(first, second, 0.75).tagger
    assert isinstance(tagger, Hct)
    assert tagger.action_head.bias.tolist() == [2.5, 2.5]
    assert not tagger.training
    stored = tagger.stored_rules.clone()
    tagger.train().eval()
    assert torch.equal(tagger.stored_rules, stored)


def test_models_of_two_kinds_and_a_share_over_one_are_refused(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    with pytest.raises(TrainingError, match=r"one kind and book.* hct .* mst .* came; give"):
        averaged(model, untrained("mst", encoder_folder), 0.5)
    with pytest.raises(TrainingError, match=r"a share from 0 to 1, .* and 2 came"):
        averaged(model, model, 2)
