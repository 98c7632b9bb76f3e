"""Eqs. 7 and 13: cross-entropy over actions, rules and spans, where every equal mention counts as right.

Not in the paper: distillation, the same against the mean probabilities of teachers instead of labels; and R-Drop, where
two readings of a dialogue, which dropout makes differ, teach each other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from utterly.networks.layers import Batch, SpanLogits
from utterly.networks.tagger import Tags
from utterly.training.batches import Gold

_IGNORED: Final = -100

Logits = tuple[Tags, SpanLogits]
"""Both levels of a tagger for a batch, as training runs them: tags, and spans for the queries of the labels."""


@dataclass(frozen=True)
class Losses:
    """Negative log probabilities, summed over words and divided by the dialogues of the batch."""

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
    """Cross-entropy, summed over the words of the mask. Picking those out would make the CPU wait for the GPU."""
    labels = labels.masked_fill(~mask, _IGNORED)
    return cross_entropy(logits.float().flatten(end_dim=-2), labels.flatten(), reduction="sum", ignore_index=_IGNORED)


def teacher_losses(batch: Batch, logits: Logits, teacher: Logits, gold: Gold, taught: Tensor) -> Losses:
    """Cross-entropy against the teacher's probabilities, for the dialogues that are `taught`: (batch,)."""
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
    """The mean probabilities of several taggers, as logits, for a batch that has each dialogue `readings` times.

    The states are those of the first, once.
    """

    def mean(of_each: Iterable[Tensor]) -> Tensor:
        probs = torch.stack([each.float().softmax(dim=-1) for each in of_each]).mean(dim=0)
        return probs.log().repeat(readings, *[1] * (probs.dim() - 1))

    tags, spans = zip(*logits, strict=True)
    rules = None if tags[0].rule_logits is None else mean(each.rule_logits for each in tags)
    mean_tags = Tags(tags[0].states, mean(each.action_logits for each in tags), rules)
    return mean_tags, SpanLogits(mean(each.start for each in spans), mean(each.end for each in spans))


def agreement_losses(batch: Batch, logits: Logits, gold: Gold) -> Losses:
    """How much two readings of the same dialogues, the halves of a batch, differ by dropout.

    Each half is the other's teacher, so the gradient is that of the divergence between them.
    """
    tags, spans = logits
    rules = None if tags.rule_logits is None else _halves_swapped(tags.rule_logits)
    swapped_tags = Tags(tags.states, _halves_swapped(tags.action_logits), rules)
    swapped = swapped_tags, SpanLogits(_halves_swapped(spans.start), _halves_swapped(spans.end))
    return teacher_losses(batch, logits, swapped, gold, torch.ones_like(batch.ids[:, 0], dtype=torch.bool))


def _halves_swapped(logits: Tensor) -> Tensor:
    return logits.detach().roll(len(logits) // 2, dims=0)


def _soft_loss(logits: Tensor, teacher_logits: Tensor) -> Tensor:
    """Cross-entropy of rows of logits against a teacher's probabilities; both are -inf outside the context."""
    log_probs = logits.float().log_softmax(dim=-1).masked_fill(logits.isneginf(), 0.0)
    return -(teacher_logits.float().softmax(dim=-1) * log_probs).sum()


def span_loss(spans: SpanLogits, mentions: Tensor, mask: Tensor) -> Tensor:
    """-log of the sum over mentions of p(start) p(end), for each slot that has any; summed over slots."""
    start = spans.start.float().log_softmax(dim=-1)  # (queries, slots, context)
    end = spans.end.float().log_softmax(dim=-1)
    each = start.gather(-1, mentions[..., 0]) + end.gather(-1, mentions[..., 1])  # (queries, slots, mentions)
    missing = ~mask.any(dim=-1, keepdim=True)  # (queries, slots, 1)
    each = each.masked_fill(~mask, float("-inf")).masked_fill(missing, 0.0)
    return -each.logsumexp(dim=-1).masked_fill(missing.squeeze(-1), 0.0).sum()


def _acted(words: Tensor) -> Tensor:
    """The words that have an action: all that another follows, so not the end of the source."""
    following = torch.zeros_like(words)
    following[:, :-1] = words[:, 1:]
    return words & following
