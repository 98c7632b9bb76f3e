"""A scorer that torch runs: pieces to tensors, logits to numpy arrays."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ModelError
from utterly.model.decode import Decoder, ScoredScript, best_spans
from utterly.model.encode import Pieces
from utterly.model.scores import FoundSpans, Query, Scores, SpanScores, TagScores
from utterly.networks.layers import Batch, padded
from utterly.networks.tagger import Queries, Tagger, Tags

_T = TypeVar("_T")
_R = TypeVar("_R")


class TorchScorer:
    """Runs both levels of a tagger, on one dialogue or on a batch."""

    def __init__(self, tagger: Tagger, device: torch.device | str = "cpu") -> None:
        self.tagger, self.device = tagger.to(usable_device(device)).eval(), device

    def read(self, pieces: Pieces) -> Scores:
        return self.read_many([pieces])[0]

    @torch.no_grad()
    def read_many(self, pieces: Sequence[Pieces]) -> list["TorchScores"]:
        """As `read`, for several dialogues in one pass."""
        return scores_of(self.tagger, self.tagger.tag(collate(pieces).to(self.device)), pieces)


@dataclass(frozen=True)
class TorchScores:
    """One dialogue of a batch."""

    tags: TagScores
    tagger: Tagger
    tagged: Tags
    dialogue: int  # its index in the batch
    context: int  # its context indices, without padding

    def spans(self, queries: Sequence[Query]) -> SpanScores:
        return _spans([self], [queries])[0]


def scores_of(tagger: Tagger, tagged: Tags, pieces: Sequence[Pieces]) -> list[TorchScores]:
    """The scores of each dialogue of a tagged batch."""
    actions = tagged.action_logits.detach().float().log_softmax(-1).cpu().numpy()
    rules = None if tagged.rule_logits is None else tagged.rule_logits.detach().float().log_softmax(-1).cpu().numpy()
    return [
        TorchScores(
            TagScores(actions[i, : len(p.source)], None if rules is None else rules[i, : len(p.source)]),
            tagger,
            tagged,
            i,
            len(p.context),
        )
        for i, p in enumerate(pieces)
    ]


def decode_batch(
    decoder: Decoder,
    dialogues: Sequence[Dialogue],
    pieces: Sequence[Pieces],
    scores: Sequence[TorchScores],
    n: int = 1,
) -> list[list[ScoredScript]]:
    """As `Decoder.best`, for all dialogues of a batch, in one pass of the second level."""
    tags = [each.tags for each in scores]
    spans = find_spans(decoder, pieces, scores)
    return [decoder.choose(*each, n) for each in zip(dialogues, pieces, tags, spans, strict=True)]


def find_spans(
    decoder: Decoder, pieces: Sequence[Pieces], scores: Sequence[TorchScores]
) -> list[dict[Query, FoundSpans]]:
    """As `Decoder.find_spans`, for all dialogues of a batch, in one pass of the second level."""
    queries = [decoder.queries(p, each.tags) for p, each in zip(pieces, scores, strict=True)]
    return [
        dict(zip(some, best_spans(p, spans, decoder.settings), strict=True)) if some else {}
        for p, some, spans in zip(pieces, queries, _spans(scores, queries), strict=True)
    ]


@torch.no_grad()
def _spans(scores: Sequence[TorchScores], queries: Sequence[Sequence[Query]]) -> list[SpanScores]:
    """The second level for the queries of each dialogue of a batch, in one pass; empty without queries."""
    rows = [(each.dialogue, q.word, q.rule) for each, some in zip(scores, queries, strict=True) for q in some]
    if not rows:
        return [SpanScores(*(np.zeros((0, 0, 0), dtype=np.float32) for _ in range(2))) for _ in scores]
    tagger, tagged = scores[0].tagger, scores[0].tagged
    numbers = torch.tensor(rows, device=tagged.action_logits.device)
    logits = tagger.spans(tagged, Queries(*numbers.unbind(dim=1)))
    start, end = (each.float().log_softmax(-1).cpu().numpy() for each in logits)
    found, at = [], 0
    for each, some in zip(scores, queries, strict=True):
        here = slice(at, at + len(some))
        found.append(SpanScores(start[here, :, : each.context], end[here, :, : each.context]))
        at += len(some)
    return found


def collate(pieces: Sequence[Pieces]) -> Batch:
    """Dialogues of different lengths as one batch, padded with zeros."""
    ids, mask = padded([p.ids for p in pieces])
    types, _ = padded([p.types for p in pieces])
    source, source_mask = padded([p.source for p in pieces])
    context, context_mask = padded([p.context for p in pieces])
    return Batch(ids, types, mask, source, source_mask, context, context_mask)


def by_length(
    work: Callable[[list[_T]], Sequence[_R]], things: Sequence[_T], lengths: Sequence[int], *, batch_size: int
) -> list[_R]:
    """Work on batches of things of about equal length, which saves padding; results are in the order of the things."""
    order = sorted(range(len(things)), key=lengths.__getitem__)
    found: dict[int, _R] = {}
    for start in range(0, len(order), batch_size):
        batch = order[start : start + batch_size]
        found |= zip(batch, work([things[i] for i in batch]), strict=True)
    return [found[i] for i in range(len(things))]


def usable_device(device: torch.device | str) -> torch.device | str:
    """`device`, after checking that torch can use it here."""
    try:
        torch.empty(0, device=device)
    except (AssertionError, NotImplementedError, RuntimeError) as failure:
        reason = str(failure).strip().splitlines()[0]
        raise ModelError(f"torch cannot use the device {str(device)!r} here: {reason}; use cpu") from None
    return device
