"""Each equation of the paper against a loop written from its definition."""

import math
from pathlib import Path

import pytest
import torch
from torch import Tensor

from tests import tiny
from tests.networks.models import untrained
from utterly.networks.hct import Hct
from utterly.networks.layers import AdditiveAttention, SpanPredictor
from utterly.networks.mst import Mst
from utterly.networks.tagger import Queries
from utterly.networks.torch_scorer import collate

WIDTH = 5


def product(matrix: Tensor, vector: Tensor) -> Tensor:
    """A matrix times a vector, number by number."""
    return torch.stack([torch.stack([m * v for m, v in zip(row, vector, strict=True)]).sum() for row in matrix])


FIRST = torch.tensor([0])  # of the batch


def softmax(logits: list[float]) -> list[float]:
    total = sum(math.exp(logit) for logit in logits)
    return [math.exp(logit) / total for logit in logits]


def attention_by_definition(layer: AdditiveAttention, context: Tensor, query: Tensor) -> list[float]:
    """v . tanh(W_k e_k + W_q u + b) for each context word k."""
    wanted = product(layer.query.weight, query) + layer.query.bias
    return [float(layer.score.weight[0] @ torch.tanh(product(layer.key.weight, word) + wanted)) for word in context]


@torch.no_grad()
def test_additive_attention_is_its_formula() -> None:
    torch.manual_seed(0)
    layer, context, query = AdditiveAttention(WIDTH), torch.randn(3, 4, WIDTH), torch.randn(3, WIDTH)
    logits = layer.scores(layer.key(context), query)
    assert logits.shape == (3, 4)
    for row, words, one in zip(logits, context, query, strict=True):
        assert row.tolist() == pytest.approx(attention_by_definition(layer, words, one), abs=1e-5)


@torch.no_grad()
def test_spans_follow_from_uniform_attention_and_then_from_where_the_last_one_attended() -> None:
    torch.manual_seed(1)
    layer, context, query = SpanPredictor(WIDTH), torch.randn(4, WIDTH), torch.randn(WIDTH)
    logits = layer(query[None], FIRST, context[None], torch.ones(1, 4, dtype=torch.bool), slots=3)
    attention, u = [1 / 4] * 4, query  # step 0: uniform over the context, and the source word's own embedding
    for slot in range(3):
        mixed = sum((a * word for a, word in zip(attention, context, strict=True)), torch.zeros(WIDTH))
        u = torch.relu(product(layer.update.weight, torch.cat([mixed, u])) + layer.update.bias)
        start = attention_by_definition(layer.start, context, u)
        end = attention_by_definition(layer.end, context, u)
        assert logits.start[0, slot].tolist() == pytest.approx(start, abs=1e-5)
        assert logits.end[0, slot].tolist() == pytest.approx(end, abs=1e-5)
        attention = [(a + b) / 2 for a, b in zip(softmax(start), softmax(end), strict=True)]


@torch.no_grad()
def test_context_that_is_masked_has_no_part_in_the_spans_of_others() -> None:
    torch.manual_seed(2)
    layer, context, query = SpanPredictor(WIDTH), torch.randn(1, 4, WIDTH), torch.randn(1, WIDTH)
    mask = torch.tensor([[True, True, True, False]])
    longer = layer(query, FIRST, context, mask, slots=2)
    shorter = layer(query, FIRST, context[:, :3], mask[:, :3], slots=2)
    torch.testing.assert_close(longer.start[..., :3], shorter.start)
    torch.testing.assert_close(longer.end[..., :3], shorter.end)
    assert longer.start[..., 3].tolist() == longer.end[..., 3].tolist() == [[-math.inf, -math.inf]]


@torch.no_grad()
@pytest.mark.parametrize("kind", ["hct", "mst"])
def test_actions_and_rules_are_projections_of_a_words_state_at_its_first_piece(kind: str, encoder_folder: Path) -> None:
    model = untrained(kind, encoder_folder)
    tagger = model.tagger
    assert isinstance(tagger, Hct | Mst)
    pieces = model.encoder.encode(tiny.labels()[0].script.dialogue)
    batch = collate([pieces])
    tags = tagger.tag(batch)
    hidden = tagger.encoder.network(
        input_ids=batch.ids, attention_mask=batch.mask.long(), token_type_ids=batch.types
    ).last_hidden_state[0]
    heads = [(tagger.action_head, tags.action_logits)]
    if isinstance(tagger, Hct):
        assert tags.rule_logits is not None
        heads.append((tagger.rule_head, tags.rule_logits))
    for word, piece in enumerate(pieces.source.tolist()):
        state = tagger.encoder.norm(hidden[piece])
        for head, logits in heads:
            expected = product(head.weight, state) + head.bias
            assert logits[0, word].tolist() == pytest.approx(expected.tolist(), abs=1e-4)


