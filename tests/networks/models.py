"""Tiny taggers on tiny encoders."""

from pathlib import Path

import torch

from tests import tiny
from utterly.model.model import ModelConfig
from utterly.networks.layers import head_parameters
from utterly.networks.torch_model import TorchModel

KINDS = ("rast", "mst", "hct")


def untrained(kind: str, folder: Path, *, seed: int = 0) -> TorchModel:
    """A tagger that has learned nothing, in evaluation: its answers are wild but always the same."""
    torch.manual_seed(seed)
    model = TorchModel.untrained(ModelConfig(tagger=kind, max_length=64), folder, tiny.BOOK)
    with torch.no_grad():  # heads begin near zero: far apart, they say all kinds of things
        for weight in head_parameters(model.tagger):
            weight.add_(torch.randn_like(weight) * 0.5)
    model.tagger.train()
    model.tagger.eval()  # stores the rule embeddings
    return model
