"""Ptr-Gen: probabilities over the extended vocabulary, copies of unknown words, and training by a recipe."""

import json
from pathlib import Path

import pytest
import torch

from tests import tiny
from tests.training.recipes import tiny_table
from utterly import Rewriter
from utterly.baselines.learned import UNKNOWN
from utterly.baselines.ptr_gen.model import PtrGen
from utterly.baselines.ptr_gen.network import END, START, PtrGenNetwork, PtrGenShape
from utterly.dialogues.dialogue import Dialogue
from utterly.model.folder import ModelFolder
from utterly.model.model import ModelConfig
from utterly.training.ptr_gen import train
from utterly.training.recipe import Recipe

SMALL = {"embedding": 32, "hidden": 48}
DIALOGUES = [labels.script.dialogue for labels in tiny.labels()]
WORDS = 8


def network(**changes: bool) -> PtrGenNetwork:
    torch.manual_seed(1)
    return PtrGenNetwork(PtrGenShape(words=WORDS, embedding=4, hidden=6, **changes)).eval().requires_grad_(False)


@pytest.mark.parametrize("coverage", [False, True])
def test_every_step_gives_a_distribution_over_the_extended_vocabulary(coverage: bool) -> None:
    made = network(coverage=coverage)
    text = torch.tensor([[5, 8, 9, 5], [6, 7, 0, 0]])  # 8 and 9 extend the vocabulary of 8
    memory, state = made.read(text)
    for word in (START, 9):
        log_probs, state = made.step(memory, state, torch.tensor([word, word]), size=10)
        assert log_probs.exp().sum(dim=1).tolist() == pytest.approx([1, 1], abs=1e-5)
        assert log_probs[1, 8:].exp().tolist() == pytest.approx([0, 0], abs=1e-6)  # not in the second text
        assert (log_probs[0, 8:] > -10).all()
    assert float(state[3][0].sum()) == pytest.approx(2 if coverage else 0)  # attention of two steps
    assert state[3][1, 2:].tolist() == [0, 0]  # none on padding


def test_with_the_gate_closed_words_are_copied_by_attention_each_mention_counting() -> None:
    made = network()
    torch.nn.init.zeros_(made.gate.weight)
    torch.nn.init.constant_(made.gate.bias, -100.0)  # copy
    torch.nn.init.zeros_(made.score.weight)  # attend to all alike
    memory, state = made.read(torch.tensor([[5, 8, 9, 5]]))
    log_probs, _ = made.step(memory, state, torch.tensor([START]), size=10)
    assert log_probs[0, [5, 8, 9]].exp().tolist() == pytest.approx([0.5, 0.25, 0.25], abs=1e-5)


def test_the_loss_is_the_mean_over_target_words_and_the_end_without_padding() -> None:
    made = network()
    texts, targets = torch.tensor([[5, 8, 9], [6, 7, 0]]), torch.tensor([[8, 9, END], [6, END, 0]])
    alone = [made.loss(texts[:1], targets[:1]), made.loss(texts[1:, :2], targets[1:, :2])]
    assert float(made.loss(texts, targets)) == pytest.approx((3 * float(alone[0]) + 2 * float(alone[1])) / 5, 1e-5)


def test_coverage_penalises_attending_again() -> None:
    made = network(coverage=True)
    torch.nn.init.zeros_(made.score.weight)  # attend to all alike: the same again at every step
    text, target = torch.tensor([[5, 6]]), torch.tensor([[5, END]])
    without = PtrGenNetwork(PtrGenShape(words=WORDS, embedding=4, hidden=6)).eval().requires_grad_(False)
    without.load_state_dict(made.state_dict())
    # nothing was attended to before the first word; before the end all of it, half each
    assert float(made.loss(text, target) - without.loss(text, target)) == pytest.approx(1 / 2, abs=1e-5)


def test_words_of_a_dialogue_that_are_unknown_extend_the_vocabulary() -> None:
    known = Dialogue.of(["is he here", "is he here"])
    model = PtrGen.untrained(ModelConfig(tagger="ptr-gen"), [known], **SMALL)
    size = len(model.vocabulary)
    dialogue = Dialogue.of(["Federer is Swiss", "Is he Federer"], "is federer Basel")
    reading = model.reading(dialogue)
    assert reading.new == ["federer", "swiss"]
    assert reading.words[0] == reading.words[6] == size
    # copied from the dialogue; neither known nor there
    assert model.target(dialogue, reading) == [model.vocabulary["is"], size, UNKNOWN, END]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    table = tiny_table(folder, "", kind="ptr-gen", epochs=40, patience=40, batch_size=4, learning_rate=5e-3)
    table["training"]["dev_limit"] = 6
    train(Recipe.from_dict(table | {"network": SMALL}))
    return folder


def test_it_learns_and_rewrites_like_any_model(trained: Path) -> None:
    log = [json.loads(line) for line in (trained / "run" / "log.jsonl").read_text().splitlines()]
    assert log[-1]["loss"] < log[0]["loss"] / 4
    assert max(line["dev_em"] for line in log) >= 50
    rewriter = Rewriter.load(trained / "run" / "model")
    results = [rewriter.rewrite(dialogue) for dialogue in DIALOGUES]
    right = [r for r, d in zip(results, DIALOGUES, strict=True) if d.target and r.text.lower() == d.target.text.lower()]
    assert len(right) > len(results) / 2
    assert any("insert" in result.explain() for result in results)
    assert rewriter.rewrite(DIALOGUES[0], n_best=2).alternatives


def test_the_loss_is_the_steps_log_probability_of_the_target() -> None:
    made = network(coverage=True)
    texts, target = torch.tensor([[5, 8, 9, 5]]), [8, 5, UNKNOWN, END]  # copied, both, neither
    memory, state = made.read(texts)
    said, last, again = 0.0, START, 0.0
    for word in target:
        covered = state[3]
        log_probs, state = made.step(memory, state, torch.tensor([last]), 10)
        said -= float(log_probs[0, word])
        again += float(torch.minimum(covered, state[3] - covered).sum())
        last = word
    assert float(made.loss(texts, torch.tensor([target]))) == pytest.approx((said + again) / len(target), 1e-5)


def test_dialogues_read_together_are_rewritten_as_alone(trained: Path) -> None:
    model = PtrGen.load(ModelFolder.find(trained / "run" / "model"), "cpu")
    alone = [model.scripts(dialogue)[0] for dialogue in DIALOGUES]
    together = model.scripts_in_batches(DIALOGUES, batch_size=5)
    assert [each.script for each in together] == [each.script for each in alone]
    assert [each.log_probability for each in together] == pytest.approx([each.log_probability for each in alone], 1e-3)


def test_of_a_long_dialogue_the_topic_the_newest_turns_and_the_source_are_read() -> None:
    dialogue = Dialogue.of(["a title", *(f"turn {i}" for i in range(9)), "why is that ?"])
    model = PtrGen.untrained(ModelConfig(tagger="ptr-gen", topic_turns=1, max_length=14), [dialogue] * 2, **SMALL)
    read = [model.vocabulary.words[number] for number in model.reading(dialogue).words]
    assert read == "a title [turn] turn 7 [turn] turn 8 [turn] why is that ? [turn]".split()
