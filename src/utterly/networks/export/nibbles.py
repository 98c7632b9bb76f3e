"""Storage: int8 weights that fit into 4 bits, at half the size.

Four weights are stored as a number of 16 bits, which is the row of a table with all combinations of four. onnxruntime
looks up the weights of products once, when it loads the graph, and computes as if they had been stored in int8. The
rows of an embedding table are looked up when they are read.

ONNX has a type of 4 bits, but onnxruntime 1.20 cannot convert it to int8.
"""

from typing import Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper

from utterly.networks.export.onnx_graph import OnnxGraph
from utterly.networks.rounding import FOUR_BIT_LEVELS, LEAST_ROUNDED

_PACKED: Final = "_packed"
_SHAPE: Final = "_shape"
_COMBINATIONS: Final = "combinations_of_four"
_TOGETHER: Final = 4  # weights in a number
_SHIFTS: Final = 4 * np.arange(_TOGETHER, dtype=np.uint16)


def pack_weights(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same graph with its large int8 weights packed, if they fit into 4 bits; run it last."""
    graph = OnnxGraph(model)
    for name in [name for name in graph.weights if _fits(graph, name)]:
        if all(node.op_type == "Gather" for node in graph.consumers[name]):
            _pack_table(graph, name)
        else:
            _pack_product(graph, name)
    graph.add_weight(_COMBINATIONS, _unpacked(np.arange(1 << 16, dtype=np.uint16)))
    return graph.to_model()


def unpack_weights(graph: OnnxGraph) -> None:
    """Replace packed weights by the int8 weights that they stand for; nodes stay as they are."""
    for packed in [name for name in graph.weights if name.endswith(_PACKED)]:
        name, array = packed.removesuffix(_PACKED), graph.array(packed)
        shape = graph.array(f"{name}{_SHAPE}") if f"{name}{_SHAPE}" in graph.weights else (len(array), -1)
        graph.add_weight(name, _unpacked(array).reshape(shape))
        for part in (_PACKED, _SHAPE):
            graph.weights.pop(f"{name}{part}", None)


def _fits(graph: OnnxGraph, name: str) -> bool:
    weight = graph.weights[name]
    if weight.data_type != onnx.TensorProto.INT8 or np.prod(weight.dims) < LEAST_ROUNDED or weight.dims[-1] % _TOGETHER:
        return False
    return bool(np.abs(graph.array(name)).max() <= FOUR_BIT_LEVELS)


def _pack_table(graph: OnnxGraph, name: str) -> None:
    """Rows are read packed. Their shape before the last axis is that of the numbers of the rows."""
    packed = graph.add_weight(f"{name}{_PACKED}", _packed(graph.array(name)))
    width = graph.add_weight("width_of_rows", np.array([-1]))
    for node in graph.consumers[name]:
        out = node.output[0]
        rows = helper.make_node("Gather", [packed, node.input[1]], [f"{out}{_PACKED}"], axis=0)
        start = helper.make_node("Shape", [f"{out}{_PACKED}"], [f"{out}_rows"], start=0, end=-1)
        shape = helper.make_node("Concat", [f"{out}_rows", width], [f"{out}{_SHAPE}"], axis=0)
        graph.replace([node], [rows, start, shape, *_looked_up(out)])


def _pack_product(graph: OnnxGraph, name: str) -> None:
    array = graph.array(name)
    graph.add_weight(f"{name}{_PACKED}", _packed(array))
    graph.add_weight(f"{name}{_SHAPE}", np.array(array.shape))
    del graph.weights[name]
    graph.nodes = [*_looked_up(name), *graph.nodes]


def _looked_up(name: str) -> list[onnx.NodeProto]:
    """Nodes that turn `name`_packed into `name`, of `name`_shape."""
    return [
        helper.make_node("Cast", [f"{name}{_PACKED}"], [f"{name}_rows_of_four"], to=onnx.TensorProto.INT32),
        helper.make_node("Gather", [_COMBINATIONS, f"{name}_rows_of_four"], [f"{name}_fours"], axis=0),
        helper.make_node("Reshape", [f"{name}_fours", f"{name}{_SHAPE}"], [name]),
    ]


def _packed(array: NDArray[np.int8]) -> NDArray[np.uint16]:
    """(..., width) -> (..., width / 4): the first weight of four in the lowest bits."""
    fours = array.reshape(*array.shape[:-1], -1, _TOGETHER).astype(np.uint16) & 15
    packed: NDArray[np.uint16] = np.bitwise_or.reduce(fours << _SHIFTS, axis=-1)
    return packed


def _unpacked(packed: NDArray[np.uint16]) -> NDArray[np.int8]:
    """(...) -> (..., 4)."""
    numbers = ((packed[..., None] >> _SHIFTS) & 15).astype(np.int8)
    return np.where(numbers < 8, numbers, numbers - np.int8(16))
