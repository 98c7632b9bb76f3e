"""Passes over an encoder as recorded launches.

A step of a small encoder on a GPU is bound by launching about a thousand small kernels, one after another. Recorded for
a shape as CUDA graphs, forward and backward, all kernels of a pass are launched together.
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

_STEP: Final = 64  # pieces: dialogues are filled up to a multiple of it, so that there are few shapes
_LEAST_FREE: Final = 0.4  # of the GPU's memory: with less, no more shapes are recorded

_Precision = Callable[[], AbstractContextManager[Any]]


def capture_passes(tagger: Tagger, lengths: Iterable[int], batch_size: int, precision: _Precision) -> None:
    """From now on `tagger`, while it trains, reads rules, and batches of this size and these lengths, as recorded.

    What a pass leaves lies where the next one of its shape writes its own, and so do the gradients: one backward pass
    must follow each forward pass, and gradients cannot be gathered over several batches. Nothing else may use the GPU
    while this records.
    """
    tagger.train()
    encoder, device = tagger.encoder, next(tagger.parameters()).device
    each = set(lengths)
    recorded = encoder.recorded = _RecordedNetwork(encoder.network, precision, longest=max(each))
    if isinstance(tagger, Hct):
        tagger.rule_embeddings(encoder)
    for length in sorted(set(map(recorded.filled_length, each))):
        blank = torch.zeros(batch_size, length, dtype=torch.long)
        word = blank[:, :1]
        encoder(Batch(blank, blank, blank == 0, word, word == 0, word, word == 0).to(device))
    recorded.complete = True
    tagger.zero_grad(set_to_none=True)


class _RecordedNetwork:
    """An encoder's network. Until it is complete, it records the passes of every new shape."""

    def __init__(self, network: Any, precision: _Precision, *, longest: int) -> None:
        self._network, self._precision, self._longest = network, precision, longest
        self._weights: dict[str, Tensor] = dict(network.named_parameters())
        self._passes: dict[tuple[Any, ...], Callable[..., Tensor]] = {}
        self.complete = False

    def __call__(self, **inputs: Tensor) -> Tensor:
        """The last states of some inputs, which may be filled up: (batch, pieces or more, width)."""
        filled = inputs
        if (ids := inputs.get("input_ids")) is not None:
            more = self.filled_length(ids.shape[1]) - ids.shape[1]
            filled = {name: pad(tensor, (0, more)) for name, tensor in inputs.items()}
        shapes = tuple((name, tensor.shape) for name, tensor in filled.items())
        if not self.complete and shapes not in self._passes and _memory_is_left():
            self._passes[shapes] = self._recorded(filled)
        if shapes in self._passes:
            return self._passes[shapes](*filled.values(), *self._weights.values())
        hidden: Tensor = self._network(**inputs).last_hidden_state
        return hidden

    def filled_length(self, pieces: int) -> int:
        return max(pieces, min(pieces + -pieces % _STEP, self._longest))

    def _recorded(self, inputs: dict[str, Tensor]) -> Callable[..., Tensor]:
        """A pass of this shape, as a function of the inputs and the weights."""

        def run(*tensors: Tensor) -> Tensor:
            named = dict(zip((*inputs, *self._weights), tensors, strict=True))
            read = {name: named.pop(name) for name in inputs}
            with tensors[0].device, _NumbersWrittenInPlace():  # some networks make positions where the default is
                hidden: Tensor = functional_call(self._network, named, kwargs=read).last_hidden_state
            return hidden

        # The weights in their own memory, but apart from the steps' own graph of gradients.
        samples = (*(each.clone() for each in inputs.values()), *self._weights.values())
        alike = tuple(each.detach().requires_grad_(each.requires_grad) for each in samples)
        try:
            with self._precision():
                recorded: Any = torch.cuda.make_graphed_callables(run, alike, allow_unused_input=True)
        except torch.OutOfMemoryError as failure:
            raise TrainingError(
                "recorded passes need memory for every length of dialogue, but the GPU has not enough; "
                "lower batch_size, or set recorded = false"
            ) from failure
        except RuntimeError as failure:
            raise TrainingError(
                f"recorded passes need a network that computes on the GPU alone, but {type(self._network).__name__} "
                f"could not be recorded: {failure}; set recorded = false"
            ) from failure
        return cast("Callable[..., Tensor]", recorded)


class _NumbersWrittenInPlace(TorchFunctionMode):
    """A number that becomes a tensor is written where it is to be: a copy from the CPU cannot be recorded."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if func is torch.tensor and args and isinstance(args[0], bool | int | float):
            return torch.full((), *args, **(kwargs or {}))
        return func(*args, **(kwargs or {}))


def _memory_is_left() -> bool:
    free, whole = torch.cuda.mem_get_info()
    return free >= _LEAST_FREE * whole
