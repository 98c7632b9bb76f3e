"""Passes that specialise a graph for one dialogue: no head transposes, no masks, attention fused into one node.

An exported attention transposes queries, keys and values from (1, pieces, heads, width) to (1, heads, pieces, width)
before it multiplies. onnxruntime can multiply directly from (pieces, 1, heads, width), which for one dialogue is the
same memory: three of four transposes are removed, and with them the computation of their shapes.

In int8, a plain attention becomes one node that works head by head: with many small nodes, threads would wait for each
other. Other attention, such as RoFormer's with its rotated heads, is unchanged.

One dialogue has no padding. If every piece attends to every other, the mask only adds zeros to heads x pieces x pieces
scores in each layer, so it is removed. The outputs stay the same to the last bit.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import onnx
from onnx import helper

from utterly.networks.export.onnx_graph import CONTRIB, OnnxGraph, attribute

_SPREAD: Final = ("Expand", "Unsqueeze", "Unsqueeze")  # from row numbers to element numbers, backwards
_ATTENDS: Final = ("FusedMatMul", "FusedMatMul", "Transpose", "Reshape")
_HEADS_FIRST: Final = (0, 2, 1, 3)  # a transpose, and its own inverse
_HEADS_FIRST_SWAPPED: Final = (0, 2, 3, 1)
_MASKED: Final = -1e30  # scores below this count as minus infinity


def remove_head_transposes(model: onnx.ModelProto, *, heads: int, width: int) -> onnx.ModelProto:
    """Multiply heads without transposing them first; `width` is the width of all heads together."""
    graph = OnnxGraph(model)
    shape = graph.add_weight("heads_in_place", np.array([-1, 1, heads, width // heads]))
    together = graph.add_weight("heads_together", np.array([1, -1, width]))
    for node in [node for node in graph.nodes if node.op_type == "MatMul"]:
        inputs, cuts = list(node.input), []
        flags: dict[str, Any] = {"transBatchA": 0, "transBatchB": 0, "transB": 0}
        for side, batch_flag in enumerate(("transBatchA", "transBatchB")):
            before, swapped = _before_transpose(graph, inputs[side])
            if before and not (swapped and batch_flag == "transBatchA"):
                inputs[side] = f"{node.output[0]}_heads_{side}"
                cuts.append(helper.make_node("Reshape", [before, shape], [inputs[side]]))
                flags |= {batch_flag: 1, "transB": int(swapped)}
        if cuts:
            product = helper.make_node("FusedMatMul", inputs, node.output, domain=CONTRIB, **flags)
            graph.replace([node], [*cuts, product])
        for joined in _joined(graph, node.output[0]):
            graph.replace([joined], [helper.make_node("Reshape", [joined.input[0], together], joined.output)])
    return graph.to_model()


def gather_rows(model: onnx.ModelProto) -> onnx.ModelProto:
    """Gather whole rows by index, instead of element by element."""
    graph = OnnxGraph(model)
    for node in [node for node in graph.nodes if node.op_type == "GatherElements" and attribute(node, "axis") == 1]:
        if rows := _before(graph, node.input[1], _SPREAD):
            graph.replace([node], [helper.make_node("Gather", [node.input[0], rows], node.output, axis=1)])
    return graph.to_model()


def remove_masks(model: onnx.ModelProto, shape: Any) -> onnx.ModelProto:
    """Remove attention masks; `shape` is the encoder's configuration, which may have a sliding window."""
    graph = OnnxGraph(model)
    if getattr(shape, "sliding_window", None):
        return model  # its mask hides more than padding
    for softmax in [node for node in graph.nodes if node.op_type == "Softmax"]:
        added = graph.producers.get(softmax.input[0])
        kept = [name for name in added.input if not _is_mask(graph, name)] if added else []
        if added and added.op_type == "Add" and len(kept) == 1:
            graph.replace([softmax], [helper.make_node("Softmax", kept, softmax.output, axis=-1)])
    return graph.to_model()


