"""Epochs of a baseline that learns: Adam, dev scores, the best model, patience and a log.

Unlike a tagger's, such a run cannot be resumed: it starts over.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

import torch
from torch import Tensor

from utterly.baselines.learned import Learned
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import TrainingError
from utterly.labels.labels import read_labels
from utterly.model.folder import ModelConfig
from utterly.scripts.edits import EditScript
from utterly.training.data import read_dev
from utterly.training.dev_scores import dev_scores
from utterly.training.recipe import Recipe

Report = Callable[[dict[str, Any]], None]
Sizes = Mapping[str, int]
RELEASED: Final[Sizes] = MappingProxyType({})
"""The sizes of the release."""
_BUCKET: Final = 64  # batches whose examples are sorted by size, to pad little
_Example = TypeVar("_Example")


class BaselineData(NamedTuple):
    config: ModelConfig
    scripts: list[EditScript]
    dev: list[Dialogue]


def read_data(recipe: Recipe) -> BaselineData:
    """What a baseline is trained and chosen on."""
    scripts = [labels.script for path in recipe.data.train for labels in read_labels(path)]
    dev = read_dev(recipe.data.dev, recipe.training.dev_limit)
    if not scripts or not dev:
        raise TrainingError(
            f"training needs labels, and dev dialogues with a rewrite, got {len(scripts)} and {len(dev)}; "
            "check data.train and data.dev"
        )
    config = ModelConfig(
        tagger=recipe.tagger.kind,
        language=dev[0].language,
        topic_turns=recipe.tagger.topic_turns,
        max_length=recipe.tagger.max_length,
        decode=recipe.decode,
    )
    return BaselineData(config, scripts, dev)


def fit(
    model: Learned,
    examples: Sequence[_Example],
    *,
    size: Callable[[_Example], int],
    loss: Callable[[list[_Example]], Tensor],
    dev: Sequence[Dialogue],
    recipe: Recipe,
    report: Report | None,
    clip: float = math.inf,  # the norm of the gradient
) -> None:
    """Train on the examples, those of like `size` together; the best model is in the folder `model` of the run."""
    settings, folder = recipe.training, Path(recipe.out)
    model.network.to(settings.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    optimizer = torch.optim.Adam(model.network.parameters(), lr=settings.learning_rate)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "log.jsonl").unlink(missing_ok=True)
    best, worse, step = -1.0, 0, 0
    for epoch in range(1, settings.epochs + 1):
        started, losses = time.time(), []
        model.network.train()
        for batch in _batches(examples, size, settings.batch_size, settings.seed * 1009 + epoch):
            here = loss(batch)
            optimizer.zero_grad()
            here.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(model.network.parameters(), clip)
            optimizer.step()
            losses.append(here.detach())
        step += len(losses)
        bleu, exact = dev_scores([model.scripts(dialogue)[0].script for dialogue in dev])
        event = {
            "epoch": epoch,
            "step": step,
            "steps": settings.epochs * len(losses),
            "loss": round(float(torch.stack(losses).mean()), 4),
            "seconds": round(time.time() - started, 1),
            "dev_bleu4": round(100 * bleu, 2),
            "dev_em": round(100 * exact, 2),
        }
        best, worse = (bleu, 0) if bleu > best else (best, worse + 1)
        if not worse:
            model.with_config(notes={"recipe": recipe.to_dict(), "dev": event}).save(folder / "model")
        with (folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(event) + "\n")
        if report:
            report(event)
        if worse >= settings.patience:
            break


def _batches(
    examples: Sequence[_Example], size: Callable[[_Example], int], batch: int, seed: int
) -> Iterator[list[_Example]]:
    """All examples once, shuffled."""
    rng = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(examples), generator=rng).tolist()
    for start in range(0, len(order), batch * _BUCKET):
        bucket = sorted(order[start : start + batch * _BUCKET], key=lambda i: size(examples[i]))
        for k in torch.randperm(-(-len(bucket) // batch), generator=rng).tolist():
            yield [examples[i] for i in bucket[k * batch : (k + 1) * batch]]
