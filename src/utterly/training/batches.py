"""Examples as tensors, in batches of about equal length that are made ready in advance."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import numpy as np
import torch
from torch import Tensor

from utterly.model.encode import STOP, Pieces
from utterly.networks.layers import Batch
from utterly.networks.tagger import Queries
from utterly.networks.torch_scorer import collate
from utterly.training.data import Ends, Example

_T = TypeVar("_T")
_U = TypeVar("_U")
_BATCHES_SORTED: Final = 50  # together by length: enough to save padding, few enough to stay mixed


@dataclass(frozen=True)
class Gold:
    """The labels of a batch, with the queries they need."""

    keep: Tensor  # (batch, source)
    rules: Tensor  # (batch, source)
    queries: Queries
    mentions: Tensor  # (queries, slots, mentions, 2): first and last context index
    mention_mask: Tensor  # (queries, slots, mentions)

    def to(self, device: torch.device | str) -> "Gold":
        queries = Queries(*(tensor.to(device) for tensor in vars(self.queries).values()))
        return Gold(
            self.keep.to(device), self.rules.to(device), queries, self.mentions.to(device), self.mention_mask.to(device)
        )


def batched(examples: Sequence[Example], size: int, rng: np.random.Generator) -> Iterator[list[Example]]:
    """All examples once, in batches of about equal length, in an order that `rng` decides."""
    order = rng.permutation(len(examples))
    pool = size * _BATCHES_SORTED
    batches = []
    for start in range(0, len(order), pool):
        near = sorted(order[start : start + pool], key=lambda i: len(examples[i]))
        batches += [near[i : i + size] for i in range(0, len(near), size)]
    for b in rng.permutation(len(batches)):
        yield [examples[i] for i in batches[b]]


def in_advance(make: Callable[[_T], _U], things: Iterable[_T], *, ahead: int = 4) -> Iterator[_U]:
    """`make` of each thing, in order, made by a thread that works a few ahead."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        waiting: deque[Future[_U]] = deque()
        for thing in things:
            waiting.append(pool.submit(make, thing))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def tensors(examples: Sequence[Example], *, max_slots: int, stops: bool) -> tuple[Batch, Gold]:
    """A batch and its labels. With `stops`, every word is a query and a stop ends its spans."""
    batch = collate([example.pieces for example in examples])
    keep = torch.ones(batch.source.shape, dtype=torch.long)
    rules = torch.zeros(batch.source.shape, dtype=torch.long)
    queries: list[tuple[int, int, int]] = []
    wanted: list[list[tuple[Ends, ...]]] = []
    for d, example in enumerate(examples):
        has_context = len(example.pieces.context) > 1
        for w, word in enumerate(example.gold):
            keep[d, w], rules[d, w] = int(word.keep), word.rule
            slots = list(word.slots[:max_slots])
            if stops and len(slots) < max_slots:
                slots.append(((STOP, STOP),))
            if slots and has_context:
                queries.append((d, w, word.rule))
                wanted.append(slots)
    numbers = torch.tensor(queries, dtype=torch.long).reshape(-1, 3)
    mentions, mask = _mention_tensors(wanted, max_slots)
    return batch, Gold(keep, rules, Queries(numbers[:, 0], numbers[:, 1], numbers[:, 2]), mentions, mask)


def teacher_tensors(examples: Sequence[Example]) -> tuple[Batch, Tensor]:
    """A batch as the teacher reads it, and which dialogues it reads with the same words: (batch,).

    A dialogue that it does not read so stands there blank, and what is said of it counts nothing.
    """
    batch = collate([example.for_teacher or _blank(example.pieces) for example in examples])
    return batch, torch.tensor([example.for_teacher is not None for example in examples])


def _blank(pieces: Pieces) -> Pieces:
    return replace(pieces, ids=np.zeros_like(pieces.ids))


def _mention_tensors(wanted: Sequence[Sequence[Sequence[Ends]]], max_slots: int) -> tuple[Tensor, Tensor]:
    most = max((len(ends) for slots in wanted for ends in slots), default=1) or 1
    mentions = torch.zeros(len(wanted), max_slots, most, 2, dtype=torch.long)
    mask = torch.zeros(len(wanted), max_slots, most, dtype=torch.bool)
    for q, slots in enumerate(wanted):
        for j, ends in enumerate(slots):
            if ends:
                mentions[q, j, : len(ends)] = torch.tensor(ends)
                mask[q, j, : len(ends)] = True
    return mentions, mask
