"""Recorded passes, with a recorder that only notes what it is given: CUDA graphs need a GPU."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from tests import tiny
from tests.networks.models import KINDS, untrained
from utterly.errors import RecipeError, TrainingError
from utterly.networks.layers import Batch
from utterly.networks.tagger import Tagger
from utterly.training.batches import tensors
from utterly.training.cuda_graphs import capture_passes
from utterly.training.data import ExampleEncoder
from utterly.training.losses import label_losses
from utterly.training.recipe import TrainingSettings


class Recorder:
    """Gives back the function itself, with the shapes it was recorded for and how often it ran since."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []
        self.runs = 0

    def __call__(
        self, run: Callable[..., Tensor], samples: tuple[Tensor, ...], *, allow_unused_input: bool
    ) -> Callable[..., Tensor]:
        assert allow_unused_input  # an encoder may have weights that it does not use, as a pooler
        assert all(sample.is_leaf for sample in samples)
        self.shapes.append(tuple(samples[0].shape))
        recorded_for = [sample.shape for sample in samples]

        def replayed(*inputs: Tensor) -> Tensor:
            assert [each.shape for each in inputs] == recorded_for
            self.runs += 1
            return run(*inputs)

        return replayed


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    found = Recorder()
    monkeypatch.setattr(torch.cuda, "make_graphed_callables", found)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (80, 100))
    return found


def still(tagger: Tagger) -> Tagger:
    """In training, without dropout."""
    for module in tagger.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    return tagger.train()


def encoder_pass(tagger: Tagger) -> None:
    """Read four blank dialogues of 40 pieces."""
    blank = torch.zeros(4, 40, dtype=torch.long)
    word = blank[:, :1]
    tagger.encoder(Batch(blank, blank, blank == 0, word, word == 0, word, word == 0))


def gradients(tagger: Tagger, batch: Any, gold: Any) -> dict[str, Tensor]:
    logits = tagger(batch, gold.queries)
    tagger.zero_grad(set_to_none=True)
    label_losses(batch, logits, gold).total.backward()  # type: ignore[no-untyped-call]
    return {name: weight.grad.clone() for name, weight in tagger.named_parameters() if weight.grad is not None}


@pytest.mark.parametrize("kind", KINDS)
def test_recorded_passes_give_the_same_gradients(encoder_folder: Path, recorder: Recorder, kind: str) -> None:
    model = untrained(kind, encoder_folder)
    examples = ExampleEncoder(kind, tiny.BOOK, model.encoder).encode(tiny.labels()[:4]).examples
    tagger = still(model.tagger)
    batch, gold = tensors(examples, max_slots=tagger.max_slots, stops=tagger.stops)
    plain = gradients(tagger, batch, gold)
    capture_passes(tagger, map(len, examples), 4, nullcontext)
    assert (4, max(map(len, examples))) in recorder.shapes
    assert len(recorder.shapes) == (2 if kind == "hct" else 1)  # the rules, too
    runs = recorder.runs
    recorded = gradients(tagger, batch, gold)
    assert recorder.runs - runs == len(recorder.shapes)
    assert plain.keys() == recorded.keys()
    assert all(torch.allclose(plain[name], recorded[name], atol=1e-5) for name in plain)


def test_a_shape_that_is_not_recorded_is_read_as_ever(encoder_folder: Path, recorder: Recorder) -> None:
    model = untrained("mst", encoder_folder)
    examples = ExampleEncoder("mst", tiny.BOOK, model.encoder).encode(tiny.labels()[:3]).examples
    tagger = still(model.tagger)
    batch, gold = tensors(examples, max_slots=tagger.max_slots, stops=tagger.stops)
    plain = gradients(tagger, batch, gold)
    capture_passes(tagger, map(len, examples), 4, nullcontext)
    runs = recorder.runs
    assert all(torch.equal(plain[name], each) for name, each in gradients(tagger, batch, gold).items())
    assert recorder.runs == runs


def test_only_training_reads_recorded_passes(encoder_folder: Path, recorder: Recorder) -> None:
    model = untrained("mst", encoder_folder)
    examples = ExampleEncoder("mst", tiny.BOOK, model.encoder).encode(tiny.labels()[:3]).examples
    tagger = still(model.tagger)
    batch, _ = tensors(examples, max_slots=tagger.max_slots, stops=tagger.stops)
    capture_passes(tagger, map(len, examples), 3, nullcontext)
    runs = recorder.runs
    tagger.tag(batch)
    assert recorder.runs == runs + 1
    tagger.eval().tag(batch)
    assert recorder.runs == runs + 1


def test_dialogues_are_filled_up_to_few_lengths_and_none_beyond_the_longest(
    encoder_folder: Path, recorder: Recorder
) -> None:
    tagger = untrained("mst", encoder_folder).tagger
    capture_passes(tagger, [9, 40, 64, 65, 100], 2, nullcontext)
    assert recorder.shapes == [(2, 64), (2, 100)]


def test_without_memory_nothing_is_recorded(
    encoder_folder: Path, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (30, 100))
    capture_passes(untrained("hct", encoder_folder).tagger, [40, 100], 4, nullcontext)
    assert not recorder.shapes


def test_a_network_that_cannot_be_recorded_is_named(
    encoder_folder: Path, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: Any, **__: Any) -> None:
        raise RuntimeError("cannot copy between CPU and CUDA tensors")

    monkeypatch.setattr(torch.cuda, "make_graphed_callables", refuses)
    with pytest.raises(TrainingError, match=r"but BertModel could not be recorded: cannot copy .*; set recorded = f"):
        capture_passes(untrained("mst", encoder_folder).tagger, [40], 4, nullcontext)


class Calls(TorchFunctionMode):
    """All functions of torch that run inside."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Any] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.found.append(func)
        return func(*args, **(kwargs or {}))


def test_numbers_are_written_where_they_are_to_be_and_not_copied(
    encoder_folder: Path, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    tagger = untrained("mst", encoder_folder).tagger
    network, made = tagger.encoder.network, list[Tensor]()
    forward = network.forward

    def makes_numbers(**inputs: Tensor) -> Any:
        made.extend([torch.tensor(0.5), torch.tensor(3, dtype=torch.int16), torch.tensor([1.0, 2.0])])
        return forward(**inputs)

    monkeypatch.setattr(network, "forward", makes_numbers)
    capture_passes(tagger, [40], 4, nullcontext)
    with Calls() as calls:
        encoder_pass(tagger)
    half, three, pair = made[-3:]
    assert (half.item(), half.dtype, three.item(), three.dtype) == (0.5, torch.float32, 3, torch.int16)
    assert pair.tolist() == [1.0, 2.0]
    assert calls.found.count(torch.tensor) == 1  # the pair


@pytest.mark.parametrize("other", [{"accumulate": 2}, {"reward_weight": 0.5}])
def test_recorded_passes_keep_the_gradients_of_one_batch(other: dict[str, Any]) -> None:
    with pytest.raises(RecipeError, match=r"recorded = true needs accumulate = 1 and reward_weight = 0, .*; got "):
        TrainingSettings(recorded=True, **other)
