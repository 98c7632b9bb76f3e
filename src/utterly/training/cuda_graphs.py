"""CUDA graphs: the kernels of an encoder's forward and backward pass, launched together.

On a GPU, a step of a small encoder takes as long as launching about a thousand small kernels, one after another. A
graph captures them once per input shape, and replays them in one launch.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any, Final, cast

import torch
from torch import Tensor
from torch.func import functional_call
from torch.nn.functional import pad
from torch.overrides import TorchFunctionMode

from utterly.errors import TrainingError
from utterly.networks.hct import Hct
from utterly.networks.layers import Batch
from utterly.networks.tagger import Tagger

_STEP: Final = 64  # pieces: dialogues are padded to a multiple of it, to have few shapes
_LEAST_FREE: Final = 0.4  # share of the GPU's memory: with less, no more shapes are captured

_Precision = Callable[[], AbstractContextManager[Any]]


def capture_passes(tagger: Tagger, lengths: Iterable[int], batch_size: int, precision: _Precision) -> None:
    """Make the tagger run its encoder as graphs in training: on its rules, and on batches of these lengths.

    A replay overwrites the states and gradients of the last replay of its shape: one backward pass must follow each
    forward pass, and gradients cannot be accumulated. Nothing else may use the GPU during capture.
    """
    tagger.train()
    encoder, device = tagger.encoder, next(tagger.parameters()).device
    known = set(lengths)
    graphed = encoder.graphed = _GraphedNetwork(encoder.network, precision, longest=max(known))
    if isinstance(tagger, Hct):
        tagger.rule_embeddings(encoder)
    for length in sorted(set(map(graphed.padded_length, known))):
        blank = torch.zeros(batch_size, length, dtype=torch.long)
        word = blank[:, :1]
        encoder(Batch(blank, blank, blank == 0, word, word == 0, word, word == 0).to(device))
    graphed.complete = True
    tagger.zero_grad(set_to_none=True)


class _GraphedNetwork:
    """An encoder's network. Until `complete` is set, it captures a graph for every new shape."""

    def __init__(self, network: Any, precision: _Precision, *, longest: int) -> None:
        self._network, self._precision, self._longest = network, precision, longest
        self._weights: dict[str, Tensor] = dict(network.named_parameters())
        self._graphs: dict[tuple[Any, ...], Callable[..., Tensor]] = {}
        self.complete = False

    def __call__(self, **inputs: Tensor) -> Tensor:
        """The last hidden states, which may be padded: (batch, at least as many pieces, width)."""
        padded = inputs
        if (ids := inputs.get("input_ids")) is not None:
            more = self.padded_length(ids.shape[1]) - ids.shape[1]
            padded = {name: pad(tensor, (0, more)) for name, tensor in inputs.items()}
        shapes = tuple((name, tensor.shape) for name, tensor in padded.items())
        if not self.complete and shapes not in self._graphs and _memory_is_left():
            self._graphs[shapes] = self._captured(padded)
        if shapes in self._graphs:
            return self._graphs[shapes](*padded.values(), *self._weights.values())
        hidden: Tensor = self._network(**inputs).last_hidden_state
        return hidden

    def padded_length(self, pieces: int) -> int:
        return max(pieces, min(pieces + -pieces % _STEP, self._longest))

    def _captured(self, inputs: dict[str, Tensor]) -> Callable[..., Tensor]:
        """A pass over inputs of this shape, as a function of the inputs and the weights."""

        def run(*tensors: Tensor) -> Tensor:
            named = dict(zip((*inputs, *self._weights), tensors, strict=True))
            read = {name: named.pop(name) for name in inputs}
            with tensors[0].device, _NumbersOnDevice():  # some networks create positions on the default device
                hidden: Tensor = functional_call(self._network, named, kwargs=read).last_hidden_state
            return hidden

        # The weights share memory with the network's, but not the autograd graph of the training steps.
        samples = (*(each.clone() for each in inputs.values()), *self._weights.values())
        detached = tuple(each.detach().requires_grad_(each.requires_grad) for each in samples)
        try:
            with self._precision():
                graphed: Any = torch.cuda.make_graphed_callables(run, detached, allow_unused_input=True)
        except torch.OutOfMemoryError as failure:
            raise TrainingError(
                "the GPU lacks memory for a CUDA graph per length; lower batch_size, or set cuda_graphs = false"
            ) from failure
        except RuntimeError as failure:
            raise TrainingError(
                f"cannot capture {type(self._network).__name__} as a CUDA graph: {failure}; set cuda_graphs = false"
            ) from failure
        return cast("Callable[..., Tensor]", graphed)


class _NumbersOnDevice(TorchFunctionMode):
    """Create tensors from numbers on the device: a copy from the CPU cannot be captured."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if func is torch.tensor and args and isinstance(args[0], bool | int | float):
            return torch.full((), *args, **(kwargs or {}))
        return func(*args, **(kwargs or {}))


def _memory_is_left() -> bool:
    free, total = torch.cuda.mem_get_info()
    return free >= _LEAST_FREE * total
