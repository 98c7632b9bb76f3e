"""The training loop of baselines and role labellers: batches, dev scores, the best model, patience, checkpoints."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from utterly.baselines.learned import Learned
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import RecipeError, TrainingError
from utterly.labels.labels import read_labels
from utterly.model.model import ModelConfig
from utterly.scripts.edits import EditScript
from utterly.training.checkpoint import append_to_log, load_checkpoint, save_checkpoint
from utterly.training.data import check_data, read_dev
from utterly.training.dev_scores import dev_scores
from utterly.training.optimizer import make_optimizer, make_schedule
from utterly.training.recipe import Recipe, Report

_BUCKET: Final = 64  # batches whose examples are sorted by size, which saves padding
_Example = TypeVar("_Example")


class BaselineData(NamedTuple):
    config: ModelConfig
    scripts: list[EditScript]
    dev: list[Dialogue]


def read_data(recipe: Recipe) -> BaselineData:
    """The data of a baseline, and the config it starts with."""
    scripts = [labels.script for path in recipe.data.train for labels in read_labels(path)]
    dev = read_dev(recipe.data.dev, recipe.training.dev_limit)
    check_data(scripts, dev)
    config = ModelConfig(
        tagger=recipe.tagger.kind,
        language=dev[0].language,
        topic_turns=recipe.tagger.topic_turns,
        max_length=recipe.tagger.max_length,
        decode=recipe.decode,
    )
    return BaselineData(config, scripts, dev)


def network_settings(recipe: Recipe, shape: type) -> dict[str, Any]:
    """The recipe's settings of the network, each of which must be a field of its shape."""
    known = [each.name for each in fields(shape)]
    for name in recipe.network:
        if name not in known:
            raise RecipeError(f"network has no setting {name!r}; it has: {', '.join(known)}")
    return recipe.network


def fit(
    model: Learned,
    examples: Sequence[_Example],
    *,
    size: Callable[[_Example], int],
    loss: Callable[[list[_Example]], Tensor],
    dev: Sequence[Dialogue],
    recipe: Recipe,
    report: Report | None,
    clip: float = math.inf,
) -> None:
    """Train a baseline on the examples, and save the best model in the folder `model` of the run."""

    def scores() -> dict[str, float]:
        bleu, exact = dev_scores([each.script for each in model.scripts_in_batches(dev)])
        return {"dev_bleu4": bleu, "dev_em": exact}

    def save(event: dict[str, Any]) -> None:
        model.with_config(notes={"recipe": recipe.to_dict(), "dev": event}).save(Path(recipe.out) / "model")

    run_epochs(
        model.network, examples, size=size, loss=loss, scores=scores, save=save, recipe=recipe, report=report, clip=clip
    )


def training_device(recipe: Recipe) -> torch.device:
    return torch.device(recipe.training.device or ("cuda" if torch.cuda.is_available() else "cpu"))


def run_epochs(
    network: nn.Module,
    examples: Sequence[_Example],
    *,
    size: Callable[[_Example], int],
    loss: Callable[[list[_Example]], Tensor],
    scores: Callable[[], dict[str, float]],  # on dev, 0 to 1; the first decides which epoch is best
    save: Callable[[dict[str, Any]], None],  # the best model so far, given the event of its epoch
    recipe: Recipe,
    report: Report | None,
    clip: float = math.inf,  # the gradients' norm
) -> None:
    """Train on batches of examples of about equal `size`, resuming from the last checkpoint in the run's folder."""
    settings, folder, device = recipe.training, Path(recipe.out), training_device(recipe)
    autocast = _autocast(settings.precision, device)
    optimizer = make_optimizer(network.to(device), settings, device)
    steps = settings.epochs * math.ceil(len(examples) / settings.batch_size)
    schedule = make_schedule(optimizer, steps=steps, warmup=settings.warmup_share)
    folder.mkdir(parents=True, exist_ok=True)
    parts = {"model": network, "optimizer": optimizer, "schedule": schedule}
    state = load_checkpoint(folder, parts, recipe)
    while not settings.ended(state.epoch, state.epochs_without_better):
        started, losses = time.time(), []
        torch.manual_seed(settings.seed * 1_000_003 + state.epoch)
        network.train()
        for batch in _batches(examples, size, settings.batch_size, settings.seed * 1009 + state.epoch):
            with autocast():
                here = loss(batch)
            optimizer.zero_grad()
            here.backward()  # type: ignore[no-untyped-call]
            if clip < math.inf:
                torch.nn.utils.clip_grad_norm_(network.parameters(), clip)
            optimizer.step()
            schedule.step()
            losses.append(here.detach())
        state.epoch, state.step = state.epoch + 1, state.step + len(losses)
        event = {
            "epoch": state.epoch,
            "step": state.step,
            "steps": steps,
            "loss": round(float(torch.stack(losses).mean()), 4),
            "seconds": round(time.time() - started, 1),
        }
        with autocast():
            found = scores()
        event |= {name: round(100 * score, 2) for name, score in found.items()}
        if state.record_dev(next(iter(found.values()))):
            save(event)
        save_checkpoint(folder, state, parts, recipe)
        append_to_log(folder, event)
        if report:
            report(event)


def _autocast(precision: str, device: torch.device) -> Callable[[], torch.autocast]:
    """A context that computes in this precision. fp16 is refused: it would need loss scaling."""
    if precision == "fp16":
        raise TrainingError('a baseline trains with precision "no", "tf32" or "bf16", got "fp16"; change the recipe')
    if precision == "tf32":
        torch.set_float32_matmul_precision("high")
    return partial(torch.autocast, device.type, torch.bfloat16, enabled=precision == "bf16")


def _batches(
    examples: Sequence[_Example], size: Callable[[_Example], int], batch: int, seed: int
) -> Iterator[list[_Example]]:
    """All examples once, shuffled, in batches of about equal size."""
    rng = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(examples), generator=rng).tolist()
    for start in range(0, len(order), batch * _BUCKET):
        bucket = sorted(order[start : start + batch * _BUCKET], key=lambda i: size(examples[i]))
        for k in torch.randperm(-(-len(bucket) // batch), generator=rng).tolist():
            yield [examples[i] for i in bucket[k * batch : (k + 1) * batch]]
