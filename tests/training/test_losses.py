"""Cross-entropy against loops written from its definition."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests import tiny
from tests.networks.models import KINDS, untrained
from utterly.networks.layers import SpanLogits
from utterly.networks.tagger import Tags
from utterly.training.batches import teacher_batch, tensors
from utterly.training.data import ExampleEncoder
from utterly.training.losses import agreement_losses, label_losses, mean_logits, span_loss, teacher_losses


@torch.no_grad()
@pytest.mark.parametrize("kind", KINDS)
def test_losses_are_negative_log_probabilities_of_the_labels_where_every_mention_counts(
    encoder_folder: Path, kind: str
) -> None:
    model = untrained(kind, encoder_folder)
    tagger = model.tagger
    examples = ExampleEncoder(kind, tiny.BOOK, model.encoder).encode(tiny.labels()[:5]).examples
    batch, gold = tensors(examples, max_slots=tagger.max_slots, stops=tagger.stops)
    tags, spans = logits = tagger(batch, gold.queries)
    found = label_losses(batch, logits, gold)

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


def test_a_slot_without_a_mention_in_the_window_adds_no_loss() -> None:
    logits = torch.randn(2, 1, 4, requires_grad=True)
    spans = SpanLogits(logits, logits)
    mentions = torch.tensor([[[[1, 2]]], [[[0, 0]]]])
    loss = span_loss(spans, mentions, torch.tensor([[[True]], [[False]]]))
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.isfinite()
    assert logits.grad is not None
    assert logits.grad[1].abs().sum() == 0


def test_a_batch_without_spans_has_a_span_loss_of_zero() -> None:
    nothing = torch.zeros(0, 2, 4, requires_grad=True)
    loss = span_loss(SpanLogits(nothing, nothing), torch.zeros(0, 2, 1, 2, dtype=torch.long), torch.zeros(0, 2, 1) > 0)
    assert loss.item() == 0.0


@torch.no_grad()
@pytest.mark.parametrize("kind", KINDS)
def test_teacher_losses_are_cross_entropies_against_the_teachers_probabilities(encoder_folder: Path, kind: str) -> None:
    student, teacher = untrained(kind, encoder_folder), untrained(kind, encoder_folder, seed=1)
    encoder = ExampleEncoder(kind, tiny.BOOK, student.encoder, teacher=teacher.encoder)
    examples = encoder.encode(tiny.labels()[:5]).examples
    examples[2] = replace(examples[2], for_teacher=None)  # as where the teacher's window has other words
    batch, gold = tensors(examples, max_slots=student.tagger.max_slots, stops=student.tagger.stops)
    read, taught = teacher_batch(examples)
    answer, said = student.tagger(batch, gold.queries), teacher.tagger(read, gold.queries)
    found = teacher_losses(batch, answer, said, gold, taught)

    def against(logits: torch.Tensor, teachers: torch.Tensor) -> float:
        pairs = zip(teachers.softmax(-1).tolist(), logits.log_softmax(-1).tolist(), strict=True)
        return float(-sum(p * log_q for p, log_q in pairs if p))

    action = rule = span = 0.0
    for d, example in enumerate(examples):
        for w in range(len(example.gold) if d != 2 else 0):
            if w < len(example.gold) - 1:
                action += against(answer[0].action_logits[d, w], said[0].action_logits[d, w])
            if answer[0].rule_logits is not None:
                rule += against(answer[0].rule_logits[d, w], said[0].rule_logits[d, w])
    for q, slots in enumerate(gold.mention_mask.any(-1).tolist()):
        for j, wanted in enumerate(slots):
            if wanted and gold.queries.dialogue[q] != 2:
                span += against(answer[1].start[q, j], said[1].start[q, j])
                span += against(answer[1].end[q, j], said[1].end[q, j])
    assert float(found.action) == pytest.approx(action / 5, rel=1e-4)
    assert float(found.rule) == pytest.approx(rule / 5, rel=1e-4)
    assert float(found.span) == pytest.approx(span / 5, rel=1e-4)


@torch.no_grad()
@pytest.mark.parametrize("kind", KINDS)
def test_teachers_teach_the_mean_of_their_probabilities_to_every_reading(encoder_folder: Path, kind: str) -> None:
    taggers = [untrained(kind, encoder_folder, seed=seed).tagger.eval() for seed in range(3)]
    encoder = untrained(kind, encoder_folder).encoder
    examples = ExampleEncoder(kind, tiny.BOOK, encoder).encode(tiny.labels()[:3]).examples
    batch, gold = tensors(examples, max_slots=taggers[0].max_slots, stops=taggers[0].stops)
    answers = [tagger(batch, gold.queries) for tagger in taggers]
    said, pointed = mean_logits(answers, readings=2)

    def is_mean(found: torch.Tensor | None, logits: list[torch.Tensor | None]) -> bool:
        if found is None:
            return logits == [None] * 3
        mean = torch.stack([each.softmax(-1) for each in logits if each is not None]).mean(0)
        return all(torch.allclose(half.softmax(-1), mean, atol=1e-6) for half in found.chunk(2))

    assert is_mean(said.action_logits, [tags.action_logits for tags, _ in answers])
    assert is_mean(said.rule_logits, [tags.rule_logits for tags, _ in answers])
    assert is_mean(pointed.start, [spans.start for _, spans in answers])
    assert is_mean(pointed.end, [spans.end for _, spans in answers])


def test_a_teacher_whose_window_has_other_words_does_not_teach_that_dialogue(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    short = untrained("hct", encoder_folder).encoder
    short.max_length = 14
    examples = ExampleEncoder("hct", tiny.BOOK, model.encoder, teacher=short).encode(tiny.labels()).examples
    _, taught = teacher_batch(examples)
    assert not taught.all()
    assert [example.for_teacher is not None for example in examples] == taught.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_two_readings_are_drawn_together_as_each_others_teachers(encoder_folder: Path, kind: str) -> None:
    model = untrained(kind, encoder_folder)
    examples = ExampleEncoder(kind, tiny.BOOK, model.encoder).encode(tiny.labels()[:3]).examples
    slots, stops = model.tagger.max_slots, model.tagger.stops
    once, gold_once = tensors(examples, max_slots=slots, stops=stops)
    twice, gold_twice = tensors([*examples, *examples], max_slots=slots, stops=stops)
    model.tagger.train()
    tags, spans = model.tagger(twice, gold_twice.queries)
    found = agreement_losses(twice, (tags, spans), gold_twice)

    def reading(half: slice, queries: slice) -> tuple[Tags, SpanLogits]:
        rules = None if tags.rule_logits is None else tags.rule_logits[half]
        return Tags(tags.states, tags.action_logits[half], rules), SpanLogits(spans.start[queries], spans.end[queries])

    middle = len(gold_once.queries.word)
    first, second = reading(slice(3), slice(middle)), reading(slice(3, 6), slice(middle, None))
    assert not torch.equal(first[0].action_logits, second[0].action_logits)  # dropout
    all_taught = torch.ones(3, dtype=torch.bool)
    both = [
        teacher_losses(once, one, other, gold_once, all_taught) for one, other in ((first, second), (second, first))
    ]
    assert found.total.item() == pytest.approx(sum(each.total.item() for each in both) / 2, rel=1e-4)
    (gradient,) = torch.autograd.grad(found.action, tags.action_logits)
    probs = tags.action_logits.softmax(-1)
    acted = gradient.abs().sum(-1) > 0
    assert torch.allclose(6 * gradient[acted], (probs - probs.roll(3, dims=0))[acted], atol=1e-6)
