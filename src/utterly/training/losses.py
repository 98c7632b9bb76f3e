"""Eqs. 7 and 13: cross-entropy over actions, rules and spans, where every equal mention counts as right.

Ours: the same over the mean probabilities of teachers in place of labels, so that a tagger learns what larger ones, or
several, find likely and not only what is right; and R-Drop, where two readings of a dialogue teach each other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from utterly.networks.layers import Batch, SpanLogits
from utterly.networks.tagger import Tags
from utterly.training.batches import Gold

Answer = tuple[Tags, SpanLogits]
"""What a tagger says of a batch, on both levels."""


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
    words, acted = batch.source_mask, _acted(batch.source_mask)
    action = cross_entropy(tags.action_logits[acted].float(), gold.keep[acted], reduction="sum")
    rule = action.new_zeros(())
    if tags.rule_logits is not None:
        rule = cross_entropy(tags.rule_logits[words].float(), gold.rules[words], reduction="sum")
    return Losses(action / size, rule / size, span_loss(spans, gold.mentions, gold.mention_mask) / size)


def teacher_losses(batch: Batch, answer: Answer, teacher: Answer, gold: Gold, taught: Tensor) -> Losses:
    """How far the answer is from the teacher's, over the dialogues that are `taught`: (batch,)."""
    (tags, spans), (said, pointed) = answer, teacher
    size = len(batch.ids)
    words, acted = (mask & taught.unsqueeze(-1) for mask in (batch.source_mask, _acted(batch.source_mask)))
    action = _soft_loss(tags.action_logits[acted], said.action_logits[acted])
    rule = action.new_zeros(())
    if tags.rule_logits is not None and said.rule_logits is not None:
        rule = _soft_loss(tags.rule_logits[words], said.rule_logits[words])
    slots = gold.mention_mask.any(dim=-1) & taught[gold.queries.dialogue].unsqueeze(-1)  # (queries, slots)
    span = _soft_loss(spans.start[slots], pointed.start[slots]) + _soft_loss(spans.end[slots], pointed.end[slots])
    return Losses(action / size, rule / size, span / size)


def mean_answer(answers: Sequence[Answer], *, readings: int = 1) -> Answer:
    """What several taggers find probable in the mean, as logits, for a batch with each dialogue `readings` times.

    The states are those of the first, once.
    """

    def mean(logits: Iterable[Tensor]) -> Tensor:
        probs = torch.stack([each.float().softmax(dim=-1) for each in logits]).mean(dim=0)
        return probs.log().repeat(readings, *[1] * (probs.dim() - 1))

    tags, spans = zip(*answers, strict=True)
    rules = None if tags[0].rule_logits is None else mean(each.rule_logits for each in tags)
    said = Tags(tags[0].states, mean(each.action_logits for each in tags), rules)
    return said, SpanLogits(mean(each.start for each in spans), mean(each.end for each in spans))


def agreement_losses(batch: Batch, answer: Answer, gold: Gold) -> Losses:
    """How far the two halves of a batch are apart, which hold the same dialogues and differ by dropout alone.

    Each half is the other's teacher, so the gradient is that of the divergence between them.
    """
    tags, spans = answer
    rules = tags.rule_logits
    said = Tags(tags.states, _halves_swapped(tags.action_logits), None if rules is None else _halves_swapped(rules))
    pointed = SpanLogits(_halves_swapped(spans.start), _halves_swapped(spans.end))
    return teacher_losses(batch, answer, (said, pointed), gold, torch.ones_like(batch.ids[:, 0], dtype=torch.bool))


def _halves_swapped(logits: Tensor) -> Tensor:
    return logits.detach().roll(len(logits) // 2, dims=0)


def _soft_loss(logits: Tensor, teacher_logits: Tensor) -> Tensor:
    """Cross-entropy of rows of logits against a teacher's probabilities; what neither can say has logits of -inf."""
    log_probs = logits.float().log_softmax(dim=-1).masked_fill(logits.isneginf(), 0.0)
    return -(teacher_logits.float().softmax(dim=-1) * log_probs).sum()


def span_loss(spans: SpanLogits, mentions: Tensor, mask: Tensor) -> Tensor:
    """-log of the sum over mentions of p(start) p(end), for each slot that has any; summed over slots."""
    start = spans.start.float().log_softmax(dim=-1)  # (queries, slots, context)
    end = spans.end.float().log_softmax(dim=-1)
    each = start.gather(-1, mentions[..., 0]) + end.gather(-1, mentions[..., 1])  # (queries, slots, mentions)
    any_mention = mask.any(dim=-1)  # (queries, slots)
    each = each.masked_fill(~mask, float("-inf"))[any_mention]  # (slots with mentions, mentions)
    return -each.logsumexp(dim=-1).sum()


def _acted(words: Tensor) -> Tensor:
    """The words that have an action: all but the end of the source."""
    return words & _shifted(words)


def _shifted(words: Tensor) -> Tensor:
    """True where another word follows."""
    following = torch.zeros_like(words)
    following[:, :-1] = words[:, 1:]
    return following
