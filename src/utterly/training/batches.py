"""Batches of examples as tensors: of about equal length, made in advance, shared between processes."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from utterly.model.encode import STOP
from utterly.networks.layers import Batch
from utterly.networks.tagger import Queries, Tagger
from utterly.networks.torch_scorer import collate
from utterly.parallel import in_threads
from utterly.training.data import Ends, Example

_BATCHES_SORTED: Final = 50  # by length together: enough to save padding, few enough to stay shuffled
_BATCHES_AHEAD: Final = 4


@dataclass(frozen=True)
class Gold:
    """The labels of a batch, with the queries they need."""

    keep: Tensor  # (batch, source)
    rules: Tensor  # (batch, source)
    queries: Queries
    mentions: Tensor  # (queries, slots, mentions, 2): first and last context index
    mention_mask: Tensor  # (queries, slots, mentions)

    def to(self, device: torch.device | str) -> "Gold":
        queries = Queries(*(each.to(device) for each in self.queries))
        return Gold(
            self.keep.to(device), self.rules.to(device), queries, self.mentions.to(device), self.mention_mask.to(device)
        )


class TeacherBatch(NamedTuple):
    """The dialogues of a batch, once each, in the teachers' pieces."""

    inputs: Batch
    taught: Tensor  # (batch,): False if the teachers' window has other words; such a dialogue is blank


class TrainingBatch(NamedTuple):
    """The input of one step, on the device."""

    examples: Sequence[Example]
    inputs: Batch
    gold: Gold
    for_teachers: TeacherBatch | None  # None without teachers


@dataclass(frozen=True, kw_only=True)
class BatchFeeder:
    """One process's batches of each epoch, made in advance by a thread."""

    examples: Sequence[Example]
    batch_size: int
    seed: int
    tagger: Tagger
    device: torch.device | str = "cpu"
    readings: int = 1  # copies of each dialogue in a batch: R-Drop reads it twice
    teachers: bool = False
    process: int = 0  # the index of this one
    processes: int = 1

    @property
    def batches_per_epoch(self) -> int:
        """The same for all processes; if batches do not divide evenly, some processes repeat another's."""
        return math.ceil(math.ceil(len(self.examples) / self.batch_size) / self.processes)

    def epoch(self, epoch: int) -> Iterator[TrainingBatch]:
        batches = list(batched(self.examples, self.batch_size, np.random.default_rng([self.seed, epoch])))
        places = (i * self.processes + self.process for i in range(self.batches_per_epoch))
        mine = (batches[place % len(batches)] for place in places)
        return in_threads(self._make, mine, workers=1, ahead=_BATCHES_AHEAD)

    def _make(self, examples: Sequence[Example]) -> TrainingBatch:
        for_teachers = teacher_batch(examples, self.device) if self.teachers else None
        examples = [*examples] * self.readings
        inputs, gold = tensors(examples, max_slots=self.tagger.max_slots, stops=self.tagger.stops)
        return TrainingBatch(examples, inputs.to(self.device), gold.to(self.device), for_teachers)


def batched(examples: Sequence[Example], size: int, rng: np.random.Generator) -> Iterator[list[Example]]:
    """All examples once, in batches of about equal length, shuffled by `rng`."""
    order = rng.permutation(len(examples))
    pool = size * _BATCHES_SORTED
    batches = []
    for start in range(0, len(order), pool):
        near = sorted(order[start : start + pool], key=lambda i: len(examples[i]))
        batches += [near[i : i + size] for i in range(0, len(near), size)]
    for b in rng.permutation(len(batches)):
        yield [examples[i] for i in batches[b]]


def tensors(examples: Sequence[Example], *, max_slots: int, stops: bool) -> tuple[Batch, Gold]:
    """A batch and its labels. With `stops`, every word is a query, and a stop symbol ends its spans."""
    batch = collate([example.pieces for example in examples])
    keep = np.ones(batch.source.shape, dtype=np.int64)
    rules = np.zeros(batch.source.shape, dtype=np.int64)
    queries: list[tuple[int, int, int]] = []
    wanted: list[list[tuple[Ends, ...]]] = []
    for d, example in enumerate(examples):
        has_context = len(example.pieces.context) > 1
        keep[d, : len(example.gold)] = [word.keep for word in example.gold]
        rules[d, : len(example.gold)] = [word.rule for word in example.gold]
        for w, word in enumerate(example.gold):
            slots = list(word.slots[:max_slots])
            if stops and len(slots) < max_slots:
                slots.append(((STOP, STOP),))
            if slots and has_context:
                queries.append((d, w, word.rule))
                wanted.append(slots)
    queried = Queries(*torch.tensor(queries, dtype=torch.long).reshape(-1, 3).unbind(dim=1))
    mentions, mask = _mention_tensors(wanted, max_slots)
    return batch, Gold(torch.from_numpy(keep), torch.from_numpy(rules), queried, mentions, mask)


def teacher_batch(examples: Sequence[Example], device: torch.device | str = "cpu") -> TeacherBatch:
    pieces = [each.for_teacher or replace(each.pieces, ids=np.zeros_like(each.pieces.ids)) for each in examples]
    taught = torch.tensor([each.for_teacher is not None for each in examples])
    return TeacherBatch(collate(pieces).to(device), taught.to(device))


def _mention_tensors(wanted: Sequence[Sequence[Sequence[Ends]]], max_slots: int) -> tuple[Tensor, Tensor]:
    most = max((len(ends) for slots in wanted for ends in slots), default=1) or 1
    mentions = np.zeros((len(wanted), max_slots, most, 2), dtype=np.int64)
    mask = np.zeros((len(wanted), max_slots, most), dtype=np.bool_)
    for q, slots in enumerate(wanted):
        for j, ends in enumerate(slots):
            if ends:
                mentions[q, j, : len(ends)] = ends
                mask[q, j, : len(ends)] = True
    return torch.from_numpy(mentions), torch.from_numpy(mask)
