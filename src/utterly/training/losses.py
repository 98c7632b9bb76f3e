"""Eqs. 7 and 13: cross-entropy over actions, rules and spans, where every equal mention counts as right."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from utterly.taggers.layers import Batch, SpanLogits
from utterly.taggers.tagger import Tags
from utterly.training.batches import Gold


@dataclass(frozen=True)
class Losses:
    """Negative log probabilities, summed over words and divided by the dialogues of the batch."""

    action: Tensor
    rule: Tensor
    span: Tensor

    @property
    def total(self) -> Tensor:
        return self.action + self.rule + self.span


def label_losses(batch: Batch, tags: Tags, spans: SpanLogits, gold: Gold) -> Losses:
    size = len(batch.ids)
    words = batch.source_mask
    ends = words & ~_shifted(words)  # the end of the source has no action
    action = cross_entropy(tags.action_logits[words & ~ends].float(), gold.keep[words & ~ends], reduction="sum")
    rule = action.new_zeros(())
    if tags.rule_logits is not None:
        rule = cross_entropy(tags.rule_logits[words].float(), gold.rules[words], reduction="sum")
    return Losses(action / size, rule / size, span_loss(spans, gold.mentions, gold.mention_mask) / size)


def span_loss(spans: SpanLogits, mentions: Tensor, mask: Tensor) -> Tensor:
    """-log of the sum over mentions of p(start) p(end), for each slot that has any; summed over slots."""
    start = spans.start.float().log_softmax(dim=-1)  # (queries, slots, context)
    end = spans.end.float().log_softmax(dim=-1)
    each = start.gather(-1, mentions[..., 0]) + end.gather(-1, mentions[..., 1])  # (queries, slots, mentions)
    any_mention = mask.any(dim=-1)  # (queries, slots)
    each = each.masked_fill(~mask, float("-inf"))[any_mention]  # (slots with mentions, mentions)
    return -each.logsumexp(dim=-1).sum()


def _shifted(words: Tensor) -> Tensor:
    """True where another word follows."""
    following = torch.zeros_like(words)
    following[:, :-1] = words[:, 1:]
    return following
