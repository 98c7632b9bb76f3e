"""A language model that asks and rewrites, at a size that learns by heart in seconds."""

import random
from typing import Any

import pytest
from recipes.wild.conversations import Asked
from recipes.wild.passages import Passage, Search
from recipes.wild.prompts import Stretch, laid_out, to_ask, to_rewrite

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from recipes.wild.generation import Conversations  # noqa: E402
from recipes.wild.language_model import LanguageModel, TuneSettings  # noqa: E402
from recipes.wild.writing import FOLLOW_UPS, chats  # noqa: E402

TALK = (Asked("a?", "a?", "b."), Asked("c?", "c a?", ""))


def tiny() -> LanguageModel:
    torch.manual_seed(0)
    config = transformers.Qwen2Config(
        vocab_size=128,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=512,
    )
    network = transformers.Qwen2ForCausalLM(config)
    return LanguageModel(network, lambda text: [ord(each) % 128 for each in text], lambda ids: "".join(map(chr, ids)))


def tuned() -> LanguageModel:
    model = tiny()
    sequence = [each for line in laid_out("search", TALK, random.Random(0), meanings=1.0) for each in line]  # noqa: S311 - no secret
    settings = TuneSettings(seconds=900, learning_rate=1e-2, pieces_a_batch=400)
    assert model.tune([sequence] * 600, settings) < 0.1
    return model


def test_it_says_what_it_has_learned_whatever_stands_beside_it() -> None:
    model = tuned()

    prompts = [to_rewrite("search", TALK[:1], "c?"), [Stretch("x" * 150)]]
    first, _ = model.complete(prompts, most_pieces=20)
    (alone,) = model.complete(prompts[:1], most_pieces=20)

    assert first.text == alone.text == "c a?"
    assert first.log_probability == pytest.approx(alone.log_probability, abs=1e-3)
    (asked,) = model.complete([to_ask("search", TALK[:1])], most_pieces=20, temperature=0.01)
    assert asked.text == "c?"


def test_rows_that_read_and_say_in_turn_say_what_each_would_say_alone() -> None:
    network, stretches = tiny().network.eval(), ([[5, 6, 7], [9], [4] * 9], [[11, 12], [], [13]])

    rows = Conversations(network, 3, 100, end=10)
    said = []
    for stretch in stretches:
        rows.read(stretch)
        said.append(rows.say(6))

    for row in range(3):
        pieces: list[int] = []
        for stretch, lines in zip(stretches, said, strict=True):
            pieces += stretch[row]
            line, log_probability = said_alone(network, pieces, 6)
            assert lines[row].pieces == line
            assert lines[row].log_probability == pytest.approx(log_probability, abs=1e-4)
            pieces += [*line, 10]


def said_alone(network: Any, pieces: list[int], most: int) -> tuple[list[int], float]:
    """What a network says after some pieces, reading all of them again for each one."""
    line: list[int] = []
    log_probabilities = []
    for _ in range(most):
        log_probs = network(torch.tensor([[*pieces, *line]])).logits[0, -1].detach().log_softmax(-1)
        piece = int(log_probs.argmax())
        log_probabilities.append(float(log_probs[piece]))
        if piece == 10:
            break
        line.append(piece)
    return line, sum(log_probabilities) / len(log_probabilities)


def test_chats_have_an_opening_and_follow_ups_with_passages_as_answers() -> None:
    passages = [Passage(str(i), "fiqa", "", f"Text {i}.") for i in range(9)]

    written = next(chats(tiny(), passages, random.Random(1), at_once=2))  # noqa: S311 - no secret

    assert len(written) == 2
    for chat in written:
        turns: Any = chat["turns"]
        assert len(turns) == FOLLOW_UPS + 1
        assert len({turn["passage"] for turn in turns[:-1]}) == FOLLOW_UPS  # no passage twice; the last has no answer
        assert all(turn["words"] == 2 for turn in turns[:-1])


def test_a_search_finds_the_passage_that_says_most_of_the_query_but_not_those_it_must_not() -> None:
    texts = ("Cats sleep all day.", "Dogs bark at cats.", "Banks lend money.")
    passages = [Passage(str(i), "fiqa", "", text) for i, text in enumerate(texts)]

    (free,), (other,) = (Search(passages).best(["do dogs bark at cats?"], 1, but=[but]) for but in ((), (passages[1],)))

    assert [each.id for each in (*free, *other)] == ["1", "0"]
