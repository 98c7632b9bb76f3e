"""Quantisation-aware training: layers that round as their export in 8 or 4 bits will."""

from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding, linear

WEIGHT_LEVELS: Final = 64
"""The largest weight as an integer: 7 of 8 bits, so the sum of two products fits into 16 bits on every CPU."""
FOUR_BIT_LEVELS: Final = 7
"""The largest weight in 4 bits."""
INPUT_LEVELS: Final = 255
LEAST_ROUNDED: Final = 1 << 14
"""Smaller weights, such as those of the heads, stay in floats."""

# Scales to try, as shares of the one that the largest weight of a row would give. Below 1, that weight is clipped.
# Above 1 they are those of rows that have been rounded before, and whose largest integer is 6, 5, ... or 1.
_SHARES: Final = (*(1 - 0.05 * i for i in range(13)), *(FOUR_BIT_LEVELS / i for i in range(FOUR_BIT_LEVELS - 1, 0, -1)))
_SPREAD: Final = 0.998  # of a step, so that float arithmetic cannot move a weight to the next one
_ON_A_STEP: Final = 1e-3
_NOISE: Final = 1e-10  # errors below this share of a row's squares come from float arithmetic


class RoundedLinear(nn.Linear):
    """8 bits. Weights have a scale per output, that of the largest now; inputs have a range per dialogue."""

    def forward(self, inputs: Tensor) -> Tensor:
        return linear(_rounded_inputs(inputs), self.rounded_weight(), self.bias)

    def rounded_weight(self) -> Tensor:
        return _rounded_rows(self.weight, _largest_scale(self.weight), largest=WEIGHT_LEVELS)


class FourBitLinear(RoundedLinear):
    """4 bits. A scale per output is fixed when rounding begins; larger weights are clipped."""

    scale: Tensor  # (outputs, 1)

    def rounded_weight(self) -> Tensor:
        return _rounded_rows(self.weight, self.scale, largest=FOUR_BIT_LEVELS)


class FourBitEmbedding(nn.Embedding):
    """4 bits. A scale per row is fixed when rounding begins; only the rows that are looked up are rounded."""

    scale: Tensor  # (rows, 1)

    def forward(self, ids: Tensor) -> Tensor:
        rows, scale = super().forward(ids), embedding(ids, self.scale)
        return _rounded_rows(rows.flatten(0, -2), scale, largest=FOUR_BIT_LEVELS).view_as(rows)

    def rounded_weight(self) -> Tensor:
        return _rounded_rows(self.weight, self.scale, largest=FOUR_BIT_LEVELS)


_ROUNDED: Final[dict[int, dict[type[nn.Module], type[nn.Module]]]] = {
    4: {nn.Linear: FourBitLinear, nn.Embedding: FourBitEmbedding},
    8: {nn.Linear: RoundedLinear},
}


def round_layers(tagger: nn.Module, *, bits: int) -> None:
    """Make all large linear layers of a tagger round, in place, and with 4 bits its large embedding tables too.

    Their weights stay as they are. The scales of 4 bits are no part of the state that is saved: they follow from the
    weights that a run starts with.
    """
    plain = [each for each in tagger.modules() if type(each) in _ROUNDED[bits]]
    for module in plain:
        weight: Tensor = module.get_parameter("weight")
        if weight.numel() >= LEAST_ROUNDED:
            module.__class__ = _ROUNDED[bits][type(module)]
            if bits == 4:
                module.register_buffer("scale", best_scale(weight.detach()), persistent=False)


@torch.no_grad()
def spread_rounded(tagger: nn.Module, rng: torch.Generator) -> None:
    """Move weights that were rounded to 4 bits before to anywhere that rounds to the same, in place.

    Each lies in the middle of its step, half a step away from another integer, and a small rate would never get it
    there. Spread, a share of the weights is as near as any change. What the layers compute stays the same.
    """
    for module in tagger.modules():
        if isinstance(module, FourBitLinear | FourBitEmbedding):
            steps = module.weight / module.scale
            on_steps = ((steps - steps.round()).abs() < _ON_A_STEP).all(1, keepdim=True)  # by row
            before = on_steps & steps.any(1, keepdim=True)  # any scale fits a row of zeros, so it has no steps
            moves = _SPREAD * (torch.rand(steps.shape, generator=rng) - 0.5)
            module.weight.add_(moves.to(steps.device) * module.scale * before)


