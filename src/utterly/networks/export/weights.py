"""Read a tagger's weights back from the two graphs that `utterly.networks.export.graphs` wrote.

Most keep their torch name, after `tagger.`. A weight that the tracer transposed has lost its name, but the product that
reads it still names its module: `/encoder/network/layers.0/mlp/Wi/MatMul_output_0`. In a fused attention, queries, keys
and values are side by side.

Weights in int8, packed or not, come back as floats that round to the same int8 again.
"""

import re
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from torch import Tensor

from utterly.errors import ModelError
from utterly.model.folder import SPANS_GRAPH, TAGGER_GRAPH
from utterly.model.onnx_scorer import Arrays
from utterly.networks.export.nibbles import unpack_weights
from utterly.networks.export.onnx_graph import OnnxGraph

_TAGGER: Final = "tagger."
_INT8: Final = "_int8"
_SCALE: Final = "_scale"
_FUSED: Final = ("query", "key", "value")  # as encoders of the BERT family call them; only theirs are fused
_HEAD: Final = re.compile(r"(key|score)(?:_(\d+))?")  # in the span predictor: starts and ends alternate


def exported_weights(folder: Path) -> dict[str, Tensor]:
    """All weights, by torch's names."""
    weights = {**_weights(folder / TAGGER_GRAPH), **_weights(folder / SPANS_GRAPH)}
    return {name: torch.tensor(array) for name, array in weights.items()}


def _weights(path: Path) -> Arrays:
    try:
        graph = OnnxGraph(onnx.load(path))
        unpack_weights(graph)
        rounded = _rounded(graph)
        plain = _plain(graph, rounded)
        arrays = {**rounded, **_product_weights(graph, plain, rounded), **plain}
    except (OSError, DecodeError, KeyError, ValueError, onnx.checker.ValidationError) as wrong:
        raise ModelError(f"{path}: must be a graph of `utterly export`, but {wrong}; export the model again") from None
    return {name.removeprefix(_TAGGER): array for name, array in arrays.items() if name.startswith(_TAGGER)}


def _plain(graph: OnnxGraph, rounded: Arrays) -> Arrays:
    """Arrays in floats. Arrays that are equal to the last bit are stored once."""
    parts = {f"{name}{part}" for name in rounded for part in (_INT8, _SCALE)}
    arrays = {name: graph.array(name) for name in graph.weights if name not in parts}
    for node in graph.nodes:
        if node.op_type == "Identity" and node.input[0] in arrays:
            arrays[node.output[0]] = arrays[node.input[0]]
    return arrays


def _rounded(graph: OnnxGraph) -> Arrays:
    """Arrays in int8, as floats; the weight of a product has a column per output."""
    small = [name.removesuffix(_INT8) for name in graph.weights if name.endswith(_INT8)]
    return {name: graph.array(f"{name}{_INT8}") * graph.array(f"{name}{_SCALE}") for name in small}


def _product_weights(graph: OnnxGraph, plain: Arrays, rounded: Arrays) -> Arrays:
    """The weights of products as torch has them: a row per output."""
    found: Arrays = {}
    for node in graph.nodes:
        module = f"{_TAGGER}{_module(node)}"
        if node.op_type == "MatMul" and node.input[1] in plain:
            found[f"{module}.weight"] = plain[node.input[1]].T
        elif node.op_type == "MatMulIntegerToFloat":
            name = node.input[1].removesuffix(_INT8)
            found[name if name.startswith(_TAGGER) else f"{module}.weight"] = rounded[name].T
        elif node.op_type == "QAttention":
            both = rounded[node.input[1].removesuffix(_INT8)], plain[node.input[2]]
            for part, weight, bias in zip(_FUSED, *(np.split(each, 3, axis=-1) for each in both), strict=True):
                found |= {f"{module}.{part}.weight": weight.T, f"{module}.{part}.bias": bias}
    return found


def _module(node: onnx.NodeProto) -> str:
    """The module that a node was traced in: `/encoder/norm/Add_output_0` -> `encoder.norm`."""
    path = str(node.output[0]).strip("/").rpartition("/")[0].replace("/", ".")
    if head := _HEAD.fullmatch(path):
        end = "end" if int(head[2] or 0) % 2 else "start"
        return f"span_predictor.{end}.{head[1]}"
    return path
