"""Tiny taggers as ONNX folders."""

from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoModel

from tests import tiny
from tests.networks.models import untrained
from utterly.networks.export.graphs import export
from utterly.networks.torch_model import TorchModel

SHAPE = {
    "vocab_size": len(tiny.vocabulary()),
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 130,
    "pad_token_id": 0,
}


def save_encoder_of(family: str, folder: Path, **shape: Any) -> Path:
    """An encoder of a family with random weights."""
    torch.manual_seed(0)
    AutoModel.from_config(AutoConfig.for_model(family, **(SHAPE | shape))).save_pretrained(folder)
    tiny.tokenizer().save(str(folder / "tokenizer.json"))
    return folder


def wide_model(folder: Path) -> TorchModel:
    """A tagger that is just wide enough for weights worth making smaller."""
    return untrained("hct", save_encoder_of("bert", folder, hidden_size=128, intermediate_size=256, vocab_size=256))


def exported(kind: str, encoder: Path, folder: Path) -> TorchModel:
    """Write a tiny untrained tagger as ONNX; the tagger itself."""
    model = untrained(kind, encoder)
    export(model, folder)
    return model