@torch.no_grad()
def bake(tagger: nn.Module) -> None:
    """Make all layers that round plain again, in place, with the rounded weights as their weights."""
    for module in list(tagger.modules()):
        if isinstance(module, RoundedLinear | FourBitEmbedding):
            module.weight.copy_(module.rounded_weight())
            plain: nn.Module = module
            plain.__class__ = nn.Linear if isinstance(module, nn.Linear) else nn.Embedding
            if hasattr(plain, "scale"):
                del plain.scale


def best_scale(weight: Tensor) -> Tensor:
    """The scale per row, (rows, 1), that rounds it to 4 bits with the least squared error.

    A row that has been rounded before gets its scale, and so its integers, again.
    """
    largest = weight.abs().amax(1, keepdim=True) / FOUR_BIT_LEVELS
    largest = largest.masked_fill(largest == 0, 1.0)
    noise = _NOISE * weight.square().sum(1, keepdim=True)
    best, least = largest, torch.full_like(largest, torch.inf)
    for share in _SHARES:
        scale = share * largest
        error = (_rounded_rows(weight, scale, largest=FOUR_BIT_LEVELS) - weight).square().sum(1, keepdim=True)
        error = torch.maximum(error, noise)
        best, least = torch.where(error < least, scale, best), torch.minimum(error, least)
    return best


class _Rounding(torch.autograd.Function):
    """Rounds each row, an index of the first axis, to integers times its scale; gradients ignore rounding and clipping.

    torch rounds in one operation, but its own gradient is zero where a value is clipped. Zero points are floats: torch
    would read integers back from the GPU to check them.
    """

    @staticmethod
    def forward(_: Any, values: Tensor, scale: Tensor, zero: Tensor, least: int, most: int) -> Tensor:
        return torch.fake_quantize_per_channel_affine(values, scale, zero, 0, least, most)

    @staticmethod
    def backward(_: Any, *gradients: Tensor) -> tuple[Tensor, None, None, None, None]:
        return gradients[0], None, None, None, None


def _rounded_rows(rows: Tensor, scale: Tensor, *, largest: int) -> Tensor:
    """Rows rounded to integers from -largest to largest times their scale, which has one value per row."""
    scale = scale.flatten().float()
    rounded: Tensor = _Rounding.apply(rows, scale, torch.zeros_like(scale), -largest, largest)  # type: ignore[no-untyped-call]
    return rounded


def _rounded_inputs(inputs: Tensor) -> Tensor:
    """Inputs rounded by the range of their dialogue, which is the first of three axes, or else of all."""
    if not inputs.numel():  # a batch without queries; it has no range
        return inputs
    by_dialogue = inputs if inputs.dim() > 2 else inputs.unsqueeze(0)
    scale, zero = _input_scale(by_dialogue.detach())
    rounded: Tensor = _Rounding.apply(by_dialogue, scale, zero, 0, INPUT_LEVELS)  # type: ignore[no-untyped-call]
    return rounded.view_as(inputs)


def _input_scale(by_dialogue: Tensor) -> tuple[Tensor, Tensor]:
    """Scale and zero point as `DynamicQuantizeLinear` computes them, (dialogues,); the range always includes 0."""
    least, most = (each.float() for each in by_dialogue.flatten(1).aminmax(dim=1))
    least = least.clamp(max=0.0)
    scale = _above_zero((most.clamp(min=0.0) - least) / INPUT_LEVELS)
    return scale, (-least / scale).round()


def _largest_scale(weight: Tensor) -> Tensor:
    """The scale per row, (rows,), that gives the largest weight the largest integer."""
    return _above_zero(weight.detach().abs().amax(1) / WEIGHT_LEVELS)


def _above_zero(scale: Tensor) -> Tensor:
    """A row of zeros has no scale, so it can have any."""
    return scale.clamp(min=torch.finfo(scale.dtype).tiny)
