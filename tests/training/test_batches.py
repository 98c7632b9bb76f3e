"""Examples as tensors, in batches of about equal length."""

from pathlib import Path

import numpy as np
import pytest
import torch

from tests import tiny
from tests.networks.models import untrained
from utterly.dialogues.dialogue import Dialogue
from utterly.labels.labels import Labels
from utterly.model.encode import PieceEncoder
from utterly.scripts.edits import EditScript
from utterly.training.batches import BatchFeeder, batched, tensors
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


def test_with_stops_every_word_of_a_dialogue_with_context_is_a_query() -> None:
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


def test_processes_share_the_batches_of_an_epoch_equally(encoder_folder: Path) -> None:
    every, tagger = examples(), untrained("hct", encoder_folder).tagger

    def taken(process: int, processes: int) -> list[list[str | None]]:
        feeder = BatchFeeder(examples=every, batch_size=5, seed=1, tagger=tagger, process=process, processes=processes)
        batches = list(feeder.epoch(7))
        assert len(batches) == feeder.batches_per_epoch
        return [[example.dialogue.id for example in batch.examples] for batch in batches]

    alone = taken(0, 1)
    assert len(alone) == 5
    assert (taken(0, 2), taken(1, 2)) == ([*alone[::2]], [*alone[1::2], alone[0]])


@pytest.mark.parametrize("readings", [1, 2])
def test_a_batch_has_each_dialogue_as_often_as_it_is_read_and_teachers_read_it_once(
    encoder_folder: Path, readings: int
) -> None:
    model = untrained("hct", encoder_folder)
    some = ExampleEncoder("hct", tiny.BOOK, model.encoder, teacher=model.encoder).encode(tiny.labels()[:3]).examples
    feeder = BatchFeeder(examples=some, batch_size=3, seed=0, tagger=model.tagger, readings=readings, teachers=True)
    (batch,) = feeder.epoch(0)
    ids = [example.dialogue.id for example in batch.examples]
    assert ids == ids[:3] * readings
    assert len(batch.inputs.ids) == len(batch.gold.keep) == 3 * readings
    assert batch.for_teachers
    assert batch.for_teachers.taught.tolist() == [True] * 3
    assert len(batch.for_teachers.inputs.ids) == 3


def test_a_batch_moves_as_a_whole(tmp_path: Path) -> None:
    batch, gold = tensors(examples()[:2], max_slots=2, stops=False)
    assert {tensor.device.type for tensor in vars(batch.to("meta")).values()} == {"meta"}
    assert gold.to("meta").queries.word.device == torch.device("meta")
