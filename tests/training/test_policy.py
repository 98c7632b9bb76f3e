"""REINFORCE against its definition, on a policy so small that every script can be counted."""

import math
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests import tiny
from utterly.dialogues.dialogue import Dialogue
from utterly.labels.labels import Labels
from utterly.metrics.bleu import sentence_bleu
from utterly.model.encode import PieceEncoder
from utterly.model.model import ModelConfig
from utterly.networks.layers import Batch, SpanLogits, States
from utterly.networks.tagger import Queries, Tagger, Tags
from utterly.networks.torch_model import TorchModel
from utterly.networks.torch_scorer import TorchScorer, collate
from utterly.rules.book import RuleBook
from utterly.scripts.edits import NULL_RULE, Edit, EditScript, Rule
from utterly.training.data import Example, ExampleEncoder
from utterly.training.policy import draw, policy_loss, reward_weights, rewards, sample_scripts

BOOK = RuleBook((NULL_RULE, Rule.glue(1), Rule.parse("in")), (0, 1, 1))
ENCODER = PieceEncoder(tiny.tokenizer())
DIALOGUE = Dialogue.of(["anna boris", "he"], "anna boris in")
ENDS = ((1, 1), (1, 2), (2, 2))


class TinyPolicy(Tagger):
    """Says the same whatever it reads: its scores are its weights."""

    kind: ClassVar[str] = "hct"
    max_slots = 1

    def __init__(self, *, stops: bool) -> None:
        nn.Module.__init__(self)  # no encoder
        self.stops = stops  # type: ignore[misc]
        generator = torch.Generator().manual_seed(5)
        self.actions = nn.Parameter(torch.randn(2, 2, generator=generator))
        self.rules = nn.Parameter(torch.randn(2, len(BOOK), generator=generator))
        self.start = nn.Parameter(torch.randn(2, 3, generator=generator))  # for each word, over [CLS] anna boris
        self.end = nn.Parameter(torch.randn(2, 3, generator=generator))

    def tag(self, batch: Batch) -> Tags:
        size = len(batch.ids)
        states = States(torch.zeros(size, 1, 1), torch.zeros(size, 1, 1), batch.context_mask)
        rules = None if self.stops else self.rules.expand(size, -1, -1)
        return Tags(states, self.actions.expand(size, -1, -1), rules)

    def spans(self, tags: Tags, queries: Queries) -> SpanLogits:
        width = tags.states.context_mask.shape[1]
        start, end = self.start[queries.word, None, :width], self.end[queries.word, None, :width]
        if not self.stops:
            no_stop = torch.arange(width) == 0
            start, end = start.masked_fill(no_stop, -math.inf), end.masked_fill(no_stop, -math.inf)
        return SpanLogits(start, end)


def model_of(tagger: Tagger) -> TorchModel:
    return TorchModel(ModelConfig(tagger=tagger.kind), BOOK, ENCODER, TorchScorer(tagger))


def examples_of(dialogue: Dialogue, count: int) -> list[Example]:
    script = EditScript.unchanged(dialogue)
    labels = Labels(script, ((),) * len(script.edits))
    (example,) = ExampleEncoder("hct", BOOK, ENCODER).encode([labels]).examples
    return [example] * count


def span_log_prob(policy: TinyPolicy, word: int, first: int, last: int) -> Tensor:
    """The start by its probability, the end by its own among the ends that make a span with that start."""
    before = [] if policy.stops else [0]
    starts = policy.start[word].clone()
    starts[before] = -math.inf
    possible = [0] if first == 0 else [k for k in (1, 2) if k >= first]
    ends = policy.end[word][possible]
    return starts.log_softmax(-1)[first] + ends.log_softmax(-1)[possible.index(last)]


