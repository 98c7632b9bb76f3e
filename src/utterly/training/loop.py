"""The training loop: batches, steps, dev scores, checkpoints, and the best model kept."""

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import AutocastKwargs, DistributedDataParallelKwargs, broadcast
from torch import Tensor
from torch.optim.lr_scheduler import LambdaLR

from utterly.errors import TrainingError
from utterly.labels.labels import read_labels
from utterly.model.folder import ModelConfig, find_book
from utterly.networks.layers import Batch
from utterly.networks.torch_model import TorchModel
from utterly.rules.book import RuleBook
from utterly.training.batches import Gold, batched, in_advance, teacher_tensors, tensors
from utterly.training.checkpoint import Progress, load_checkpoint, save_checkpoint
from utterly.training.cuda_graphs import record_passes
from utterly.training.data import Encoded, Example, ExampleEncoder, read_dev
from utterly.training.deterministic import sums_in_order
from utterly.training.dev_scores import dev_scores
from utterly.training.losses import Answer, agreement_losses, label_losses, mean_answer, teacher_losses
from utterly.training.policy import policy_loss
from utterly.training.recipe import Recipe

Report = Callable[[dict[str, Any]], None]
_LOSS_NAMES: Final = ("loss", "action", "rule", "span")
_REPORT_EVERY: Final = 50  # steps
_CLIP: Final = 5.0  # the gradients' norm; the authors use 3 to 5


def train(recipe: Recipe, *, report: Report | None = None) -> TorchModel:
    """Train as the recipe says, going on from the last checkpoint in its folder; returns the best model."""
    with sums_in_order(recipe.training.deterministic and recipe.training.device != "cpu"):
        return _Run(recipe, report).run()


class _Ready(NamedTuple):
    """A batch on the device, with its labels and, where there are teachers, what they read of which dialogues."""

    examples: Sequence[Example]
    batch: Batch
    gold: Gold
    for_teachers: tuple[Batch, Tensor] | None


