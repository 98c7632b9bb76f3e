"""Narrower feed-forward layers: the units that matter stay."""

from pathlib import Path

import pytest
import torch

from tests import tiny
from tests.networks.exported import SHAPE, save_encoder_of
from tests.networks.models import untrained
from tests.networks.test_encoders import FAMILIES
from utterly.errors import ModelError
from utterly.networks.layers import Batch
from utterly.networks.narrow import narrow_feed_forward
from utterly.networks.torch_model import TorchModel, shape_of
from utterly.networks.torch_scorer import collate

DIALOGUES = [each.script.dialogue for each in tiny.labels()[:4]]
WIDTH = int(SHAPE["intermediate_size"])


def batches(model: TorchModel) -> list[Batch]:
    return [collate([model.encoder.encode(dialogue)]) for dialogue in DIALOGUES]


def layers(model: TorchModel) -> list[tuple[torch.nn.Linear, torch.nn.Linear]]:
    return [(each.intermediate.dense, each.output.dense) for each in model.tagger.encoder.network.encoder.layer]


@pytest.mark.parametrize("family", ["bert", "mpnet", "roformer"])
@torch.no_grad()
def test_units_that_add_nothing_are_cut_and_the_model_stays_the_same(family: str, tmp_path: Path) -> None:
    model = untrained("hct", save_encoder_of(family, tmp_path / family, **FAMILIES[family]))
    for number, (intermediate, output) in enumerate(layers(model)):
        output.weight[:, number::2] *= 100  # every other unit matters, in each layer others
        output.weight[:, 1 - number :: 2] = 0.0
        intermediate.bias[1 - number :: 2] = 5.0  # however active it is
    before = [model.tagger.encoder(batch).source for batch in batches(model)]

    narrow_feed_forward(model.tagger.encoder, WIDTH // 2, batches(model))

    for intermediate, output in layers(model):
        assert (intermediate.out_features, output.in_features) == (WIDTH // 2, WIDTH // 2)
        assert len(intermediate.bias) == WIDTH // 2
    for batch, states in zip(batches(model), before, strict=True):
        torch.testing.assert_close(model.tagger.encoder(batch).source, states)

    narrowed = model.with_config(encoder=shape_of(model.tagger.encoder.network))
    narrowed.save_pretrained(tmp_path / "model")
    again = TorchModel.from_pretrained(tmp_path / "model")
    assert again.config.encoder["intermediate_size"] == WIDTH // 2
    assert list(again.scripts_in_batches(DIALOGUES)) == list(narrowed.scripts_in_batches(DIALOGUES))


@torch.no_grad()
def test_a_unit_that_no_dialogue_uses_is_cut_whatever_its_weights(encoder_folder: Path) -> None:
    model = untrained("mst", encoder_folder)
    for intermediate, output in layers(model):
        intermediate.weight[7], intermediate.bias[7] = 0.0, -50.0
        output.weight[:, 7] = 1000.0
    narrow_feed_forward(model.tagger.encoder, WIDTH - 1, batches(model))
    assert all(output.weight.max() < 1000 for _, output in layers(model))


@pytest.mark.parametrize("width", [WIDTH, WIDTH + 1])
def test_a_width_that_is_not_narrower_is_refused(encoder_folder: Path, width: int) -> None:
    model = untrained("mst", encoder_folder)
    with pytest.raises(
        ModelError, match=f"feed_forward must be below the encoder's width of {WIDTH}, got {width}; set"
    ):
        narrow_feed_forward(model.tagger.encoder, width, [])


def test_an_encoder_with_other_layers_is_refused(tmp_path: Path) -> None:
    model = untrained("mst", save_encoder_of("modernbert", tmp_path, **FAMILIES["modernbert"]))
    with pytest.raises(ModelError, match="ModernBertModel has no feed-forward layers that can be narrowed; choose"):
        narrow_feed_forward(model.tagger.encoder, 8, [])
