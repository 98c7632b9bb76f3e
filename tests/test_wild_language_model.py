"""A language model that asks and rewrites, at a size that learns by heart in seconds."""

import random

import pytest
from recipes.wild.conversations import Asked
from recipes.wild.passages import Passage
from recipes.wild.prompts import Stretch, laid_out, to_ask, to_rewrite

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from recipes.wild.language_model import LanguageModel, TuneSettings  # noqa: E402
from recipes.wild.writing import chats  # noqa: E402

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
    first, _ = model.go_on(prompts, ask=False, batch_size=2)
    (alone,) = model.go_on(prompts[:1], ask=False)

    assert first.rewrite == alone.rewrite == "c a?"
    assert first.log_probability == pytest.approx(alone.log_probability, abs=1e-3)
    (asked,) = model.go_on([to_ask("search", TALK[:1])], ask=True, temperature=0.01)
    assert (asked.question, asked.rewrite) == ("c?", "c a?")


def test_chats_have_an_opening_and_follow_ups_with_passages_as_answers() -> None:
    passages = [Passage(str(i), "fiqa", "", f"Text {i}.") for i in range(6)]

    written = list(chats(tiny(), passages, 2, random.Random(1)))  # noqa: S311 - no secret

    assert len(written) == 2
    for chat in written:
        assert len(chat["turns"]) == 4  # type: ignore[arg-type]
        assert all(turn["answer"].startswith("Text ") for turn in chat["turns"])  # type: ignore[attr-defined]
