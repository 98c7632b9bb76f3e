"""Train RUN: weighted cross-entropy over cells."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from utterly.baselines.run.model import Run, grid_of
from utterly.baselines.run.network import RunShape
from utterly.training.epochs import Report, fit, network_settings, read_data
from utterly.training.recipe import Recipe

_IGNORED: Final = -100  # cells of padding


class _Example(NamedTuple):
    rows: Tensor
    columns: Tensor
    cells: Tensor


def train_run(recipe: Recipe, *, report: Report | None = None) -> Run:
    """Train as the recipe says."""
    torch.manual_seed(recipe.training.seed)
    config, scripts, dev = read_data(recipe)
    model = Run.untrained(config, (script.dialogue for script in scripts), **network_settings(recipe, RunShape))
    grids = ((grid_of(script.dialogue, config), script) for script in scripts)
    examples = [
        _Example(*model.numbers(grid), torch.from_numpy(grid.cells(script))) for grid, script in grids if grid.rows
    ]
    weights = torch.tensor(model.config.encoder["weights"])

    def loss(batch: Sequence[_Example]) -> Tensor:
        rows, columns, cells = _padded(batch)
        logits = model.network(rows, columns).float()
        return functional.cross_entropy(
            logits, cells.to(logits.device), weight=weights.to(logits.device), ignore_index=_IGNORED
        )

    fit(model, examples, size=lambda each: len(each.rows), loss=loss, dev=dev, recipe=recipe, report=report)
    return model


def _padded(examples: Sequence[_Example]) -> _Example:
    rows = pad_sequence([example.rows for example in examples], batch_first=True)
    columns = pad_sequence([example.columns for example in examples], batch_first=True)
    cells = torch.full((len(examples), rows.shape[1], columns.shape[1]), _IGNORED)
    for i, example in enumerate(examples):
        cells[i, : len(example.rows), : len(example.columns)] = example.cells
    return _Example(rows, columns, cells)
