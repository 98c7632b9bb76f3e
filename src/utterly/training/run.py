"""Train RUN: weighted cross-entropy over cells."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from utterly.baselines.run.model import Run
from utterly.baselines.run.network import RunShape
from utterly.extras import require
from utterly.model.encode import PieceEncoder
from utterly.model.folder import local_folder
from utterly.networks.layers import Encoder
from utterly.training.epochs import fit, network_settings, read_data, training_device
from utterly.training.recipe import Recipe, Report, TaggerSettings

_IGNORED: Final = -100  # cells of padding


class _Example(NamedTuple):
    rows: Tensor
    columns: Tensor
    cells: Tensor


def train(recipe: Recipe, *, report: Report | None = None) -> Run:
    torch.manual_seed(recipe.training.seed)
    config, scripts, dev = read_data(recipe)
    sizes = network_settings(recipe, RunShape)
    if recipe.tagger.encoder or recipe.tagger.start_from:
        model = Run.on_encoder(config, *_encoder(recipe.tagger), **sizes)
    else:
        model = Run.untrained(config, (script.dialogue for script in scripts), **sizes)
    grids = ((model.grid(script.dialogue), script) for script in scripts)
    examples = [_Example(*model.numbers(grid), torch.from_numpy(grid.cells(script))) for grid, script in grids if grid]
    weights = torch.tensor(model.config.encoder["weights"], device=training_device(recipe))

    def loss(batch: Sequence[_Example]) -> Tensor:
        rows, columns, cells = _padded(batch)
        logits = model.network(rows, columns).float()
        cells = cells.to(weights.device, non_blocking=True).long()
        return functional.cross_entropy(logits, cells, weight=weights, ignore_index=_IGNORED)

    fit(model, examples, size=lambda each: len(each.rows), loss=loss, dev=dev, recipe=recipe, report=report)
    return model


def _encoder(settings: TaggerSettings) -> tuple[Encoder, Tokenizer]:
    """The encoder of the tagger to start from, or a bare one."""
    require("transformers", extra="train")
    from utterly.networks.torch_model import TorchModel, pretrained_network

    if settings.start_from:
        model = TorchModel.from_pretrained(settings.start_from)
        return model.tagger.encoder, model.encoder.tokenizer
    folder = local_folder(settings.encoder)
    encoder = Encoder(pretrained_network(folder, positions=settings.max_length))
    return encoder, PieceEncoder.from_folder(folder).tokenizer


def _padded(examples: Sequence[_Example]) -> _Example:
    rows = pad_sequence([example.rows for example in examples], batch_first=True)
    columns = pad_sequence([example.columns for example in examples], batch_first=True)
    cells = torch.full((len(examples), rows.shape[1], columns.shape[1]), _IGNORED, dtype=torch.int8)
    for i, example in enumerate(examples):
        cells[i, : len(example.rows), : len(example.columns)] = example.cells
    return _Example(rows, columns, cells)
