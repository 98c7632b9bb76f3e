"""Linear layers that compute what their int8 export will: trained with them, a tagger learns to bear the rounding."""

from typing import Final

from torch import Tensor, nn
from torch.nn.functional import linear

WEIGHT_LEVELS: Final = 64
"""The largest weight as an integer: 7 of 8 bits, so that sums of two products fit into 16 bits on every CPU."""
INPUT_LEVELS: Final = 255
LEAST_ROUNDED: Final = 1 << 14
"""Smaller weights, such as those of the heads, stay in floats."""


class RoundedLinear(nn.Linear):
    """Weights have a scale per output; the range of the inputs is found for each dialogue."""

    def forward(self, inputs: Tensor) -> Tensor:
        weight = _rounded(self.weight, _weight_scale(self.weight))
        return linear(_rounded(inputs, *_input_scale(inputs)), weight, self.bias)


def round_linear_layers(tagger: nn.Module) -> None:
    """Make all large linear layers of a tagger round, in place."""
    for module in tagger.modules():
        if type(module) is nn.Linear and module.weight.numel() >= LEAST_ROUNDED:
            module.__class__ = RoundedLinear


def _rounded(values: Tensor, scale: Tensor, zero: Tensor | float = 0.0) -> Tensor:
    """The nearest values that integers stand for. Gradients pass as if nothing had been rounded."""
    nearest = ((values / scale + zero).round() - zero) * scale
    return values + (nearest - values).detach()


def _input_scale(values: Tensor) -> tuple[Tensor, Tensor]:
    """The scale and what 0 becomes, as `DynamicQuantizeLinear` finds them: 0 is within the range."""
    axes = tuple(range(1 if values.dim() > 2 else 0, values.dim()))
    least = values.amin(axes, keepdim=True).clamp(max=0.0)
    scale = (values.amax(axes, keepdim=True).clamp(min=0.0) - least) / INPUT_LEVELS
    scale = scale.masked_fill(scale == 0, 1.0)
    return scale, (-least / scale).round()


def _weight_scale(weight: Tensor) -> Tensor:
    scale = weight.abs().amax(1, keepdim=True) / WEIGHT_LEVELS
    return scale.masked_fill(scale == 0, 1.0)
