"""Attention that reads its heads where they lie.

An exported attention moves queries, keys and values from (1, pieces, heads, width) to (1, heads, pieces, width) and
multiplies then. onnxruntime can multiply straight from (pieces, 1, heads, width), which for one dialogue is the same
memory: three of four moves are saved, and with them the computation of their shapes.
"""

from typing import NamedTuple

import numpy as np
import onnx
from onnx import helper

from utterly.taggers.onnx_graph import CONTRIB, OnnxGraph, attribute


class _Unmoved(NamedTuple):
    """Heads before they are moved, and whether the move turned their last two axes round as well."""

    name: str
    turned: bool


def with_heads_in_place(model: onnx.ModelProto, *, heads: int, width: int) -> onnx.ModelProto:
    """The same graph for one dialogue; `width` is that of all heads together."""
    graph = OnnxGraph(model)
    shape = graph.add_weight("heads_in_place", np.array([-1, 1, heads, width // heads]))
    for node in [node for node in graph.nodes if node.op_type == "MatMul"]:
        left, right = (_unmoved(graph, name) for name in node.input)
        if left and left.turned:
            left = None
        if left or right:
            graph.replace([node], _product(node, left, right, shape))
    return graph.finished()


def _unmoved(graph: OnnxGraph, name: str) -> _Unmoved | None:
    """What `name` was before it was cut into heads and moved; None where that is not what happened."""
    move = graph.makers.get(name)
    cut = graph.makers.get(move.input[0]) if move and move.op_type == "Transpose" else None
    if not move or not cut or cut.op_type != "Reshape":
        return None
    turned = {(0, 2, 1, 3): False, (0, 2, 3, 1): True}.get(tuple(attribute(move, "perm")))
    return None if turned is None else _Unmoved(cut.input[0], turned)


def _product(node: onnx.NodeProto, left: _Unmoved | None, right: _Unmoved | None, shape: str) -> list[onnx.NodeProto]:
    out, inputs, cuts = node.output[0], list(node.input), []
    for side, unmoved in enumerate((left, right)):
        if unmoved:
            inputs[side] = f"{out}_heads_{side}"
            cuts.append(helper.make_node("Reshape", [unmoved.name, shape], [inputs[side]]))
    product = helper.make_node(
        "FusedMatMul",
        inputs,
        [out],
        domain=CONTRIB,
        transBatchA=int(left is not None),
        transBatchB=int(right is not None),
        transB=int(right is not None and right.turned),
    )
    return [*cuts, product]
