"""The role labeller: its tags and spans, what it reads, and its folder."""

import json
from itertools import product
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from tests.networks.models import untrained
from utterly.errors import ModelError
from utterly.metrics.roles import Argument
from utterly.networks.roles import Frame, Reading, RoleSpan, RoleTagger, best_tags

ROLES = ("ARG0", "ARG1")


@pytest.fixture(scope="module")
def tagger(encoder_folder: Path) -> RoleTagger:
    torch.manual_seed(0)
    return RoleTagger.untrained(encoder_folder, ROLES, max_length=12)


def is_bio(tags: tuple[int, ...]) -> bool:
    """A further word of a role, 3 or 5, comes after its first one, 2 or 4, or another further one."""
    return all(tag not in (3, 5) or before in (tag - 1, tag) for before, tag in zip((0, *tags), tags, strict=False))


@given(st.lists(st.lists(st.integers(-9, 9), min_size=6, max_size=6), max_size=4))
def test_the_best_tags_have_most_weight_of_all_that_are_bio(rows: list[list[int]]) -> None:
    every = filter(is_bio, product(range(6), repeat=len(rows)))
    tags = tuple(best_tags(np.array(rows, dtype=np.float32).reshape(-1, 6)))
    assert is_bio(tags)
    assert weight(rows, tags) == max(weight(rows, each) for each in every)


def weight(rows: list[list[int]], tags: tuple[int, ...]) -> int:
    return sum(row[tag] for row, tag in zip(rows, tags, strict=True))


def test_arguments_are_tags_and_tags_are_arguments(tagger: RoleTagger) -> None:
    arguments = (RoleSpan("ARG0", 0, 1), RoleSpan("ARG1", 2, 4), RoleSpan("ARG1", 4, 6))
    tags = tagger.tags(Frame(1, arguments), 7)
    assert tags == [2, 0, 4, 5, 4, 5, 0]
    assert tuple(tagger._spans(tags)) == arguments


def test_words_are_read_at_their_first_pieces_and_the_predicate_is_marked(tagger: RoleTagger) -> None:
    batch = tagger.batch([Reading(["anna", "xy", "is"], predicate=1), Reading(["who"])])
    cls, sep = tagger.tokenizer.encode("").ids
    anna, x, y, is_, who = tagger.tokenizer.encode("anna xy is who", add_special_tokens=False).ids
    assert batch.ids.tolist() == [[cls, anna, x, y, is_, sep], [cls, who, sep, 0, 0, 0]]
    assert batch.types.tolist() == [[0, 0, 1, 1, 0, 0], [0] * 6]
    assert batch.source.tolist() == [[1, 2, 4], [1, 0, 0]]
    assert batch.source_mask.tolist() == [[True, True, True], [True, False, False]]


def test_marking_the_predicate_changes_the_tags(tagger: RoleTagger) -> None:
    words = "who is anna".split()
    with torch.no_grad():
        plain, marked = tagger.network.eval()(tagger.batch([Reading(words), Reading(words, predicate=1)]))
    assert not torch.allclose(plain, marked)


def test_an_encoder_with_one_token_type_is_refused(encoder_folder: Path, tmp_path: Path) -> None:
    copytree(encoder_folder, tmp_path, dirs_exist_ok=True)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"type_vocab_size": 1}))
    weights = load_file(tmp_path / "model.safetensors")
    types = "embeddings.token_type_embeddings.weight"
    save_file(weights | {types: weights[types][:1].clone()}, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match="marks the predicate by a token type, but this encoder has only one type"):
        RoleTagger.untrained(tmp_path, ROLES, max_length=12)


def test_each_predicate_gets_its_own_arguments(tagger: RoleTagger, monkeypatch: pytest.MonkeyPatch) -> None:
    """`is` and `born` are predicates; the word before is ARG0, all words after are ARG1."""

    def tags(readings: list[Reading]) -> list[list[int]]:
        return [
            [int(word in ("is", "born")) for word in words]
            if at is None
            else tagger.tags(
                Frame(at, (RoleSpan("ARG0", at - 1, at), RoleSpan("ARG1", at + 1, len(words)))), len(words)
            )
            for words, at in readings
        ]

    monkeypatch.setattr(tagger, "_tags", tags)
    assert tagger.arguments(["", "Anna is in Paris", "Who?", "Anna born is he"]) == [
        [],
        [Argument("is", "ARG0", "Anna"), Argument("is", "ARG1", "in Paris")],
        [],
        [
            Argument("born", "ARG0", "Anna"),
            Argument("born", "ARG1", "is he"),
            Argument("is", "ARG0", "born"),
            Argument("is", "ARG1", "he"),
        ],
    ]


def test_any_text_is_labelled_up_to_the_encoders_length(tagger: RoleTagger) -> None:
    texts = ["", " ", "anna", "is " * 500, "\u200b \x07", "x" * 5_000]
    assert len(tagger.arguments(texts)) == len(texts)
    assert tagger.arguments([]) == []
    assert tagger.batch([Reading(["is"] * 500)]).ids.shape == (1, 12)


def test_a_saved_labeller_labels_the_same(tagger: RoleTagger, tmp_path: Path) -> None:
    tagger.noted(F1={"ewt_test": 81.5}).save(tmp_path / "labeller")
    loaded = RoleTagger.load(tmp_path / "labeller")
    reading = [Reading("who is anna".split(), 1)]
    with torch.no_grad():
        assert torch.equal(loaded.network(loaded.batch(reading)), tagger.network.eval()(tagger.batch(reading)))
    assert loaded.roles == list(ROLES)
    assert (tagger.version, loaded.version) == ("role tagger (F1 not measured)", "role tagger (F1 81.50 on ewt_test)")


def test_a_folder_without_a_labeller_is_refused_with_how_to_train_one(encoder_folder: Path, tmp_path: Path) -> None:
    how = "train a role labeller with: utterly train recipes/roles.toml"
    with pytest.raises(ModelError, match=f"nowhere: there is no such folder; none is bundled, {how}"):
        RoleTagger.load("nowhere")
    untrained("hct", encoder_folder).save_pretrained(tmp_path / "hct")
    with pytest.raises(ModelError, match=f"hct: must be a role labeller, but is a tagger of kind hct; {how}"):
        RoleTagger.load(tmp_path / "hct")


def test_a_labeller_without_its_weights_is_refused(tagger: RoleTagger, tmp_path: Path) -> None:
    tagger.save(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"model\.safetensors"):
        RoleTagger.load(tmp_path)
