"""Layers that round compute what the int8 graph computes."""

from typing import Any

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from utterly.networks.export.int8 import quantise_weights
from utterly.networks.rounding import LEAST_ROUNDED, RoundedLinear, round_linear_layers


def exported(layer: nn.Linear) -> Any:
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
    model = quantise_weights(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9))
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


def test_a_rounded_layer_computes_what_the_int8_graph_does() -> None:
    torch.manual_seed(0)
    layer, inputs = nn.Linear(128, 128), torch.randn(5, 128) * torch.linspace(0.1, 9, 128)
    in_floats = layer(inputs)
    (in_int8,) = exported(layer).run(None, {"x": inputs.numpy()})

    round_linear_layers(layer)
    rounded = layer(inputs)

    np.testing.assert_allclose(rounded.detach().numpy(), in_int8, atol=2e-3)
    assert (rounded - in_floats).abs().max() > 10 * (rounded - torch.tensor(in_int8)).abs().max()


def test_each_dialogue_of_a_batch_has_a_range_of_its_own() -> None:
    layer = nn.Linear(128, 128)
    round_linear_layers(layer)
    quiet, loud = torch.randn(1, 4, 128), 1000 * torch.randn(1, 4, 128)

    together = layer(torch.cat([quiet, loud]))

    torch.testing.assert_close(together[:1], layer(quiet))


def test_gradients_ignore_the_rounding() -> None:
    layer, inputs = nn.Linear(128, 128), torch.randn(2, 3, 128)
    round_linear_layers(layer)

    layer(inputs).sum().backward()

    torch.testing.assert_close(layer.bias.grad, torch.full((128,), 6.0))
    assert layer.weight.grad is not None
    torch.testing.assert_close(layer.weight.grad, inputs.sum((0, 1)).expand(128, -1), atol=0.05, rtol=0.05)


@pytest.mark.parametrize(("width", "rounds"), [(127, False), (128, True)])
def test_small_layers_stay_in_floats(width: int, rounds: bool) -> None:
    layers = nn.Sequential(nn.Linear(128, width))
    assert (128 * width >= LEAST_ROUNDED) == rounds

    round_linear_layers(layers)

    assert isinstance(layers[0], RoundedLinear) == rounds
