"""Train Ptr-Gen: cross-entropy of the target's words, each generated or copied."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from utterly.baselines.ptr_gen.model import PtrGen
from utterly.training.epochs import RELEASED, Report, Sizes, fit, read_data
from utterly.training.recipe import Recipe


class _Example(NamedTuple):
    words: Tensor
    target: Tensor
    size: int  # of the extended vocabulary


def train_ptr_gen(recipe: Recipe, *, report: Report | None = None, sizes: Sizes = RELEASED) -> PtrGen:
    """Train as the recipe says; `sizes` are those of `PtrGenShape`."""
    torch.manual_seed(recipe.training.seed)
    config, scripts, dev = read_data(recipe)
    model = PtrGen.untrained(config, (script.dialogue for script in scripts), **sizes)
    examples = []
    for script in scripts:
        reading = model.reading(script.dialogue)
        target = torch.tensor(model.target(script.dialogue, reading))
        examples.append(_Example(torch.tensor(reading.words), target, len(model.vocabulary) + len(reading.new)))

    def loss(batch: Sequence[_Example]) -> Tensor:
        words = pad_sequence([each.words for each in batch], batch_first=True).to(model.device)
        targets = pad_sequence([each.target for each in batch], batch_first=True).to(model.device)
        return model.network.loss(words, targets, max(each.size for each in batch))

    clip = 2.0  # as See et al.
    fit(model, examples, size=lambda each: len(each.words), loss=loss, dev=dev, recipe=recipe, report=report, clip=clip)
    return model
