"""Narrow an encoder: keep the hidden units of its feed-forward layers that matter most.

A unit matters as much as it adds to the layer's output: the mean square of its value over some real dialogues, times
the squared norm of its outgoing weights.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from utterly.errors import ModelError
from utterly.networks.layers import Batch, Encoder


class _FeedForward(NamedTuple):
    """The two products of a feed-forward layer, as encoders of the BERT family name them."""

    intermediate: nn.Linear
    output: nn.Linear


@torch.no_grad()
def narrow_feed_forward(encoder: Encoder, width: int, batches: Iterable[Batch]) -> None:
    """Cut all feed-forward layers of an encoder to `width` units, in place; batches must have no padding."""
    layers, shape = list(_feed_forwards(encoder.network)), encoder.network.config
    if not layers:
        raise ModelError(
            f"{type(encoder.network).__name__} has no feed-forward layers that can be narrowed; "
            "choose an encoder of the BERT family, or set feed_forward = 0"
        )
    if not 0 < width < shape.intermediate_size:
        raise ModelError(
            f"feed_forward must be below the encoder's width of {shape.intermediate_size}, got {width}; "
            "set feed_forward = 0 to keep it"
        )
    with _squares(layers) as squares:
        for batch in batches:
            encoder(batch)
    for layer, square in zip(layers, squares, strict=True):
        importance = square * layer.output.weight.square().sum(0)
        kept = importance.topk(width).indices.sort().values
        _cut(layer.intermediate, layer.intermediate.weight[kept])
        layer.intermediate.bias.data = layer.intermediate.bias[kept]
        _cut(layer.output, layer.output.weight[:, kept])
    shape.intermediate_size = width


def _feed_forwards(network: nn.Module) -> Iterator[_FeedForward]:
    for module in network.modules():
        intermediate, output = (getattr(getattr(module, name, None), "dense", None) for name in _FeedForward._fields)
        if isinstance(intermediate, nn.Linear) and isinstance(output, nn.Linear):
            yield _FeedForward(intermediate, output)


@contextmanager
def _squares(layers: list[_FeedForward]) -> Iterator[list[Tensor]]:
    """The sum of squares of each hidden unit over all pieces that are read inside the context."""
    squares = [torch.zeros_like(layer.intermediate.bias) for layer in layers]

    def add_to(square: Tensor) -> Any:
        def add(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
            square.add_(inputs[0].square().sum((0, 1)))

        return add

    hooks = [
        layer.output.register_forward_pre_hook(add_to(square)) for layer, square in zip(layers, squares, strict=True)
    ]
    try:
        yield squares
    finally:
        for hook in hooks:
            hook.remove()


def _cut(layer: nn.Linear, weight: Tensor) -> None:
    layer.weight.data = weight.contiguous()
    layer.out_features, layer.in_features = weight.shape
