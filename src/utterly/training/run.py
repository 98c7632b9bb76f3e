"""Train RUN: weighted cross-entropy over cells, Adam, and the epoch that is best on dev.

Unlike a tagger's, a run cannot be resumed: it starts over.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from utterly.baselines.run.model import KIND, Run, grid_of
from utterly.baselines.run.network import RunNetwork
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import TrainingError
from utterly.labels.labels import read_labels
from utterly.model.folder import ModelConfig
from utterly.training.data import read_dev
from utterly.training.dev_scores import dev_scores
from utterly.training.recipe import Recipe

_WEIGHTS: Final = (0.1, 0.4, 0.5)  # none, substitute, insert: RUN's release
_IGNORED: Final = -100  # cells of padding
_BUCKET: Final = 64  # batches whose examples are sorted by size, to pad little


class _Example(NamedTuple):
    rows: Tensor
    columns: Tensor
    cells: Tensor


def train_run(
    recipe: Recipe,
    *,
    report: Callable[[dict[str, Any]], None] | None = None,
    sizes: Mapping[str, int] = MappingProxyType({}),
) -> Run:
    """Train as the recipe says; the best model is in the folder `model` of the run, its scores in `log.jsonl`.

    `sizes` are those of `RunShape`, if others than RUN's.
    """
    settings, folder = recipe.training, Path(recipe.out)
    torch.manual_seed(settings.seed)
    model, examples, dev = _start(recipe, sizes)
    model.network.to(settings.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    optimizer = torch.optim.Adam(model.network.parameters(), lr=settings.learning_rate)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "log.jsonl").unlink(missing_ok=True)
    steps = -(-len(examples) // settings.batch_size)
    best, worse = -1.0, 0
    for epoch in range(1, settings.epochs + 1):
        started = time.time()
        batches = _batches(examples, settings.batch_size, settings.seed * 1009 + epoch)
        loss = _mean_loss(model.network, batches, optimizer)
        bleu, exact = dev_scores([model.scripts(dialogue)[0].script for dialogue in dev])
        progress = {"epoch": epoch, "step": epoch * steps, "steps": settings.epochs * steps, "loss": round(loss, 4)}
        scores = {"dev_bleu4": round(100 * bleu, 2), "dev_em": round(100 * exact, 2)}
        event = progress | {"seconds": round(time.time() - started, 1)} | scores
        if bleu > best:
            best, worse = bleu, 0
            model.with_config(notes={"recipe": recipe.to_dict(), "dev": event}).save(folder / "model")
        else:
            worse += 1
        with (folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(event) + "\n")
        if report:
            report(event)
        if worse >= settings.patience:
            break
    return model


def _start(recipe: Recipe, sizes: Mapping[str, int]) -> tuple[Run, list[_Example], list[Dialogue]]:
    """The untrained model, what it learns from, and the dialogues of dev."""
    scripts = [labels.script for path in recipe.data.train for labels in read_labels(path)]
    dev = read_dev(recipe.data.dev, recipe.training.dev_limit)
    if not scripts or not dev:
        raise TrainingError(
            f"training needs labels, and dev dialogues with a rewrite, got {len(scripts)} and {len(dev)}; "
            "check data.train and data.dev"
        )
    tagger = recipe.tagger
    config = ModelConfig(
        tagger=KIND, language=dev[0].language, topic_turns=tagger.topic_turns, max_length=tagger.max_length
    )
    model = Run.untrained(config, (script.dialogue for script in scripts), **sizes)
    grids = ((grid_of(script.dialogue, config), script) for script in scripts)
    examples = [
        _Example(*model.numbers(grid), torch.from_numpy(grid.cells(script))) for grid, script in grids if grid.rows
    ]
    return model, examples, dev


def _mean_loss(network: RunNetwork, batches: Iterable[_Example], optimizer: torch.optim.Optimizer) -> float:
    """Train on some batches."""
    network.train()
    weights = torch.tensor(_WEIGHTS, device=network.device)
    losses = []
    for rows, columns, cells in batches:
        logits = network(rows.to(network.device), columns.to(network.device))
        loss = functional.cross_entropy(logits, cells.to(network.device), weight=weights, ignore_index=_IGNORED)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        losses.append(loss.detach())
    return float(torch.stack(losses).mean())


def _batches(examples: Sequence[_Example], size: int, seed: int) -> Iterator[_Example]:
    """All examples once, shuffled, those of like size together."""
    rng = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(examples), generator=rng).tolist()
    for start in range(0, len(order), size * _BUCKET):
        bucket = sorted(order[start : start + size * _BUCKET], key=lambda i: len(examples[i].rows))
        starts = torch.randperm(-(-len(bucket) // size), generator=rng).tolist()
        for k in starts:
            yield _padded([examples[i] for i in bucket[k * size : (k + 1) * size]])


def _padded(examples: Sequence[_Example]) -> _Example:
    rows = pad_sequence([example.rows for example in examples], batch_first=True)
    columns = pad_sequence([example.columns for example in examples], batch_first=True)
    cells = torch.full((len(examples), rows.shape[1], columns.shape[1]), _IGNORED)
    for i, example in enumerate(examples):
        cells[i, : len(example.rows), : len(example.columns)] = example.cells
    return _Example(rows, columns, cells)