def log_prob(policy: TinyPolicy, script: EditScript, example: Example) -> Tensor:
    """By a loop over the script, from the definition."""
    total = policy.actions[0].log_softmax(-1)[int(script.edits[0].keep)]
    for word, edit in enumerate(script.edits):
        if not policy.stops:
            total = total + policy.rules[word].log_softmax(-1)[BOOK.number(edit.rule)]
        elif not edit.spans:
            total = total + span_log_prob(policy, word, 0, 0)
        for span in edit.spans:
            ends = example.pieces.ends_of(span)
            assert ends
            total = total + span_log_prob(policy, word, *ends)
    return total


def every_script(example: Example) -> Iterator[EditScript]:
    insertions = [(rule, ends) for rule in BOOK for ends in (ENDS if rule.slots else [None])]
    for keep in (False, True):
        for first in insertions:
            for second in insertions:
                edits = [
                    Edit(stays, rule, (example.pieces.span_at(*ends),) if ends else ())
                    for stays, (rule, ends) in ((keep, first), (True, second))
                ]
                yield EditScript(DIALOGUE, tuple(edits))


@pytest.mark.parametrize("stops", [False, True], ids=["rules", "stop symbol"])
def test_the_log_probability_of_a_sample_is_that_of_its_definition(stops: bool) -> None:
    policy = TinyPolicy(stops=stops)
    examples = examples_of(DIALOGUE, 40)
    tags = policy.tag(collate([example.pieces for example in examples]))
    scripts, log_probs = sample_scripts(model_of(policy), tags, examples, rng=torch.Generator().manual_seed(0))
    expected = [float(log_prob(policy, script, examples[0]).detach()) for script in scripts]
    assert log_probs.tolist() == pytest.approx(expected, abs=1e-5)
    assert len({*scripts}) > 5


def test_scripts_are_drawn_as_often_as_they_are_probable() -> None:
    policy, count = TinyPolicy(stops=False), 4_000
    examples = examples_of(DIALOGUE, count)
    tags = policy.tag(collate([example.pieces for example in examples]))
    scripts, _ = sample_scripts(model_of(policy), tags, examples, rng=torch.Generator().manual_seed(1))
    probabilities = {s: float(log_prob(policy, s, examples[0]).exp().detach()) for s in every_script(examples[0])}
    assert sum(probabilities.values()) == pytest.approx(1, abs=1e-5)
    for script, probability in probabilities.items():
        error = 5 * math.sqrt(probability * (1 - probability) / count)
        assert scripts.count(script) / count == pytest.approx(probability, abs=error + 1e-4)


def test_the_gradient_is_that_of_the_expected_reward() -> None:
    """-E[w grad log p], by drawing many samples, against the gradient of -sum p w over all scripts."""
    policy, count = TinyPolicy(stops=False), 6_000
    examples = examples_of(DIALOGUE, count)
    tags = policy.tag(collate([example.pieces for example in examples]))
    loss = policy_loss(model_of(policy), tags, examples, rng=torch.Generator().manual_seed(2))
    sampled = torch.autograd.grad(loss, list(policy.parameters()))

    scripts = list(every_script(examples[0]))
    gained = rewards(scripts)
    greedy = model_of(policy).scripts_in_batches([DIALOGUE])
    baseline = float(rewards([next(iter(greedy))[0].script])[0])
    weights = (gained - baseline) / (gained.max() - gained.min())  # a batch of thousands has the best and the worst
    expected_reward = sum(
        (log_prob(policy, s, examples[0]).exp() * float(w) for s, w in zip(scripts, weights, strict=True)),
        torch.zeros(()),
    )
    exact = torch.autograd.grad(-expected_reward, list(policy.parameters()))
    assert max(float(each.abs().max()) for each in exact) > 0.03
    for one, other in zip(sampled, exact, strict=True):
        torch.testing.assert_close(one, other, atol=0.008, rtol=0)


