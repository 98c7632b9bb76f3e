"""Encoders of every family that is promised, with random weights: both levels run, and the model comes back."""

from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoConfig, AutoModel

from tests import tiny
from tests.networks.models import untrained
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
FAMILIES: dict[str, dict[str, Any]] = {
    "bert": {},
    "mpnet": {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2},
    "roberta": {"type_vocab_size": 1, "pad_token_id": 1},
    "modernbert": {"bos_token_id": 2, "eos_token_id": 3, "cls_token_id": 2, "sep_token_id": 3},
    "roformer": {"embedding_size": 16},
}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_tagger_runs_on(family: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    AutoModel.from_config(AutoConfig.for_model(family, **(SHAPE | FAMILIES[family]))).save_pretrained(tmp_path / family)
    tiny.tokenizer().save(str(tmp_path / family / "tokenizer.json"))
    model = untrained("hct", tmp_path / family)
    dialogues = [each.script.dialogue for each in tiny.labels()[:4]]
    answers = list(model.scripts_in_batches(dialogues, batch_size=3))
    assert [best[0].script.dialogue for best in answers] == dialogues
    model.save_pretrained(tmp_path / "model")
    assert list(TorchModel.from_pretrained(tmp_path / "model").scripts_in_batches(dialogues, batch_size=3)) == answers
