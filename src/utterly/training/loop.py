"""The training loop of taggers: epochs of steps, dev scores, the best model, patience, checkpoints."""

import copy
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import torch
from accelerate import Accelerator
from accelerate.utils import AutocastKwargs, broadcast

from utterly.errors import TrainingError
from utterly.networks.fused_attention import fuse_mpnet_attention
from utterly.networks.rounding import bake, round_layers, spread_rounded
from utterly.networks.torch_model import TorchModel
from utterly.networks.torch_scorer import TorchScorer
from utterly.training.batches import BatchFeeder
from utterly.training.checkpoint import TrainingState, append_to_log, load_checkpoint, save_checkpoint
from utterly.training.cuda_graphs import capture_passes
from utterly.training.dev_scores import dev_scores
from utterly.training.optimizer import make_optimizer, make_schedule
from utterly.training.recipe import Recipe, Report, TrainingSettings
from utterly.training.start import load_start
from utterly.training.step import TrainingLoss, TrainingStep, readings
from utterly.training.track import Tracker

_REPORT_EVERY: Final = 50  # steps
_DEV_BATCH: Final = 64


def train(recipe: Recipe, *, report: Report | None = None) -> TorchModel:
    """Train a tagger, resuming from the last checkpoint in the run's folder; returns the best model."""
    with deterministic(recipe.training.deterministic and recipe.training.device != "cpu"):
        return _Run(recipe, report).run()


@contextmanager
def deterministic(wanted: bool) -> Iterator[None]:
    """A context in which torch uses deterministic algorithms, if wanted."""
    before = torch.are_deterministic_algorithms_enabled()
    if wanted:
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # read at the first matrix product
    torch.use_deterministic_algorithms(wanted)
    try:
        yield
    except RuntimeError as failure:
        if wanted and "deterministic" in str(failure):
            raise TrainingError(
                f"a step has no deterministic form on this device: {failure}; set deterministic = false"
            ) from failure
        raise
    finally:
        torch.use_deterministic_algorithms(before)


