"""CUDA graphs, as far as a CPU can tell, and on a GPU if there is one.

On a CPU, `make_fx` captures the kernels of both passes, as a CUDA graph does: a replay runs the same kernels on other
inputs, without the Python between them. Only a GPU shows that memory can be reused from replay to replay.
"""

import copy
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import compress
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.fx.experimental.proxy_tensor import make_fx
from torch.overrides import TorchFunctionMode

from tests import tiny
from tests.networks.exported import save_encoder_of
from tests.networks.models import untrained
from utterly.errors import RecipeError, TrainingError
from utterly.networks.rounding import round_layers
from utterly.training.batches import tensors
from utterly.training.cuda_graphs import _NumbersOnDevice, capture_passes
from utterly.training.data import ExampleEncoder
from utterly.training.losses import label_losses
from utterly.training.policy import policy_loss
from utterly.training.recipe import TrainingSettings


class Captures:
    """In place of `torch.cuda.make_graphed_callables`: captures both passes, and counts captures and replays."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []
        self.replays = 0

    def __call__(
        self, run: Callable[..., Tensor], samples: tuple[Tensor, ...], *, allow_unused_input: bool
    ) -> Callable[..., Tensor]:
        assert allow_unused_input  # an encoder may have weights that it does not use, as a pooler
        assert all(sample.is_leaf for sample in samples)
        self.shapes.append(tuple(samples[0].shape))
        learns = [sample.requires_grad for sample in samples]

        def run_back(gradient: Tensor, *inputs: Tensor) -> Sequence[Tensor | None]:
            with torch.enable_grad():
                inputs = tuple(
                    each.detach().requires_grad_(wanted) for each, wanted in zip(inputs, learns, strict=True)
                )
                states = run(*inputs)
            return torch.autograd.grad(states, list(compress(inputs, learns)), gradient, allow_unused=True)

        with pytest.MonkeyPatch.context() as capturing:
            capturing.setattr(torch.cuda, "is_current_stream_capturing", lambda: True)
            kernels = make_fx(run)(*samples)  # refuses to read the value of a tensor, as a CUDA graph does
            kernels_back = make_fx(run_back)(torch.zeros_like(run(*samples)), *samples)
        captured_for = [sample.shape for sample in samples]

        class Replay(torch.autograd.Function):
            @staticmethod
            def forward(context: Any, *inputs: Tensor) -> Tensor:
                context.save_for_backward(*inputs)
                states: Tensor = kernels(*inputs)
                return states

            @staticmethod
            def backward(context: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
                found = iter(kernels_back(*gradients, *context.saved_tensors))
                return tuple(next(found) if wanted else None for wanted in learns)

        def replay(*inputs: Tensor) -> Tensor:
            assert [each.shape for each in inputs] == captured_for
            self.replays += 1
            states: Tensor = Replay.apply(*inputs)  # type: ignore[no-untyped-call]
            return states

        return replay


@pytest.fixture
def captures(monkeypatch: pytest.MonkeyPatch) -> Captures:
    found = Captures()
    monkeypatch.setattr(torch.cuda, "make_graphed_callables", found)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (80, 100))
    return found


class Training:
    """A tagger in training, without dropout, and a batch that it learns from, perhaps with rewards."""

    def __init__(self, kind: str, folder: Path, dialogues: int, *, rewards: bool = False, device: str = "cpu") -> None:
        self._model, self._rewards = untrained(kind, folder), rewards
        self.tagger = self._model.tagger.to(device).train()
        for module in self.tagger.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        encoder = ExampleEncoder(kind, tiny.BOOK, self._model.encoder)
        self._examples = encoder.encode(tiny.labels()[:dialogues]).examples
        batch, gold = tensors(self._examples, max_slots=self.tagger.max_slots, stops=self.tagger.stops)
        self.batch, self._gold = batch.to(device), gold.to(device)
        self.lengths = [*map(len, self._examples)]

    def gradients(self) -> dict[str, Tensor]:
        logits = self.tagger(self.batch, self._gold.queries)
        self.tagger.zero_grad(set_to_none=True)
        loss = label_losses(self.batch, logits, self._gold).total
        if self._rewards:
            loss = loss + policy_loss(self._model, logits[0], self._examples, rng=torch.Generator().manual_seed(0))
        loss.backward()  # type: ignore[no-untyped-call]
        return {name: weight.grad.clone() for name, weight in self.tagger.named_parameters() if weight.grad is not None}

    def move(self) -> None:
        """Change every weight in its place, as a step of the optimizer does."""
        with torch.no_grad():
            for weight in self.tagger.parameters():
                weight.add_(0.05 * torch.randn_like(weight))

    def assert_same_gradients_without_graphs(self) -> None:
        graphed = self.gradients()
        self.tagger.encoder.graphed = None
        plain = self.gradients()
        assert plain.keys() == graphed.keys()
        assert all(torch.allclose(plain[name], graphed[name], atol=1e-5) for name in plain)


@pytest.mark.parametrize("rewards", [False, True])
@pytest.mark.parametrize("kind", ["mst", "hct"])
def test_a_replay_gives_the_gradients_of_its_own_inputs_and_of_the_weights_as_they_are_now(
    encoder_folder: Path, captures: Captures, kind: str, rewards: bool
) -> None:
    training = Training(kind, encoder_folder, 4, rewards=rewards)
    capture_passes(training.tagger, training.lengths, 4, nullcontext)
    assert (4, max(training.lengths)) in captures.shapes
    assert len(captures.shapes) == (2 if kind == "hct" else 1)  # the rules, too
    training.move()
    before = captures.replays
    training.gradients()
    assert captures.replays - before == len(captures.shapes)  # a second replay would overwrite the first
    training.assert_same_gradients_without_graphs()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("rewards", [False, True])
@pytest.mark.parametrize("kind", ["mst", "hct"])
def test_on_a_gpu_too_and_from_replay_to_replay(encoder_folder: Path, kind: str, rewards: bool) -> None:
    training = Training(kind, encoder_folder, 4, rewards=rewards, device="cuda")
    capture_passes(training.tagger, training.lengths, 4, nullcontext)
    for _ in range(3):
        training.move()
        training.gradients()
    training.assert_same_gradients_without_graphs()


def test_a_shape_that_is_not_captured_is_read_without_a_graph(encoder_folder: Path, captures: Captures) -> None:
    training = Training("mst", encoder_folder, 3)
    capture_passes(training.tagger, training.lengths, 4, nullcontext)
    before = captures.replays
    training.assert_same_gradients_without_graphs()
    assert captures.replays == before


def test_only_training_uses_graphs(encoder_folder: Path, captures: Captures) -> None:
    training = Training("mst", encoder_folder, 3)
    tagger, batch = training.tagger, training.batch
    capture_passes(tagger, training.lengths, 3, nullcontext)
    before = captures.replays
    tagger.tag(batch)
    assert captures.replays == before + 1
    tagger.eval().tag(batch)
    assert captures.replays == before + 1


@pytest.mark.parametrize("bits", [4, 8])
def test_layers_that_round_can_be_captured(bits: int, captures: Captures, tmp_path: Path) -> None:
    wide = save_encoder_of("bert", tmp_path, hidden_size=128, intermediate_size=128, vocab_size=256)
    training = Training("hct", wide, 4)
    round_layers(training.tagger, bits=bits)
    capture_passes(training.tagger, training.lengths, 4, nullcontext)
    training.move()
    assert captures.shapes
    training.assert_same_gradients_without_graphs()


def test_a_copy_of_a_tagger_has_no_graphs(encoder_folder: Path, captures: Captures) -> None:
    training = Training("mst", encoder_folder, 3)
    capture_passes(training.tagger, training.lengths, 3, nullcontext)
    copied, before = copy.deepcopy(training.tagger), captures.replays
    torch.testing.assert_close(
        copied.tag(training.batch).action_logits, training.tagger.eval().tag(training.batch).action_logits
    )
    assert captures.replays == before


def test_dialogues_are_padded_to_few_lengths_and_none_beyond_the_longest(
    encoder_folder: Path, captures: Captures
) -> None:
    tagger = untrained("mst", encoder_folder).tagger
    capture_passes(tagger, [9, 40, 64, 65, 100], 2, nullcontext)
    assert captures.shapes == [(2, 64), (2, 100)]


def test_without_memory_nothing_is_captured(
    encoder_folder: Path, captures: Captures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (30, 100))
    capture_passes(untrained("hct", encoder_folder).tagger, [40, 100], 4, nullcontext)
    assert not captures.shapes


def test_a_network_that_cannot_be_captured_is_named(
    encoder_folder: Path, captures: Captures, monkeypatch: pytest.MonkeyPatch
) -> None:
    tagger = untrained("mst", encoder_folder).tagger
    forward = tagger.encoder.network.forward

    def reads_a_value(**inputs: Tensor) -> Any:
        assert inputs["input_ids"].sum().item() == 0
        return forward(**inputs)

    monkeypatch.setattr(tagger.encoder.network, "forward", reads_a_value)
    with pytest.raises(TrainingError, match=r"cannot capture BertModel as a CUDA graph: .*; set cuda_graphs = false"):
        capture_passes(tagger, [40], 4, nullcontext)


class Calls(TorchFunctionMode):
    """All functions of torch that run inside."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Any] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.found.append(func)
        return func(*args, **(kwargs or {}))


def test_numbers_become_tensors_on_the_device_without_a_copy() -> None:
    with Calls() as calls, _NumbersOnDevice():
        half, three = torch.tensor(0.5), torch.tensor(3, dtype=torch.int16)
        pair = torch.tensor([1.0, 2.0])
    assert (half.item(), half.dtype, three.item(), three.dtype) == (0.5, torch.float32, 3, torch.int16)
    assert pair.tolist() == [1.0, 2.0]
    assert calls.found.count(torch.tensor) == 1  # the pair
    assert calls.found.count(torch.full) == 2


def test_graphs_refuse_accumulation() -> None:
    with pytest.raises(RecipeError, match=r"cuda_graphs needs accumulate = 1, .*; got 2"):
        TrainingSettings(cuda_graphs=True, accumulate=2)