def fuse_attention(model: onnx.ModelProto) -> onnx.ModelProto:
    """Fuse each plain attention into one node; for int8 graphs without head transposes."""
    graph = OnnxGraph(model)
    zero = graph.add_weight("attention_zero", np.zeros((), dtype=np.int8))
    for softmax in [node for node in graph.nodes if node.op_type == "Softmax"]:
        if found := _attention(graph, softmax):
            out = found.joined.output[0]
            small, weights, size, scales, shift, _, biases = zip(*(each.input for each in found.products), strict=True)
            weight, bias, scale = (
                graph.add_weight(f"{out}_{name}", np.concatenate([graph.array(each) for each in some], axis=-1))
                for name, some in (("int8", weights), ("bias", biases), ("scale", scales))
            )
            inputs = [small[0], weight, bias, size[0], scale, "", shift[0], zero]
            one = helper.make_node("QAttention", inputs, [out], domain=CONTRIB, num_heads=found.heads)
            graph.replace([found.joined], [one])
    return graph.to_model()


class _Attention(NamedTuple):
    """The first nodes of an attention, and its last."""

    products: list[onnx.NodeProto]  # queries, keys and values
    joined: onnx.NodeProto
    heads: int


def _attention(graph: OnnxGraph, softmax: onnx.NodeProto) -> _Attention | None:
    """The attention around a softmax, if it is softmax(queries keys / sqrt(width)) values and nothing more."""
    scaled = graph.producers.get(softmax.input[0])
    if scaled is None or scaled.op_type != "Mul":
        return None
    scores, scale = graph.producers.get(scaled.input[0]), graph.constant(scaled.input[1])
    weighed = _only_consumer(graph, softmax)
    moved = _only_consumer(graph, weighed)
    joined = _only_consumer(graph, moved)
    if not (scores and weighed and moved and joined) or scale is None:
        return None
    if [each.op_type for each in (scores, weighed, moved, joined)] != [*_ATTENDS] or not attribute(scores, "transB"):
        return None
    producers = [graph.producers.get(name) for name in (*scores.input, weighed.input[1])]
    cuts = [cut for cut in producers if cut and cut.op_type == "Reshape"]
    made = [graph.producers.get(cut.input[0]) for cut in cuts]
    products = [each for each in made if each and each.op_type == "MatMulIntegerToFloat" and each.input[6]]
    alike = {(each.input[0], *graph.weights[each.input[1]].dims) for each in products}
    if len(products) != len(producers) or len(alike) != 1:
        return None
    *_, heads, width = (int(size) for size in graph.array(cuts[0].input[1]))
    return _Attention(products, joined, heads) if np.allclose(scale, width**-0.5) else None


def _before(graph: OnnxGraph, name: str, steps: Sequence[str]) -> str | None:
    """The value that these operators, given last to first, turned into `name`; None if others did."""
    for step in steps:
        producer = graph.producers.get(name)
        if producer is None or producer.op_type != step:
            return None
        name = producer.input[0]
    return name


def _only_consumer(graph: OnnxGraph, node: onnx.NodeProto | None) -> onnx.NodeProto | None:
    consumers = graph.consumers[node.output[0]] if node else []
    return consumers[0] if len(consumers) == 1 else None


def _is_mask(graph: OnnxGraph, name: str) -> bool:
    """Whether a value is an attention mask: zero for pieces, minus infinity for padding."""
    choice = graph.producers.get(name)
    if choice is None or choice.op_type != "Where":
        return False
    there, absent = (graph.constant(each) for each in choice.input[1:])
    return there is not None and absent is not None and not there.any() and bool((absent < _MASKED).all())


def _joined(graph: OnnxGraph, name: str) -> list[onnx.NodeProto]:
    """The reshapes that join heads again, whose shape need not be computed."""
    moves = [node for node in graph.consumers[name] if node.op_type == "Transpose"]
    back = [node.output[0] for node in moves if tuple(attribute(node, "perm")) == _HEADS_FIRST]
    return [node for each in back for node in graph.consumers[each] if node.op_type == "Reshape"]


def _before_transpose(graph: OnnxGraph, name: str) -> tuple[str | None, bool]:
    """The value before its heads were split and transposed, and whether their last two axes were swapped too."""
    before, move = _before(graph, name, ("Transpose", "Reshape")), graph.producers.get(name)
    perm = tuple(attribute(move, "perm")) if before and move else ()
    return before if perm in (_HEADS_FIRST, _HEADS_FIRST_SWAPPED) else None, perm == _HEADS_FIRST_SWAPPED