class _Run:
    """A run of a recipe: its parts, put together, and its epochs."""

    def __init__(self, recipe: Recipe, report: Report | None) -> None:
        settings = recipe.training
        accelerator = _accelerator(settings)
        self.recipe, self.settings, self.accelerator, self._report = recipe, settings, accelerator, report
        self.folder = Path(recipe.out)
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(settings.seed)
        start = load_start(recipe, accelerator.device)
        self.dev, self.data_event, tagger = start.dev, start.event, start.model.tagger
        if accelerator.device.type == "cuda" and not settings.deterministic:
            for model in (start.model, *start.teachers):
                fuse_mpnet_attention(model.tagger)
        if settings.weight_bits:
            round_layers(tagger, bits=settings.weight_bits)
            spread_rounded(tagger, torch.Generator().manual_seed(settings.seed))
        self.feeder = BatchFeeder(
            examples=start.examples,
            batch_size=settings.batch_size,
            seed=settings.seed,
            tagger=tagger,
            device=accelerator.device,
            readings=readings(settings),
            teachers=bool(start.teachers),
            process=accelerator.process_index,
            processes=accelerator.num_processes,
        )
        optimizer = make_optimizer(tagger, settings, accelerator.device)
        steps = max(1, settings.epochs * self.feeder.batches_per_epoch // settings.accumulate)
        schedule = make_schedule(optimizer, steps=steps, warmup=settings.warmup_share)
        # Prepared for training, it would average gradients between processes in its own way: see `TrainingStep`.
        self.tagger = accelerator.prepare_model(tagger, evaluation_mode=True)
        prepared = accelerator.prepare_optimizer(optimizer)
        self.model = start.model
        if settings.cuda_graphs and accelerator.device.type == "cuda":
            without_cache = AutocastKwargs(cache_enabled=False)
            size = settings.batch_size * readings(settings)
            capture_passes(tagger, map(len, start.examples), size, lambda: accelerator.autocast(without_cache))
        teachers = [teacher.tagger.to(accelerator.device).eval() for teacher in start.teachers]
        loss = TrainingLoss(settings, self.model, teachers, accelerator.autocast)
        self.step = TrainingStep(accelerator, self.tagger, prepared, schedule, loss, settings.seed)
        self.schedule = schedule
        self._tracker: Tracker | None = None
        self.parts = {"model": tagger, "optimizer": prepared, "schedule": schedule}  # what a checkpoint keeps
        if accelerator.scaler is not None:  # of fp16
            self.parts["scaler"] = accelerator.scaler

    def run(self) -> TorchModel:
        state = load_checkpoint(self.folder, self.parts, self.recipe)
        if self.settings.track and self.accelerator.is_main_process:
            self._tracker = Tracker(self.folder, step=state.step)
        if not self._finished(state):
            self._tell(self.data_event, log=True)
        while not self._finished(state):
            self._epoch(state)
        best = self.folder / "model"
        return TorchModel.from_pretrained(best) if best.exists() else self.model

    def _finished(self, state: TrainingState) -> bool:
        return self.settings.ended(state.epoch, state.epochs_without_better)

    def _epoch(self, state: TrainingState) -> None:
        """Train on every example once; then score dev and write a checkpoint."""
        started = time.time()
        losses = _MeanLosses()
        self.tagger.train()
        # Drop the gradients of an unfinished accumulation: a checkpoint does not have them.
        self.tagger.zero_grad(set_to_none=True)
        self.accelerator.step = 0
        torch.manual_seed(self.settings.seed * 1_000_003 + state.step * 1009 + self.accelerator.process_index)
        for batch in self.feeder.epoch(state.epoch):
            losses.add(self.step(batch, step=state.step, epoch=state.epoch))
            state.step += 1
            if state.step % _REPORT_EVERY == 0:
                self._tell(self._event(losses, state) | {"rate": self.schedule.get_last_lr()[0]})
        state.epoch += 1
        event = {"epoch": state.epoch} | self._event(losses, state) | {"seconds": round(time.time() - started, 1)}
        # The last step may have broken weights, which its own loss does not show.
        if not torch.stack([weight.isfinite().all() for weight in self.model.tagger.parameters()]).all():
            raise _not_a_number("a weight", state)
        self._score_dev(state, event)
        if self.accelerator.is_main_process:
            save_checkpoint(self.folder, state, self.parts, self.recipe)
        self.accelerator.wait_for_everyone()
        self._tell(event, log=True)

    def _event(self, losses: "_MeanLosses", state: TrainingState) -> dict[str, Any]:
        steps = self.settings.epochs * self.feeder.batches_per_epoch
        return {"step": state.step, "steps": steps} | losses.checked(state)

    def _score_dev(self, state: TrainingState, event: dict[str, Any]) -> None:
        """Add dev scores to the event, and save the model if it is the best so far."""
        if self.accelerator.is_main_process:
            with self.accelerator.autocast():
                found = list(self.model.scripts_in_batches(self.dev, batch_size=_DEV_BATCH))
            bleu, exact = dev_scores([best[0].script for best in found])
            event |= {"dev_bleu4": round(100 * bleu, 2), "dev_em": round(100 * exact, 2)}
            if state.record_dev(bleu):
                notes = {"recipe": self.recipe.to_dict(), "epoch": state.epoch, "dev": dict(event)}
                self._to_save().with_config(notes=notes).save_pretrained(self.folder / "model")
        if self.accelerator.num_processes > 1:  # the others must stop when the main process does
            values = torch.tensor([state.best_dev, state.epochs_without_better], dtype=torch.float64)
            values = broadcast(values.to(self.accelerator.device)).cpu()
            state.best_dev, state.epochs_without_better = float(values[0]), int(values[1])

    def _to_save(self) -> TorchModel:
        """The model as it computes now. In 4 bits that is a copy: training goes on with unrounded weights."""
        if self.settings.weight_bits != 4:
            return self.model
        tagger = copy.deepcopy(self.model.tagger)
        bake(tagger)
        return replace(self.model, scorer=TorchScorer(tagger, self.model.scorer.device))

    def _tell(self, event: dict[str, Any], *, log: bool = False) -> None:
        if self.accelerator.is_main_process:
            if self._report:
                self._report(event)
            if self._tracker and "step" in event:
                self._tracker.add(event)
            if log:
                append_to_log(self.folder, event)


class _MeanLosses:
    """The mean of each loss over some steps. Sums stay on the device, because reading them waits for it."""

    def __init__(self) -> None:
        self._sums: dict[str, torch.Tensor] = {}
        self._count = 0

    def add(self, losses: dict[str, torch.Tensor]) -> None:
        self._sums = {name: loss + self._sums.get(name, 0.0) for name, loss in losses.items()}
        self._count += 1

    def checked(self, state: TrainingState) -> dict[str, float]:
        """The means by name. If one is not finite, training ends before a broken model is saved."""
        means = {name: float(total) / self._count for name, total in self._sums.items()}
        if not all(map(math.isfinite, means.values())):
            raise _not_a_number("the loss", state)
        return {name: round(mean, 4) for name, mean in means.items()}


def _not_a_number(what: str, state: TrainingState) -> TrainingError:
    return TrainingError(
        f"{what} is not a finite number after step {state.step}; the last checkpoint is still there: "
        'lower learning_rate, or set precision = "no"'
    )


def _accelerator(settings: TrainingSettings) -> Accelerator:
    """The processes, device and precision of a run."""
    if settings.device == "cuda" and not torch.cuda.is_available():
        raise TrainingError('device = "cuda" needs a GPU that torch can use, and there is none; set device = "cpu"')
    if settings.precision == "tf32":
        torch.set_float32_matmul_precision("high")
    accelerator = Accelerator(
        mixed_precision="no" if settings.precision == "tf32" else settings.precision,
        gradient_accumulation_steps=settings.accumulate,
        cpu=settings.device == "cpu",
    )
    if settings.cuda_graphs and accelerator.num_processes > 1:
        raise TrainingError(
            f"cuda_graphs needs a single process, got {accelerator.num_processes}; run without `accelerate launch`"
        )
    return accelerator
