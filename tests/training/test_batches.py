"""Examples as tensors, in batches of about equal length."""

from pathlib import Path

import numpy as np
import pytest
import torch

from tests import tiny
from utterly.dialogues.dialogue import Dialogue
from utterly.labels.labels import Labels
from utterly.model.encode import PieceEncoder
from utterly.scripts.edits import EditScript
from utterly.training.batches import batched, in_advance, tensors
from utterly.training.data import Example, ExampleEncoder

ENCODER = PieceEncoder(tiny.tokenizer(), max_length=64)


def examples() -> list[Example]:
    return ExampleEncoder("hct", tiny.BOOK, ENCODER).encode(tiny.labels()).examples


def test_an_epoch_has_every_example_once_in_an_order_that_the_seed_decides() -> None:
    every = examples()
    epochs = [
        [[e.dialogue.id for e in batch] for batch in batched(every, 5, np.random.default_rng(seed))]
        for seed in (1, 1, 2)
    ]
    assert epochs[0] == epochs[1] != epochs[2]
    for epoch in epochs:
        assert sorted(name for batch in epoch for name in batch if name) == sorted(e.dialogue.id or "" for e in every)
        assert max(map(len, epoch)) == 5


def test_with_stops_every_word_of_a_dialogue_with_context_is_asked() -> None:
    bare = EditScript.unchanged(Dialogue.of(["where ?"]))
    labels = [Labels(bare, ((), (), ())), *tiny.labels()[:1]]
    some = ExampleEncoder("hct", tiny.BOOK, ENCODER).encode(labels).examples
    _, gold = tensors(some, max_slots=2, stops=True)
    assert gold.queries.dialogue.tolist() == [1] * 6
    assert gold.queries.word.tolist() == [*range(6)]
    _, gold = tensors(some, max_slots=2, stops=False)
    assert (gold.queries.word.tolist(), gold.queries.rule.tolist()) == ([2], [1])
    _, gold = tensors(some[:1], max_slots=2, stops=False)
    assert gold.mentions.shape == (0, 2, 1, 2)


def test_work_in_advance_comes_in_order_and_its_errors_come_through() -> None:
    assert list(in_advance(lambda number: number * number, range(20))) == [number * number for number in range(20)]
    with pytest.raises(ZeroDivisionError):
        list(in_advance(lambda number: 1 // number, [1, 0]))


def test_a_batch_moves_as_a_whole(tmp_path: Path) -> None:
    batch, gold = tensors(examples()[:2], max_slots=2, stops=False)
    assert {tensor.device.type for tensor in vars(batch.to("meta")).values()} == {"meta"}
    assert gold.to("meta").queries.word.device == torch.device("meta")
