"""A scorer that torch runs: the border between the network and numpy."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from utterly.errors import ModelError
from utterly.model.encode import Pieces
from utterly.model.scores import Query, Scores, SpanScores, TagScores
from utterly.networks.layers import Batch, padded
from utterly.networks.tagger import Queries, Tagger, Tags


class TorchScorer:
    """Runs both levels of a tagger, on one dialogue or on a batch."""

    def __init__(self, tagger: Tagger, device: torch.device | str = "cpu") -> None:
        self.tagger, self.device = tagger.to(usable_device(device)).eval(), device

    def read(self, pieces: Pieces) -> Scores:
        return self.read_many([pieces])[0]

    @torch.no_grad()
    def read_many(self, pieces: Sequence[Pieces]) -> list[Scores]:
        """As `read`, for several dialogues in one pass."""
        return scores_of(self.tagger, self.tagger.tag(collate(pieces).to(self.device)), pieces)


@dataclass(frozen=True)
class _TorchScores:
    """One dialogue of a batch."""

    tags: TagScores
    tagger: Tagger
    tagged: Tags
    dialogue: int  # its place in the batch
    context: int  # its size without padding

    @torch.no_grad()
    def spans(self, queries: Sequence[Query]) -> SpanScores:
        numbers = torch.tensor(queries, device=self.tagged.action_logits.device)
        dialogue = torch.full_like(numbers[:, 0], self.dialogue)
        logits = self.tagger.spans(self.tagged, Queries(dialogue, numbers[:, 0], numbers[:, 1]))
        start, end = (each.float().log_softmax(-1)[..., : self.context].cpu().numpy() for each in logits)
        return SpanScores(start, end)


def scores_of(tagger: Tagger, tagged: Tags, pieces: Sequence[Pieces]) -> list[Scores]:
    """The scores of each dialogue of a batch that is tagged already."""
    actions = tagged.action_logits.detach().float().log_softmax(-1).cpu().numpy()
    rules = None if tagged.rule_logits is None else tagged.rule_logits.detach().float().log_softmax(-1).cpu().numpy()
    return [
        _TorchScores(
            TagScores(actions[i, : len(p.source)], None if rules is None else rules[i, : len(p.source)]),
            tagger,
            tagged,
            i,
            len(p.context),
        )
        for i, p in enumerate(pieces)
    ]


def collate(pieces: Sequence[Pieces]) -> Batch:
    """Dialogues of different lengths as one batch, padded with zeros."""
    ids, mask = padded([torch.from_numpy(p.ids) for p in pieces])
    types, _ = padded([torch.from_numpy(p.types) for p in pieces])
    source, source_mask = padded([torch.from_numpy(p.source) for p in pieces])
    context, context_mask = padded([torch.from_numpy(p.context) for p in pieces])
    return Batch(ids, types, mask, source, source_mask, context, context_mask)


def usable_device(device: torch.device | str) -> torch.device | str:
    """The device itself, if torch can use it here."""
    try:
        torch.empty(0, device=device)
    except (AssertionError, NotImplementedError, RuntimeError) as failure:
        reason = str(failure).strip().splitlines()[0]
        raise ModelError(f"torch cannot use the device {str(device)!r} here: {reason}; use cpu") from None
    return device
