"""Attention as one dialogue needs it: heads are read where they lie, and nothing is masked.

An exported attention moves queries, keys and values from (1, pieces, heads, width) to (1, heads, pieces, width) and
multiplies then. onnxruntime can multiply straight from (pieces, 1, heads, width), which for one dialogue is the same
memory: three of four moves are saved, and with them the computation of their shapes.

One dialogue has no padding. Where every piece attends to every other, the mask is nothing but zeros, which are added
to heads x pieces x pieces scores in each layer: it is left out. The answers stay the same to the last bit.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import onnx
from onnx import helper

from utterly.taggers.onnx_graph import CONTRIB, OnnxGraph, attribute

_MASKED: Final = -1e30  # a score less than this is as good as minus infinity


class _Unmoved(NamedTuple):
    """Heads before they are moved, and whether the move turned their last two axes round as well."""

    name: str
    turned: bool


def with_heads_in_place(model: onnx.ModelProto, *, heads: int, width: int) -> onnx.ModelProto:
    """The same graph for one dialogue; `width` is that of all heads together."""
    graph = OnnxGraph(model)
    shape = graph.add_weight("heads_in_place", np.array([-1, 1, heads, width // heads]))
    together = graph.add_weight("heads_together", np.array([1, -1, width]))
    for node in [node for node in graph.nodes if node.op_type == "MatMul"]:
        left, right = (_unmoved(graph, name) for name in node.input)
        if left and left.turned:
            left = None
        if left or right:
            graph.replace([node], _product(node, left, right, shape))
        for joined in _joined(graph, node.output[0]):
            graph.replace([joined], [helper.make_node("Reshape", [joined.input[0], together], joined.output)])
    return graph.finished()


def without_mask(model: onnx.ModelProto, shape: Any) -> onnx.ModelProto:
    """The same graph for one dialogue; `shape` is its encoder's configuration, which may ask for a window."""
    graph = OnnxGraph(model)
    if getattr(shape, "sliding_window", None):
        return model  # there a mask says more than what is padding
    for softmax in [node for node in graph.nodes if node.op_type == "Softmax"]:
        added = graph.makers.get(softmax.input[0])
        kept = [name for name in added.input if not _is_mask(graph, name)] if added else []
        if added and added.op_type == "Add" and len(kept) == 1:
            graph.replace([softmax], [helper.make_node("Softmax", kept, softmax.output, axis=-1)])
    return graph.finished()


def _is_mask(graph: OnnxGraph, name: str) -> bool:
    """Whether it is zero or minus infinity, as something is there or not."""
    choice = graph.makers.get(name)
    if choice is None or choice.op_type != "Where":
        return False
    there, absent = (graph.constant(each) for each in choice.input[1:])
    return there is not None and absent is not None and not there.any() and bool((absent < _MASKED).all())


def _joined(graph: OnnxGraph, name: str) -> list[onnx.NodeProto]:
    """Where heads are moved back and put together again: the shape of that need not be computed."""
    moves = [node for node in graph.readers[name] if node.op_type == "Transpose"]
    back = [node.output[0] for node in moves if tuple(attribute(node, "perm")) == (0, 2, 1, 3)]
    return [node for each in back for node in graph.readers[each] if node.op_type == "Reshape"]


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
