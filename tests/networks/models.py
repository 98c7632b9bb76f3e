"""Tiny taggers on tiny encoders."""

from pathlib import Path

import torch

from tests import tiny
from utterly.networks.model import TaggerModel

KINDS = ("rast", "mst", "hct")


def untrained(kind: str, folder: Path, *, seed: int = 0) -> TaggerModel:
    """A tagger that has learned nothing, in evaluation: its answers are wild but always the same."""
    torch.manual_seed(seed)
    model = TaggerModel.from_encoder(kind, folder, tiny.BOOK, max_length=64, topic_turns=2)
    with torch.no_grad():  # heads begin near zero: far apart, they say all kinds of things
        for weight in model.tagger.head_parameters():
            weight.add_(torch.randn_like(weight) * 0.5)
    model.tagger.train()
    model.tagger.eval()  # stores the rule embeddings
    return model
