"""Cross-entropy against loops written from its definition."""

import math
from pathlib import Path

import pytest
import torch

from tests import tiny
from tests.taggers.models import KINDS, untrained
from utterly.labels.variants import variant
from utterly.taggers.layers import SpanLogits
from utterly.training.batches import tensors
from utterly.training.examples import encode_examples
from utterly.training.losses import label_losses, span_loss


@torch.no_grad()
@pytest.mark.parametrize("kind", KINDS)
def test_losses_are_negative_log_probabilities_of_the_labels_where_every_mention_counts(
    encoder_folder: Path, kind: str
) -> None:
    model = untrained(kind, encoder_folder)
    tagger = model.tagger
    examples = encode_examples([*map(variant(kind), tiny.labels()[:5])], model.encoder, tiny.BOOK)
    batch, gold = tensors(examples, max_slots=tagger.max_slots, stops=tagger.stops)
    tags, spans = tagger(batch, gold.queries)
    found = label_losses(batch, tags, spans, gold)

    action = rule = span = 0.0
    query = {(int(d), int(w)): q for q, (d, w) in enumerate(zip(gold.queries.dialogue, gold.queries.word, strict=True))}
    for d, example in enumerate(examples):
        for w, word in enumerate(example.gold):
            if w < len(example.gold) - 1:  # the end has no action
                action -= float(tags.action_logits[d, w].log_softmax(-1)[int(word.keep)])
            if tags.rule_logits is not None:
                rule -= float(tags.rule_logits[d, w].log_softmax(-1)[word.rule])
            slots = list(word.slots)
            if tagger.stops and len(slots) < tagger.max_slots:
                slots.append(((0, 0),))
            for j, mentions in enumerate(slots):
                q = query[d, w]
                start, end = spans.start[q, j].softmax(-1), spans.end[q, j].softmax(-1)
                span -= math.log(sum(float(start[first] * end[last]) for first, last in mentions))
    assert float(found.action) == pytest.approx(action / 5, rel=1e-4)
    assert float(found.rule) == pytest.approx(rule / 5, rel=1e-4)
    assert float(found.span) == pytest.approx(span / 5, rel=1e-4)
    assert float(found.total) == pytest.approx((action + rule + span) / 5, rel=1e-4)
    assert (rule > 0) == (kind == "hct")


def test_a_slot_without_a_mention_in_the_window_counts_for_nothing() -> None:
    logits = torch.randn(2, 1, 4, requires_grad=True)
    spans = SpanLogits(logits, logits)
    mentions = torch.tensor([[[[1, 2]]], [[[0, 0]]]])
    loss = span_loss(spans, mentions, torch.tensor([[[True]], [[False]]]))
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.isfinite()
    assert logits.grad is not None
    assert logits.grad[1].abs().sum() == 0


def test_a_batch_without_any_span_has_a_loss_of_zero_for_them() -> None:
    nothing = torch.zeros(0, 2, 4, requires_grad=True)
    loss = span_loss(SpanLogits(nothing, nothing), torch.zeros(0, 2, 1, 2, dtype=torch.long), torch.zeros(0, 2, 1) > 0)
    assert loss.item() == 0.0
