"""Layers that round compute what the quantised graph computes."""

import copy
from typing import Any

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from utterly.networks.export.int8 import quantise_weights
from utterly.networks.rounding import (
    FOUR_BIT_LEVELS,
    LEAST_ROUNDED,
    FourBitEmbedding,
    FourBitLinear,
    RoundedLinear,
    bake,
    best_scale,
    round_layers,
    spread_rounded,
)


def quantised(layer: nn.Linear, *, bits: int) -> onnx.ModelProto:
    """The layer as an ONNX graph in int8."""
    weights = [
        numpy_helper.from_array(layer.weight.detach().numpy().T.copy(), "weight"),
        numpy_helper.from_array(layer.bias.detach().numpy(), "bias"),
    ]
    shape = [None, layer.in_features]
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "weight"], ["y"]), helper.make_node("Add", ["y", "bias"], ["z"])],
        "layer",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, [None, layer.out_features])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return quantise_weights(model, bits=bits)


@pytest.mark.parametrize("bits", [4, 8])
def test_a_rounded_layer_computes_what_the_quantised_graph_does(bits: int) -> None:
    torch.manual_seed(0)
    layer, inputs = nn.Linear(128, 128), torch.randn(5, 128) * torch.linspace(0.1, 9, 128)
    in_floats = layer(inputs)
    graph = quantised(layer, bits=bits).SerializeToString()
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    (in_int8,) = session.run(None, {"x": inputs.numpy()})

    round_layers(layer, bits=bits)
    rounded = layer(inputs)

    np.testing.assert_allclose(rounded.detach().numpy(), in_int8, atol=2e-3)
    assert (rounded - in_floats).abs().max() > 10 * (rounded - torch.tensor(in_int8)).abs().max()


def test_each_dialogue_of_a_batch_has_a_range_of_its_own() -> None:
    layer = nn.Linear(128, 128)
    round_layers(layer, bits=8)
    quiet, loud = torch.randn(1, 4, 128), 1000 * torch.randn(1, 4, 128)

    together = layer(torch.cat([quiet, loud]))

    torch.testing.assert_close(together[:1], layer(quiet))


def nearest_of_256(values: torch.Tensor) -> torch.Tensor:
    """Each value, rounded to the nearest of 256 in the range of all; 0 is one of them."""
    least, most = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    scale = (most - least) / 255
    zero = round(-least / scale)
    numbers = [min(max(round(value / scale + zero), 0), 255) for value in values.double().flatten().tolist()]
    return (scale * (torch.tensor(numbers, dtype=torch.float64) - zero)).view_as(values)


@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("shift", [-9.0, 0.4, 9.0])
def test_inputs_become_the_nearest_of_256_values(precision: torch.dtype, shift: float) -> None:
    layer = nn.Linear(128, 128, bias=False)
    with torch.no_grad():
        layer.weight.copy_(torch.eye(128))
    round_layers(layer, bits=8)
    inputs = (torch.randn(3, 5, 128, generator=torch.Generator().manual_seed(0)) + shift).to(precision)

    with torch.autocast("cpu", torch.bfloat16, enabled=precision == torch.bfloat16):
        rounded = layer(inputs)

    expected = torch.stack([nearest_of_256(dialogue) for dialogue in inputs]).to(precision)
    torch.testing.assert_close(rounded, expected)


@pytest.mark.parametrize("bits", [4, 8])
def test_zeros_stay_zeros(bits: int) -> None:
    layer = nn.Linear(128, 128, bias=False)
    with torch.no_grad():
        layer.weight[:64] = 0.0
    round_layers(layer, bits=bits)
    assert not layer(torch.zeros(2, 3, 128)).any()
    assert not layer(torch.randn(2, 3, 128))[..., :64].any()


def test_no_inputs_give_no_outputs() -> None:
    layer = nn.Linear(128, 128)
    round_layers(layer, bits=4)
    assert layer(torch.zeros(0, 128)).shape == (0, 128)  # a batch in which no word needs a span


def test_gradients_ignore_the_rounding() -> None:
    layer, inputs = nn.Linear(128, 128), torch.randn(2, 3, 128)
    round_layers(layer, bits=8)

    layer(inputs).sum().backward()

    torch.testing.assert_close(layer.bias.grad, torch.full((128,), 6.0))
    assert layer.weight.grad is not None
    torch.testing.assert_close(layer.weight.grad, inputs.sum((0, 1)).expand(128, -1), atol=0.05, rtol=0.05)