class _Run:
    def __init__(self, recipe: Recipe, report: Report | None) -> None:
        settings = recipe.training
        if settings.device == "cuda" and not torch.cuda.is_available():
            raise TrainingError(
                'the recipe asks for device = "cuda", but there is no GPU that torch can use; '
                'run it where there is one, or set device = "cpu"'
            )
        self.recipe, self.settings, self._report = recipe, settings, report
        self.accelerator = Accelerator(
            mixed_precision="no" if settings.precision == "tf32" else settings.precision,
            gradient_accumulation_steps=settings.accumulate,
            cpu=settings.device == "cpu",
            kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)],
        )
        if settings.precision == "tf32":
            torch.set_float32_matmul_precision("high")
        self.folder = Path(recipe.out)
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(settings.seed)
        self.model = _starting_model(recipe)
        book = self.model.book
        for name in ("reward_weight", "recorded"):
            if getattr(settings, name) and self._processes > 1:
                raise TrainingError(
                    f"{name} needs a single process, but there are several; run without `accelerate launch`"
                )
        self.teachers = _teachers(recipe, book)
        read = [self._read(path) for path in recipe.data.train]
        self.examples = [example for each in read for example in each.examples]
        self.dev = read_dev(recipe.data.dev, settings.dev_limit)
        self.data_event = {
            "examples": len(self.examples),
            "too_long": sum(each.too_long for each in read),
            "inexact": sum(each.inexact for each in read),
            "dev": len(self.dev),
        }
        if not self.examples or not self.dev:
            raise TrainingError(
                f"training needs labels to learn from and dialogues with a target to be judged on, but "
                f"{len(self.examples)} and {len(self.dev)} came; check data.train and data.dev"
                + (", or set exact_only = false" if recipe.data.exact_only else "")
            )
        self.model = self.model.with_config(language=self.dev[0].language)
        self.batches_per_epoch = math.ceil(math.ceil(len(self.examples) / settings.batch_size) / self._processes)
        self._prepare()

    def _read(self, path: str) -> Encoded:
        """The examples of a label file, with what the teachers read where they teach them."""
        model, data = self.model, self.recipe.data
        teacher = self.teachers[0].encoder if self.teachers and path in (data.taught or data.train) else None
        encoder = ExampleEncoder(
            model.tagger.kind, model.book, model.encoder, exact_only=data.exact_only, teacher=teacher
        )
        return encoder.encode(read_labels(path), workers=self.settings.workers)

    @property
    def _processes(self) -> int:
        return int(self.accelerator.num_processes)

    def _prepare(self) -> None:
        settings, tagger = self.settings, self.model.tagger
        heads = {id(p) for p in tagger.head_parameters()}
        groups = [
            {"params": [p for p in tagger.parameters() if id(p) not in heads], "lr": settings.learning_rate},
            {"params": tagger.head_parameters(), "lr": settings.learning_rate * settings.head_rate_factor},
        ]
        fused = self.accelerator.device.type == "cuda"
        optimizer = torch.optim.AdamW(groups, weight_decay=settings.weight_decay, fused=fused)
        steps = max(1, settings.epochs * self.batches_per_epoch // settings.accumulate)
        schedule = LambdaLR(optimizer, lambda step: _rate(step, steps, settings.warmup))
        self.tagger, self.optimizer = self.accelerator.prepare(tagger, optimizer)
        if settings.recorded and self.accelerator.device.type == "cuda":
            lengths, size = map(len, self.examples), settings.batch_size * self._readings
            without_cache = AutocastKwargs(cache_enabled=False)
            record_passes(tagger, lengths, size, lambda: self.accelerator.autocast(without_cache))
        for teacher in self.teachers:
            teacher.tagger.to(self.accelerator.device).eval()
        self.schedule = schedule

    def run(self) -> TorchModel:
        parts = {"model": self.model.tagger, "optimizer": self.optimizer, "schedule": self.schedule}
        if self.accelerator.scaler is not None:  # of fp16
            parts["scaler"] = self.accelerator.scaler
        progress = load_checkpoint(self.folder, parts, self.recipe.to_dict())
        if self._goes_on(progress):
            self._tell(self.data_event, log=True)
        while self._goes_on(progress):
            self._epoch(progress, parts)
        best = self.folder / "model"
        return TorchModel.from_pretrained(best) if best.exists() else self.model

    def _goes_on(self, progress: Progress) -> bool:
        return progress.epoch < self.settings.epochs and progress.epochs_without_better < self.settings.patience

    def _epoch(self, progress: Progress, parts: dict[str, Any]) -> None:
        started = time.time()
        sums = torch.zeros(len(_LOSS_NAMES), device=self.accelerator.device)  # read rarely: reading waits for the GPU
        count = 0
        self.tagger.train()
        # Batches left over from an epoch that accumulates are dropped: a checkpoint does not hold their gradients.
        self.tagger.zero_grad(set_to_none=True)
        self.accelerator.step = progress.batches_done
        self._reseed(progress.step)
        for done, ready in self._batches(progress.epoch, skip=progress.batches_done):
            sums += self._step(ready, progress)
            count += 1
            progress.step, progress.batches_done = progress.step + 1, done
            if progress.step % _REPORT_EVERY == 0:
                self._tell(self._losses(sums, count, progress) | {"rate": self.schedule.get_last_lr()[0]})
            if self._wants_checkpoint(done):
                self._losses(sums, count, progress)
                self._checkpoint(progress, parts)
                self._reseed(progress.step)
        progress.epoch, progress.batches_done = progress.epoch + 1, 0
        event = {"epoch": progress.epoch} | self._losses(sums, count, progress)
        event["seconds"] = round(time.time() - started, 1)
        self._weights_must_be_numbers(progress)
        self._judge(progress, event)
        self._checkpoint(progress, parts)
        self._tell(event, log=True)

    def _wants_checkpoint(self, done: int) -> bool:
        """Whether one is due amid an epoch, after so many batches of it, and no gradient is left half gathered."""
        every, accumulate = self.settings.checkpoint_every, self.settings.accumulate
        return every > 0 and done % (every * accumulate) == 0 and done < self.batches_per_epoch

    def _losses(self, sums: Tensor, count: int, progress: Progress) -> dict[str, Any]:
        """The mean losses so far; they must be numbers, or training ends before anything wrong is kept."""
        means = (sums / max(count, 1)).tolist()
        if not all(map(math.isfinite, means)):
            raise _not_a_number("the loss", progress)
        named = {name: round(mean, 4) for name, mean in zip(_LOSS_NAMES, means, strict=True)}
        return {"step": progress.step, "steps": self.settings.epochs * self.batches_per_epoch} | named

    def _weights_must_be_numbers(self, progress: Progress) -> None:
        """The last step before a checkpoint may have spoilt what its own loss does not show."""
        if not torch.stack([weight.isfinite().all() for weight in self.model.tagger.parameters()]).all():
            raise _not_a_number("every weight", progress)

    def _step(self, ready: _Ready, progress: Progress) -> Tensor:
        batch, gold = ready.batch, ready.gold
        with self.accelerator.accumulate(self.tagger):
            with self.accelerator.autocast():
                tags, spans = self.tagger(batch, gold.queries)
            losses = label_losses(batch, tags, spans, gold)
            loss, weight = losses.total, self.settings.reward_weight
            if ready.for_teachers:
                share = self.settings.teacher_weight
                loss = (1 - share) * loss + share * self._teacher_loss(*ready.for_teachers, ready, (tags, spans))
            if self.settings.agreement_weight:
                loss = loss + self.settings.agreement_weight * agreement_losses(batch, (tags, spans), gold).total
            if weight and progress.epoch >= self.settings.reward_from_epoch:
                scaling = self.settings.reward_scaling
                rng = torch.Generator().manual_seed(self.settings.seed * 1_000_003 + progress.step)
                with self.accelerator.autocast():
                    policy = policy_loss(self.model, tags, ready.examples, rng=rng, scaling=scaling)
                loss = (1 - weight) * loss + weight * policy
            self.accelerator.backward(loss)
            if self.accelerator.sync_gradients:
                self.accelerator.clip_grad_norm_(self.tagger.parameters(), _CLIP)
            self.optimizer.step()
            if self.accelerator.sync_gradients:
                self.schedule.step()
            self.optimizer.zero_grad(set_to_none=True)
        return torch.stack([part.detach().float() for part in (loss, losses.action, losses.rule, losses.span)])

    @property
    def _readings(self) -> int:
        """How often a batch has each dialogue: R-Drop reads it twice, and dropout makes the readings differ."""
        return 2 if self.settings.agreement_weight else 1

    def _teacher_loss(self, read: Batch, taught: Tensor, ready: _Ready, answer: Answer) -> Tensor:
        queries = ready.gold.queries
        once = queries.first(len(queries.word) // self._readings)
        with torch.no_grad(), self.accelerator.autocast():
            answers = [teacher.tagger(read, once) for teacher in self.teachers]
        mean = mean_answer(answers, readings=self._readings)
        return teacher_losses(ready.batch, answer, mean, ready.gold, taught.repeat(self._readings)).total

    def _batches(self, epoch: int, *, skip: int) -> Iterator[tuple[int, _Ready]]:
        """This process's batches of an epoch from the one after `skip` on, numbered from 1, made ready in advance.

        Each process takes as many; where they do not come out even, some take one that another has too.
        """
        rng = np.random.default_rng([self.settings.seed, epoch])
        batches = list(batched(self.examples, self.settings.batch_size, rng))
        process, device = self.accelerator.process_index, self.accelerator.device
        numbers = range(skip, self.batches_per_epoch)
        mine = (batches[(i * self._processes + process) % len(batches)] for i in numbers)
        tagger = self.model.tagger

        def ready(examples: list[Example]) -> _Ready:
            for_teachers = None
            if self.teachers:
                read, taught = teacher_tensors(examples)
                for_teachers = read.to(device), taught.to(device)
            examples = examples * self._readings
            batch, gold = tensors(examples, max_slots=tagger.max_slots, stops=tagger.stops)
            return _Ready(examples, batch.to(device), gold.to(device), for_teachers)

        yield from enumerate(in_advance(ready, mine), start=skip + 1)

    def _judge(self, progress: Progress, event: dict[str, Any]) -> None:
        """Score dev, keep the model if it is the best so far."""
        if self.accelerator.is_main_process:
            bleu, exact = self._dev_scores()
            event |= {"dev_bleu4": round(100 * bleu, 2), "dev_em": round(100 * exact, 2)}
            if bleu > progress.best_dev:
                progress.best_dev, progress.epochs_without_better = bleu, 0
                notes = {"recipe": self.recipe.to_dict(), "epoch": progress.epoch, "dev": dict(event)}
                self.model.with_config(notes=notes).save_pretrained(self.folder / "model")
            else:
                progress.epochs_without_better += 1
        self._share(progress)

    def _dev_scores(self) -> tuple[float, float]:
        """BLEU-4 and exact match, 0 to 1."""
        model = self.model.to(str(self.accelerator.device))
        with self.accelerator.autocast():
            scripts = [best[0].script for best in model.scripts_in_batches(self.dev, batch_size=64)]
        return dev_scores(scripts)

    def _share(self, progress: Progress) -> None:
        """What the main process found, to all: they must stop together."""
        if self._processes > 1:
            values = torch.tensor([progress.best_dev, progress.epochs_without_better], dtype=torch.float64)
            values = broadcast(values.to(self.accelerator.device)).cpu()
            progress.best_dev, progress.epochs_without_better = float(values[0]), int(values[1])
        self.accelerator.wait_for_everyone()

    def _checkpoint(self, progress: Progress, parts: dict[str, Any]) -> None:
        self._weights_must_be_numbers(progress)
        if self.accelerator.is_main_process:
            save_checkpoint(self.folder, progress, parts, self.recipe.to_dict())
        self.accelerator.wait_for_everyone()

    def _reseed(self, step: int) -> None:
        torch.manual_seed(self.settings.seed * 1_000_003 + step * 1009 + self.accelerator.process_index)

    def _tell(self, event: dict[str, Any], *, log: bool = False) -> None:
        if self.accelerator.is_main_process:
            if self._report:
                self._report(event)
            if log:
                with (self.folder / "log.jsonl").open("a", encoding="utf-8") as file:
                    file.write(json.dumps(event) + "\n")


def _starting_model(recipe: Recipe) -> TorchModel:
    settings = recipe.tagger
    book = find_book(recipe.data.book)
    if settings.start_from:
        model = TorchModel.from_pretrained(settings.start_from)
        if model.book.fingerprint != book.fingerprint or model.tagger.kind != settings.kind:
            raise TrainingError(
                f"a tagger to start from must be a {settings.kind} with the rules of {recipe.data.book}, but "
                f"{settings.start_from} is a {model.tagger.kind} with book {model.book.fingerprint}; "
                "set data.book to its rules.json, or start from an encoder"
            )
        return model.with_decode(recipe.decode)
    config = ModelConfig(
        tagger=settings.kind, max_length=settings.max_length, topic_turns=settings.topic_turns, decode=recipe.decode
    )
    return TorchModel.untrained(config, settings.encoder, book)


def _teachers(recipe: Recipe, book: RuleBook) -> list[TorchModel]:
    teachers = [TorchModel.from_pretrained(folder) for folder in recipe.tagger.teachers]
    for folder, teacher in zip(recipe.tagger.teachers, teachers, strict=True):
        if teacher.book.fingerprint != book.fingerprint or teacher.tagger.kind != recipe.tagger.kind:
            raise TrainingError(
                f"a teacher must be a {recipe.tagger.kind} with the rules of {recipe.data.book}, but "
                f"{folder} is a {teacher.tagger.kind} with book {teacher.book.fingerprint}; "
                "train it on labels with this book"
            )
        if not teacher.encoder.cuts_like(teachers[0].encoder):
            raise TrainingError(
                f"teachers must cut dialogues into the same pieces, but {folder} and {recipe.tagger.teachers[0]} do "
                "not; take teachers on one encoder, with one max_length and one topic_turns"
            )
    return teachers


def _not_a_number(what: str, progress: Progress) -> TrainingError:
    return TrainingError(
        f"{what} must be a number, but after step {progress.step} it is not; the last checkpoint is still there: "
        'lower learning_rate, or set precision = "no"'
    )


def _rate(step: int, steps: int, warmup: float) -> float:
    """Up in a line over the first share of steps, down in a line to the end."""
    rising = max(1, int(steps * warmup))
    return (step + 1) / rising if step < rising else max(0.0, (steps - step) / max(1, steps - rising))
