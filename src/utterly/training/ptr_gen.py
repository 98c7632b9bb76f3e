"""Train Ptr-Gen: cross-entropy of the target's words, generated or copied."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from utterly.baselines.ptr_gen.model import PtrGen
from utterly.baselines.ptr_gen.network import PtrGenShape
from utterly.training.epochs import fit, network_settings, read_data
from utterly.training.recipe import Recipe, Report


class _Example(NamedTuple):
    words: Tensor
    target: Tensor


def train(recipe: Recipe, *, report: Report | None = None) -> PtrGen:
    torch.manual_seed(recipe.training.seed)
    config, scripts, dev = read_data(recipe)
    dialogues = [script.dialogue for script in scripts]
    model = PtrGen.untrained(config, dialogues, **network_settings(recipe, PtrGenShape))
    examples = []
    for dialogue in dialogues:
        reading = model.reading(dialogue)
        examples.append(_Example(torch.tensor(reading.words), torch.tensor(model.target(dialogue, reading))))

    def loss(batch: Sequence[_Example]) -> Tensor:
        words, targets = (pad_sequence([*each], batch_first=True) for each in zip(*batch, strict=True))
        return model.network.loss(words, targets)

    clip = 2.0  # as in See et al.
    fit(model, examples, size=lambda each: len(each.words), loss=loss, dev=dev, recipe=recipe, report=report, clip=clip)
    return model
