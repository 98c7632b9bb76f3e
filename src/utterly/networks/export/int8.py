"""Quantisation: weights of matrix products and embedding tables as int8, with 8 or 4 bits used.

Products are quantised dynamically: the range of the input is found at run time. Weights have a scale per output column
and use 7 of 8 bits, so the sum of two products fits into 16 bits; otherwise CPUs without VNNI would saturate, and
compute something else for the same input. Tables have a scale per row.

With 4 bits, integers are -7 to 7, still in int8: `utterly.networks.export.nibbles` stores them at half the size.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Any, Final

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import helper

from utterly.networks.export.onnx_graph import CONTRIB, OnnxGraph, attribute
from utterly.networks.rounding import FOUR_BIT_LEVELS, LEAST_ROUNDED, WEIGHT_LEVELS, best_scale

_LARGEST_IN_TABLES: Final = 127


def quantise_weights(model: onnx.ModelProto, *, bits: int = 8, tables: Collection[str] = ()) -> onnx.ModelProto:
    """The same graph with its large weights in int8.

    With 4 bits, those of products and of `tables` have integers up to 7; other tables, which training does not round,
    keep 8 bits.
    """
    graph = OnnxGraph(model)
    for name in sorted({node.input[0] for node in graph.nodes if node.op_type == "Gather"} & graph.weights.keys()):
        if _is_large(graph, name):
            _quantise_table(graph, name, bits=4 if bits == 4 and name in tables else 8)
    groups: dict[str, list[onnx.NodeProto]] = defaultdict(list)
    for node in graph.nodes:
        if node.op_type in ("MatMul", "Gemm") and _is_large(graph, node.input[1]):
            groups[node.input[0]].append(node)
    for products in groups.values():
        _quantise_products(graph, products, bits=bits)
    return graph.to_model()


def _is_large(graph: OnnxGraph, name: str) -> bool:
    weight = graph.weights.get(name)
    return weight is not None and len(weight.dims) == 2 and int(np.prod(weight.dims)) >= LEAST_ROUNDED


def _quantise_table(graph: OnnxGraph, name: str, *, bits: int) -> None:
    """Rows are read as int8 and converted to floats: row * its scale."""
    numbers, scales = _rounded(graph.array(name), largest=_LARGEST_IN_TABLES if bits == 8 else FOUR_BIT_LEVELS)
    small, scale = graph.add_weight(f"{name}_int8", numbers), graph.add_weight(f"{name}_scale", scales)
    for node in [node for node in graph.consumers[name] if node.op_type == "Gather" and node.input[0] == name]:
        index, out = node.input[1], node.output[0]
        rows = helper.make_node("Gather", [small, index], [f"{out}_int8"], axis=0)
        floats = helper.make_node("Cast", [f"{out}_int8"], [f"{out}_float"], to=onnx.TensorProto.FLOAT)
        sizes = helper.make_node("Gather", [scale, index], [f"{out}_scale"], axis=0)
        graph.replace([node], [rows, floats, sizes, helper.make_node("Mul", [f"{out}_float", f"{out}_scale"], [out])])


def _quantise_products(graph: OnnxGraph, products: list[onnx.NodeProto], *, bits: int) -> None:
    """Products of the same input: its range is found once for all of them."""
    source = products[0].input[0]
    small = [f"{source}_{part}" for part in ("uint8", "range", "zero")]
    begin = helper.make_node("DynamicQuantizeLinear", [source], small)
    for i, node in enumerate(products):
        weight, added, bias = node.input[1], *_added_bias(graph, node)
        array = graph.array(weight)
        flipped = node.op_type == "Gemm" and bool(attribute(node, "transB"))
        by_output = array if flipped else array.T
        numbers, scales = _rounded(by_output, largest=WEIGHT_LEVELS if bits == 8 else FOUR_BIT_LEVELS)
        names = [graph.add_weight(f"{weight}_int8", numbers.T), graph.add_weight(f"{weight}_scale", scales.ravel())]
        old = [node, *added]
        inputs = [small[0], names[0], small[1], names[1], small[2], "", bias]
        product = helper.make_node("MatMulIntegerToFloat", inputs, [old[-1].output[0]], domain=CONTRIB)
        graph.replace(old, [begin, product] if i == 0 else [product])


def _added_bias(graph: OnnxGraph, node: onnx.NodeProto) -> tuple[list[onnx.NodeProto], str]:
    """The name of a product's bias, "" without one, and the node that adds it, if that is not the product itself."""
    consumers = graph.consumers[node.output[0]]
    if node.op_type == "MatMul" and [each.op_type for each in consumers] == ["Add"]:
        bias = next((name for name in consumers[0].input if name in graph.weights), None)
        if bias is not None and len(graph.weights[bias].dims) == 1:
            return consumers, bias
    return [], node.input[2] if len(node.input) > 2 else ""


def _rounded(array: NDArray[Any], *, largest: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Integers up to `largest`, and the scale per row that converts them back to floats."""
    if largest == FOUR_BIT_LEVELS:
        scales = best_scale(torch.tensor(np.ascontiguousarray(array))).numpy()
    else:
        scales = np.abs(array).max(axis=1, keepdims=True) / largest
        scales = np.where(scales == 0, 1.0, scales)
    return np.rint(array / scales).clip(-largest, largest).astype(np.int8), scales.astype(np.float32)