@pytest.mark.parametrize(("width", "rounds"), [(127, False), (128, True)])
def test_small_layers_stay_in_floats(width: int, rounds: bool) -> None:
    layers = nn.Sequential(nn.Linear(128, width))
    assert (128 * width >= LEAST_ROUNDED) == rounds

    round_layers(layers, bits=8)

    assert isinstance(layers[0], RoundedLinear) == rounds


def four_bit_layers() -> Any:
    """A table and a linear layer, both large enough, whose weights vary from row to row."""
    torch.manual_seed(0)
    layers: Any = nn.Sequential(nn.Embedding(200, 128, padding_idx=1), nn.Linear(128, 128))
    with torch.no_grad():
        for layer in layers:
            layer.weight.mul_(torch.linspace(0.01, 3, len(layer.weight)).unsqueeze(1))
    return layers


def integers(weight: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    numbers = weight / scale
    torch.testing.assert_close(numbers, numbers.round(), atol=1e-4, rtol=0)
    return numbers.round()


def test_four_bits_round_tables_and_linear_layers_to_integers_up_to_7() -> None:
    layers = four_bit_layers()
    round_layers(layers, bits=4)
    assert [type(layer) for layer in layers] == [FourBitEmbedding, FourBitLinear]
    for layer in layers:
        assert isinstance(layer, FourBitEmbedding | FourBitLinear)
        numbers = integers(layer.rounded_weight(), layer.scale)
        largest = numbers.abs().amax(1)
        assert torch.equal(largest == FOUR_BIT_LEVELS, layer.weight.any(1))  # the row of the padding is zero


def test_a_table_rounds_the_rows_that_are_looked_up() -> None:
    table = four_bit_layers()[0]
    round_layers(table, bits=4)
    ids = torch.tensor([[3, 1, 199], [3, 0, 7]])
    torch.testing.assert_close(table(ids), table.rounded_weight()[ids])
    table(ids).sum().backward()
    counts = torch.zeros(200)
    counts[[0, 3, 7, 199]] = torch.tensor([1.0, 2.0, 1.0, 1.0])  # the padding of row 1 never learns
    torch.testing.assert_close(table.weight.grad, counts.unsqueeze(1).expand(-1, 128))


def test_eight_bits_leave_tables_alone() -> None:
    layers = four_bit_layers()
    round_layers(layers, bits=8)
    assert [type(layer) for layer in layers] == [nn.Embedding, RoundedLinear]


def test_the_scale_of_a_row_clips_outliers_if_that_lowers_the_error() -> None:
    weight = torch.randn(4, 256, generator=torch.Generator().manual_seed(0))
    weight[0, 0] = 6.0
    scale = best_scale(weight)
    assert scale[0, 0] * FOUR_BIT_LEVELS < 0.8 * 6.0
    for share in (0.5, 0.8, 1.0):
        other = share * weight.abs().amax(1, keepdim=True) / FOUR_BIT_LEVELS
        error, best = (
            ((weight / each).round().clamp(-FOUR_BIT_LEVELS, FOUR_BIT_LEVELS) * each - weight).square().sum(1)
            for each in (other, scale)
        )
        assert (best <= error * 1.0001).all()


@pytest.mark.parametrize("largest", range(1, FOUR_BIT_LEVELS + 1))
def test_rows_that_were_rounded_before_keep_their_integers(largest: int) -> None:
    rng = torch.Generator().manual_seed(0)
    numbers = torch.randint(-largest, largest + 1, (50, 128), generator=rng).float()
    numbers[:, :2] = torch.tensor([largest, max(largest - 1, 0)])
    weight = numbers * torch.rand(50, 1, generator=rng)
    torch.testing.assert_close(integers(weight, best_scale(weight)) * best_scale(weight), weight)
    if largest == FOUR_BIT_LEVELS:
        assert torch.equal(integers(weight, best_scale(weight)), numbers)


def test_a_row_of_zeros_stays_zero() -> None:
    assert torch.equal(best_scale(torch.zeros(2, 128)), torch.ones(2, 1))


def test_clipped_weights_still_learn_and_scales_stay() -> None:
    layer = four_bit_layers()[1]
    round_layers(layer, bits=4)
    scale = layer.scale.clone()
    with torch.no_grad():
        layer.weight[5, 9] = 100 * scale[5, 0]
    inputs = torch.randn(2, 3, 128)
    layer(inputs).sum().backward()
    assert torch.equal(layer.scale, scale)
    torch.testing.assert_close(layer.rounded_weight()[5, 9], FOUR_BIT_LEVELS * scale[5, 0])
    torch.testing.assert_close(layer.weight.grad, inputs.sum((0, 1)).expand(128, -1), atol=0.05, rtol=0.05)


def test_scales_move_with_their_layer_and_are_no_part_of_its_state() -> None:
    layers = four_bit_layers()
    plain = copy.deepcopy(layers)
    round_layers(layers, bits=4)
    assert layers.state_dict().keys() == plain.state_dict().keys()
    layers.load_state_dict(plain.state_dict())
    copied = copy.deepcopy(layers).to("meta")
    assert all(layer.scale.is_meta for layer in copied)
    assert not any(layer.scale.is_meta for layer in layers)


def test_baked_layers_are_plain_and_have_the_rounded_weights() -> None:
    layers = four_bit_layers()
    round_layers(layers, bits=4)
    rounded = [layer.rounded_weight().detach() for layer in layers]
    bake(layers)
    assert [type(layer) for layer in layers] == [nn.Embedding, nn.Linear]
    for layer, weight in zip(layers, rounded, strict=True):
        assert torch.equal(layer.weight, weight)
        assert not list(layer.buffers())
        assert layer.weight.requires_grad


def test_the_largest_weight_gives_a_baked_layer_the_same_integers() -> None:
    layer = four_bit_layers()[1]
    round_layers(layer, bits=4)
    with torch.no_grad():  # as training does
        layer.weight.add_(0.3 * layer.scale * torch.randn(128, 128))
    trained = integers(layer.rounded_weight(), layer.scale)
    at_limit = trained.abs().amax(1) == FOUR_BIT_LEVELS
    assert at_limit.sum() > 100
    bake(layer)
    plain_scale = layer.weight.abs().amax(1, keepdim=True) / FOUR_BIT_LEVELS
    assert torch.equal(integers(layer.weight[at_limit], plain_scale[at_limit]), trained[at_limit])
    exported = {each.name: each for each in quantised(layer, bits=4).graph.initializer}
    numbers = numpy_helper.to_array(exported["weight_int8"]).T.astype(np.float32)
    assert torch.equal(torch.tensor(numbers)[at_limit], trained[at_limit])


def test_spread_weights_compute_the_same_and_lie_anywhere_within_their_steps() -> None:
    layers = four_bit_layers()
    round_layers(layers, bits=4)
    bake(layers)
    before = [layer.weight.detach().clone() for layer in layers]
    round_layers(layers, bits=4)

    spread_rounded(layers, torch.Generator().manual_seed(0))

    for layer, old in zip(layers, before, strict=True):
        torch.testing.assert_close(layer.rounded_weight(), old)
        steps = ((layer.weight - old) / layer.scale).detach()
        assert steps.abs().max() < 0.5
        assert float(steps.std()) == pytest.approx(1 / 12**0.5, rel=0.02)  # that of uniform numbers


def test_rows_of_zeros_are_not_spread() -> None:
    layers = four_bit_layers()
    round_layers(layers, bits=4)
    bake(layers)
    round_layers(layers, bits=4)
    spread_rounded(layers, torch.Generator().manual_seed(0))
    assert not layers[0].weight[1].any()  # the row of the padding
    assert layers[0].weight[2:].all(1).all()


def test_weights_that_were_never_rounded_stay_where_they_are() -> None:
    layers = four_bit_layers()
    before = [layer.weight.clone() for layer in layers]
    round_layers(layers, bits=4)
    spread_rounded(layers, torch.Generator().manual_seed(0))
    (zeros,) = torch.nonzero(~before[0].any(1), as_tuple=True)
    assert zeros.tolist() == [1]  # the row of the padding, which any scale fits
    for layer, old in zip(layers, before, strict=True):
        learned = old.any(1)
        assert torch.equal(layer.weight[learned], old[learned])
