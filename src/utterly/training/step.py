"""One training step: the loss of a batch, its gradient, and the optimizer's update."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple

import torch
from accelerate import Accelerator
from torch import Tensor
from torch.optim.lr_scheduler import LambdaLR

from utterly.networks.tagger import Queries, Tagger
from utterly.networks.torch_model import TorchModel
from utterly.training.batches import TrainingBatch
from utterly.training.losses import Logits, Losses, agreement_losses, label_losses, mean_logits, teacher_losses
from utterly.training.policy import policy_loss
from utterly.training.recipe import TrainingSettings

_CLIP: Final = 5.0  # the gradients' norm; the authors use 3 to 5

Precision = Callable[[], AbstractContextManager[Any]]
"""A context in which networks compute in the recipe's precision."""


class ForwardPass(NamedTuple):
    """A batch, and the tagger's output for it."""

    batch: TrainingBatch
    logits: Logits
    label_losses: Losses
    rng: torch.Generator  # for sampling; seeded by the step alone, so a resumed run samples the same


class TrainingLoss:
    """The recipe's loss: labels, teachers and agreement, each with its weight, then rewards by Eq. 9."""

    def __init__(
        self, settings: TrainingSettings, model: TorchModel, teachers: Sequence[Tagger], precision: Precision
    ) -> None:
        self._model, self._teachers, self._precision = model, teachers, precision
        self._settings, self._readings = settings, readings(settings)

    def __call__(self, forward: ForwardPass, *, epoch: int) -> dict[str, Tensor]:
        """The whole `loss`, and its terms other than the labels', before they are weighted."""
        settings, loss = self._settings, forward.label_losses.total
        terms: dict[str, Tensor] = {}
        if self._teachers and (share := settings.teacher_weight):
            terms["teachers"] = self._teacher_loss(forward)
            loss = (1 - share) * loss + share * terms["teachers"]
        if settings.agreement_weight:
            terms["agreement"] = self._agreement_loss(forward)
            loss = loss + settings.agreement_weight * terms["agreement"]
        if (share := settings.reward_weight) and epoch >= settings.reward_from_epoch:
            terms["rewards"] = self._policy_loss(forward)
            loss = (1 - share) * loss + share * terms["rewards"]  # Eq. 9
        return {"loss": loss, **terms}

    def _teacher_loss(self, forward: ForwardPass) -> Tensor:
        """Teachers read each dialogue once, and teach every reading of it."""
        batch, for_teachers = forward.batch, forward.batch.for_teachers
        assert for_teachers is not None  # noqa: S101 - the feeder makes it if there are teachers
        once = Queries(*(each[: len(each) // self._readings] for each in batch.gold.queries))
        with torch.no_grad(), self._precision():
            answers = [teacher(for_teachers.inputs, once) for teacher in self._teachers]
        mean = mean_logits(answers, readings=self._readings)
        taught = for_teachers.taught.repeat(self._readings)
        return teacher_losses(batch.inputs, forward.logits, mean, batch.gold, taught).total

    def _agreement_loss(self, forward: ForwardPass) -> Tensor:
        return agreement_losses(forward.batch.inputs, forward.logits, forward.batch.gold).total

    def _policy_loss(self, forward: ForwardPass) -> Tensor:
        tags, _ = forward.logits
        with self._precision():
            return policy_loss(
                self._model, tags, forward.batch.examples, rng=forward.rng, scaling=self._settings.reward_scaling
            )


def readings(settings: TrainingSettings) -> int:
    """How often each dialogue is in a batch: R-Drop reads it twice, and dropout makes the readings differ."""
    return 2 if settings.agreement_weight else 1


class TrainingStep:
    """Updates a tagger's weights by the gradient of one batch, or of several, accumulated."""

    def __init__(
        self, accelerator: Accelerator, tagger: Any, optimizer: Any, schedule: LambdaLR, loss: TrainingLoss, seed: int
    ) -> None:
        self._accelerator, self._tagger, self._optimizer, self._schedule = accelerator, tagger, optimizer, schedule
        self._loss, self._seed = loss, seed

    def __call__(self, batch: TrainingBatch, *, step: int, epoch: int) -> dict[str, Tensor]:
        """The whole `loss`, the parts of the labels' loss, and the other terms, by name."""
        accelerator = self._accelerator
        with accelerator.accumulate(self._tagger):
            with accelerator.autocast():
                logits = self._tagger(batch.inputs, batch.gold.queries)
            losses = label_losses(batch.inputs, logits, batch.gold)
            rng = torch.Generator().manual_seed(self._seed * 1_000_003 + step + 499 * accelerator.process_index)
            terms = self._loss(ForwardPass(batch, logits, losses, rng), epoch=epoch)
            accelerator.backward(terms["loss"])
            if accelerator.sync_gradients:
                self._average_gradients()
                accelerator.clip_grad_norm_(self._tagger.parameters(), _CLIP)
            self._optimizer.step()
            if accelerator.sync_gradients:
                self._schedule.step()
            self._optimizer.zero_grad(set_to_none=True)
        return {name: each.detach().float() for name, each in {**terms, **vars(losses)}.items()}

    def _average_gradients(self) -> None:
        """Give all processes the mean of their gradients.

        `DistributedDataParallel` does it only for its own forward pass, but rewards also compute the spans of sampled
        scripts.
        """
        if self._accelerator.num_processes == 1:
            return
        reduce, weights = self._accelerator.reduce, list(self._tagger.parameters())
        used = reduce(weights[0].new_tensor([float(each.grad is not None) for each in weights]))
        weights = [each for each, count in zip(weights, used.tolist(), strict=True) if count]
        flat = torch.cat([(torch.zeros_like(each) if each.grad is None else each.grad).flatten() for each in weights])
        parts = reduce(flat, reduction="mean").split([each.numel() for each in weights])
        for weight, part in zip(weights, parts, strict=True):
            weight.grad = part.view_as(weight)