def test_for_one_draw_the_gradient_is_minus_w_times_that_of_the_log_probability() -> None:
    policy = TinyPolicy(stops=False)
    examples = examples_of(DIALOGUE, 3)
    tags = policy.tag(collate([example.pieces for example in examples]))
    model = model_of(policy)
    scripts, _ = sample_scripts(model, tags, examples, rng=torch.Generator().manual_seed(4))
    greedy = [next(iter(model.scripts_in_batches([DIALOGUE])))[0].script] * 3
    w = reward_weights(rewards(scripts), rewards(greedy))
    assert len({*w.tolist()}) > 1
    by_hand = (
        -sum((float(a) * log_prob(policy, s, examples[0]) for a, s in zip(w, scripts, strict=True)), torch.zeros(()))
        / 3
    )
    loss = policy_loss(model, tags, examples, rng=torch.Generator().manual_seed(4))
    assert float(loss.detach()) == pytest.approx(float(by_hand.detach()), abs=1e-5)
    weights = list(policy.parameters())
    for one, other in zip(torch.autograd.grad(loss, weights), torch.autograd.grad(by_hand, weights), strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)


def test_without_context_no_rule_with_a_slot_is_drawn() -> None:
    for stops in (False, True):
        policy = TinyPolicy(stops=stops)
        bare = Dialogue.of(["he"], "in he")
        examples = examples_of(bare, 200)
        tags = policy.tag(collate([example.pieces for example in examples]))
        scripts, log_probs = sample_scripts(model_of(policy), tags, examples, rng=torch.Generator().manual_seed(0))
        assert {edit.rule.slots for script in scripts for edit in script.edits} == {0}
        assert log_probs.isfinite().all()


@pytest.mark.parametrize(
    ("sampled", "greedy", "scaling", "weights"),
    [
        ([0.2, 0.6], [0.4, 0.4], "common", [-0.5, 0.5]),
        ([0.2, 0.6], [0.4, 0.4], "literal", [0.0, 1.0]),
        ([1.0, 0.5, 0.0], [0.5, 0.5, 0.5], "common", [0.5, 0.0, -0.5]),
        ([1.0, 0.5, 0.0], [0.5, 0.5, 0.5], "literal", [1.0, 0.5, 0.0]),
        ([0.3, 0.3], [0.3, 0.3], "common", [0.0, 0.0]),
        ([0.3, 0.5], [0.1, 0.3], "literal", [0.0, 0.0]),
    ],
)
def test_rewards_are_scaled_within_the_batch_in_two_readings(
    sampled: list[float], greedy: list[float], scaling: str, weights: list[float]
) -> None:
    assert reward_weights(np.array(sampled), np.array(greedy), scaling=scaling).tolist() == pytest.approx(weights)


def test_equal_rewards_give_no_gradient() -> None:
    policy = TinyPolicy(stops=False)
    examples = examples_of(Dialogue.of(["anna boris", "he"], "zz"), 4)  # nothing that can be said has a word of it
    tags = policy.tag(collate([example.pieces for example in examples]))
    policy_loss(model_of(policy), tags, examples, rng=torch.Generator().manual_seed(0)).backward()  # type: ignore[no-untyped-call]
    assert policy.actions.grad is not None
    assert policy.actions.grad.abs().sum() == 0


def test_the_reward_is_smoothed_sentence_bleu_without_casing() -> None:
    script = EditScript.unchanged(Dialogue.of(["Where was He ?"], "where was anna ?"))
    expected = sentence_bleu(["where was he ?".split()], ["where was anna ?".split()])
    assert rewards([script]).tolist() == expected.tolist()


def test_draws_are_as_frequent_as_probable() -> None:
    log_probs = torch.tensor([[0.7, 0.2, 0.1], [0.0, 0.5, 0.5]]).log()
    drawn = draw(log_probs.expand(5_000, 2, 3), torch.Generator().manual_seed(0))
    for column, expected in zip(drawn.unbind(1), [[0.7, 0.2, 0.1], [0.0, 0.5, 0.5]], strict=True):
        assert (column.bincount(minlength=3) / 5_000).tolist() == pytest.approx(expected, abs=0.03)
