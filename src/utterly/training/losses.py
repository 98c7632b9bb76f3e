"""Eqs. 7 and 13: cross-entropy over actions, rules and spans, where every mention of the same words is right.

Not in the paper: distillation, which replaces the labels with the mean probabilities of teachers; and R-Drop, where two
readings of a dialogue, which differ by dropout, teach each other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, pad

from utterly.networks.layers import Batch, SpanLogits
from utterly.networks.tagger import Tags
from utterly.training.batches import Gold

_IGNORED: Final = -100

Logits = tuple[Tags, SpanLogits]
"""Both levels of a tagger for a batch: tags, and spans for the queries of the labels."""


@dataclass(frozen=True)
class Losses:
    """Negative log probabilities, summed over words and averaged over the dialogues of the batch."""

    action: Tensor
    rule: Tensor
    span: Tensor

    @property
    def total(self) -> Tensor:
        return self.action + self.rule + self.span


def label_losses(batch: Batch, logits: Logits, gold: Gold) -> Losses:
    tags, spans = logits
    size = len(batch.ids)
    action = _label_loss(tags.action_logits, gold.keep, _acted(batch.source_mask))
    rule = action.new_zeros(())
    if tags.rule_logits is not None:
        rule = _label_loss(tags.rule_logits, gold.rules, batch.source_mask)
    return Losses(action / size, rule / size, span_loss(spans, gold.mentions, gold.mention_mask) / size)


def _label_loss(logits: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
    """Cross-entropy, summed over the words in the mask. Indexing with the mask would make the CPU wait for the GPU."""
    labels = labels.masked_fill(~mask, _IGNORED)
    return cross_entropy(logits.float().flatten(end_dim=-2), labels.flatten(), reduction="sum", ignore_index=_IGNORED)


def teacher_losses(batch: Batch, logits: Logits, teacher: Logits, gold: Gold, taught: Tensor) -> Losses:
    """Cross-entropy against the teacher's probabilities, for the dialogues in `taught`, (batch,)."""
    (tags, spans), (teacher_tags, teacher_spans) = logits, teacher
    size = len(batch.ids)
    words, acted = (mask & taught.unsqueeze(-1) for mask in (batch.source_mask, _acted(batch.source_mask)))
    action = _soft_loss(tags.action_logits[acted], teacher_tags.action_logits[acted])
    rule = action.new_zeros(())
    if tags.rule_logits is not None and teacher_tags.rule_logits is not None:
        rule = _soft_loss(tags.rule_logits[words], teacher_tags.rule_logits[words])
    slots = gold.mention_mask.any(dim=-1) & taught[gold.queries.dialogue].unsqueeze(-1)  # (queries, slots)
    start = _soft_loss(spans.start[slots], teacher_spans.start[slots])
    end = _soft_loss(spans.end[slots], teacher_spans.end[slots])
    return Losses(action / size, rule / size, (start + end) / size)


def mean_logits(logits: Sequence[Logits], *, readings: int = 1) -> Logits:
    """The mean probabilities of several taggers, as logits, for a batch that has each dialogue `readings` times."""

    def mean(each: Sequence[Tensor]) -> Tensor:
        probs = torch.stack([one.float().softmax(dim=-1) for one in each]).mean(dim=0)
        return probs.log().repeat(readings, *[1] * (probs.dim() - 1))

    return _combined(mean, logits)


def agreement_losses(batch: Batch, logits: Logits, gold: Gold) -> Losses:
    """How much two readings of the same dialogues, the halves of a batch, differ by dropout.

    Each half is the other's teacher, so the gradient is that of the divergence between them.
    """
    swapped = _combined(lambda each: each[0].detach().roll(len(each[0]) // 2, dims=0), [logits])
    return teacher_losses(batch, logits, swapped, gold, torch.ones_like(batch.ids[:, 0], dtype=torch.bool))


def _combined(combine: Callable[[Sequence[Tensor]], Tensor], logits: Sequence[Logits]) -> Logits:
    """Each tensor of several logits combined into one; the states are the first's."""
    tags, spans = zip(*logits, strict=True)
    rules = None if tags[0].rule_logits is None else combine([each.rule_logits for each in tags])
    actions = combine([each.action_logits for each in tags])
    return Tags(tags[0].states, actions, rules), SpanLogits(*map(combine, zip(*spans, strict=True)))


def _soft_loss(logits: Tensor, teacher_logits: Tensor) -> Tensor:
    """Cross-entropy of rows of logits against a teacher's probabilities; both are -inf outside the context."""
    log_probs = logits.float().log_softmax(dim=-1).masked_fill(logits.isneginf(), 0.0)
    return -(teacher_logits.float().softmax(dim=-1) * log_probs).sum()


def span_loss(spans: SpanLogits, mentions: Tensor, mask: Tensor) -> Tensor:
    """-log of the sum over mentions of p(start) p(end), summed over the slots that have any."""
    start = spans.start.float().log_softmax(dim=-1)  # (queries, slots, context)
    end = spans.end.float().log_softmax(dim=-1)
    each = start.gather(-1, mentions[..., 0]) + end.gather(-1, mentions[..., 1])  # (queries, slots, mentions)
    missing = ~mask.any(dim=-1, keepdim=True)  # (queries, slots, 1)
    each = each.masked_fill(~mask, float("-inf")).masked_fill(missing, 0.0)
    return -each.logsumexp(dim=-1).masked_fill(missing.squeeze(-1), 0.0).sum()


def _acted(words: Tensor) -> Tensor:
    """The words that have an action: all but the end of the source."""
    return pad(words[:, 1:], (0, 1))
