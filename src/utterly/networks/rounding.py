"""Quantisation-aware training: linear layers that round as their int8 export will."""

from typing import Final

from torch import Tensor, nn
from torch.nn.functional import linear

WEIGHT_LEVELS: Final = 64
"""The largest weight as an integer: 7 of 8 bits, so the sum of two products fits into 16 bits on every CPU."""
INPUT_LEVELS: Final = 255
LEAST_ROUNDED: Final = 1 << 14
"""Smaller weights, such as those of the heads, stay in floats."""


class RoundedLinear(nn.Linear):
    """Weights have a scale per output; inputs have a range per dialogue."""

    def forward(self, inputs: Tensor) -> Tensor:
        weight = _rounded(self.weight, _weight_scale(self.weight))
        return linear(_rounded(inputs, *_input_scale(inputs)), weight, self.bias)


def round_linear_layers(tagger: nn.Module) -> None:
    """Make all large linear layers of a tagger round, in place; nothing else about them changes."""
    for module in tagger.modules():
        if type(module) is nn.Linear and module.weight.numel() >= LEAST_ROUNDED:
            module.__class__ = RoundedLinear


def _rounded(values: Tensor, scale: Tensor, zero: Tensor | float = 0.0) -> Tensor:
    """The nearest values that an integer represents. Gradients ignore the rounding."""
    nearest = ((values / scale + zero).round() - zero) * scale
    return values + (nearest - values).detach()


def _input_scale(values: Tensor) -> tuple[Tensor, Tensor]:
    """Scale and zero point as `DynamicQuantizeLinear` computes them; the range always includes 0."""
    axes = tuple(range(1 if values.dim() > 2 else 0, values.dim()))
    least = values.amin(axes, keepdim=True).clamp(max=0.0)
    scale = (values.amax(axes, keepdim=True).clamp(min=0.0) - least) / INPUT_LEVELS
    scale = scale.masked_fill(scale == 0, 1.0)
    return scale, (-least / scale).round()


def _weight_scale(weight: Tensor) -> Tensor:
    scale = weight.abs().amax(1, keepdim=True) / WEIGHT_LEVELS
    return scale.masked_fill(scale == 0, 1.0)