@torch.no_grad()
def test_a_rule_is_embedded_by_the_encoder_with_a_learned_embedding_for_each_slot(encoder_folder: Path) -> None:
    tagger = untrained("hct", encoder_folder).tagger
    assert isinstance(tagger, Hct)
    words = tagger.encoder.network.get_input_embeddings()
    slots = tagger.rule_embeddings.slots.weight
    number = tiny.vocabulary()
    cls = words(torch.tensor(number["[CLS]"]))
    by_hand = {
        "∅": [cls],
        "_": [cls, slots[0]],
        "_ _": [cls, slots[0], slots[1]],
        "besides _": [cls, words(torch.tensor(number["besides"])), slots[0]],
    }
    assert [str(rule) for rule in tiny.BOOK] == list(by_hand)
    for stored, parts in zip(tagger.stored_rules, by_hand.values(), strict=True):
        hidden = tagger.encoder.network(inputs_embeds=torch.stack(parts)[None]).last_hidden_state
        torch.testing.assert_close(stored, tagger.encoder.norm(hidden[0, 0]), atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_a_query_of_hct_carries_its_rule_and_has_no_stop_symbol(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    tagger = model.tagger
    assert isinstance(tagger, Hct)
    tags = tagger.tag(collate([model.encoder.encode(tiny.labels()[0].script.dialogue)]))
    word, rule = torch.tensor([2, 2]), torch.tensor([1, 3])
    logits = tagger.spans(tags, Queries(torch.tensor([0, 0]), word, rule))
    assert logits.start.shape == (2, tiny.BOOK.max_slots, tags.states.context.shape[1])
    assert set(logits.start[..., 0].flatten().tolist()) == {-math.inf}  # rules say how many spans there are
    for q in range(2):
        e = tags.states.source[0, word[q]]
        both = torch.cat([e, tagger.stored_rules[rule[q]]])
        query = torch.relu(product(tagger.combine.weight, both) + tagger.combine.bias)
        context = tags.states.context[:, 1:]
        mask = torch.ones(context.shape[:2], dtype=torch.bool)
        expected = tagger.span_predictor(query[None], FIRST, context, mask, slots=tagger.max_slots)
        torch.testing.assert_close(logits.start[q : q + 1, :, 1:], expected.start, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(logits.end[q : q + 1, :, 1:], expected.end, atol=1e-5, rtol=1e-5)


@torch.no_grad()
@pytest.mark.parametrize(("kind", "slots"), [("mst", 2), ("rast", 1)])
def test_a_query_of_mst_is_the_source_word_itself_and_may_stop(encoder_folder: Path, kind: str, slots: int) -> None:
    model = untrained(kind, encoder_folder)
    tags = model.tagger.tag(collate([model.encoder.encode(tiny.labels()[0].script.dialogue)]))
    assert tags.rule_logits is None
    logits = model.tagger.spans(tags, Queries(*torch.tensor([[0], [3], [0]])))
    expected = model.tagger.span_predictor(  # type: ignore[operator]
        tags.states.source[:, 3], FIRST, tags.states.context, tags.states.context_mask, slots=slots
    )
    assert torch.equal(logits.start, expected.start)
    assert logits.start.shape[1] == slots
    assert logits.start[..., 0].isfinite().all()


def test_while_training_rule_embeddings_learn_and_in_use_they_are_stored(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    tagger = model.tagger
    assert isinstance(tagger, Hct)
    before = tagger.stored_rules.clone()
    tagger.train()
    tags = tagger.tag(collate([model.encoder.encode(tiny.labels()[0].script.dialogue)]))
    logits = tagger.spans(tags, Queries(*torch.tensor([[0], [2], [1]])))
    logits.start[..., 1:].sum().backward()  # type: ignore[no-untyped-call]
    gradient = tagger.rule_embeddings.slots.weight.grad
    assert gradient is not None
    assert gradient.abs().sum() > 0
    with torch.no_grad():
        tagger.rule_embeddings.slots.weight += 1
    assert torch.equal(tagger.stored_rules, before)
    tagger.eval()
    assert not torch.equal(tagger.stored_rules, before)
