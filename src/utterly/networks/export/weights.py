"""The weights of a tagger out of the two graphs that `utterly.networks.export.graphs` wrote.

Most have the name that torch knows them by, behind `tagger.`. One that the tracer turned round for a product has lost
it, but the product still says in which module it was made: `/encoder/network/layers.0/mlp/Wi/MatMul_output_0`. Where an
attention is one node, queries, keys and values lie side by side.

What is in int8 comes back as floats that are rounded to the same int8 again.
"""

import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from numpy.typing import NDArray
from torch import Tensor

from utterly.errors import ModelError
from utterly.model.folder import SPANS_GRAPH, TAGGER_GRAPH
from utterly.networks.export.onnx_graph import OnnxGraph
from utterly.networks.hct import SLOTS

_TAGGER: Final = "tagger."
_INT8: Final = "_int8"
_SCALE: Final = "_scale"
_IN_ONE: Final = ("query", "key", "value")  # as encoders of the BERT kind call them, which are those with one node
_HEAD: Final = re.compile(r"(key|score)(?:_(\d+))?")  # of the span predictor, traced in turn for starts and ends

Arrays = dict[str, NDArray[Any]]


def exported_weights(folder: Path) -> dict[str, Tensor]:
    """All weights, by the names that torch knows them by."""
    weights = {**_weights(folder / TAGGER_GRAPH), **_weights(folder / SPANS_GRAPH)}
    if "stored_rules" in weights and SLOTS not in weights:
        raise ModelError(
            f"{folder / SPANS_GRAPH}: the embeddings of the slots are missing, which training on needs: an older "
            "release of Utterly wrote this; export the model again"
        )
    return {name: torch.tensor(array) for name, array in weights.items()}


def _weights(path: Path) -> Arrays:
    try:
        graph = OnnxGraph(onnx.load(path))
        plain, rounded = _plain(graph), _rounded(graph)
        arrays = {**rounded, **_turned_back(graph, plain, rounded), **plain}
    except (OSError, DecodeError, KeyError, ValueError, onnx.checker.ValidationError) as wrong:
        raise ModelError(f"{path}: must be a graph of `utterly export`, but {wrong}; export the model again") from None
    return {name.removeprefix(_TAGGER): array for name, array in arrays.items() if name.startswith(_TAGGER)}


def _plain(graph: OnnxGraph) -> Arrays:
    """The arrays that are no part of one in int8. One that is the same as another to the last bit is only named."""
    small = {name.removesuffix(_INT8) for name in graph.weights if name.endswith(_INT8)}
    parts = {f"{name}{part}" for name in small for part in (_INT8, _SCALE)}
    arrays = {name: graph.array(name) for name in graph.weights if name not in parts}
    for node in graph.nodes:
        if node.op_type == "Identity" and node.input[0] in arrays:
            arrays[node.output[0]] = arrays[node.input[0]]
    return arrays


def _rounded(graph: OnnxGraph) -> Arrays:
    """What int8 stands for; the weight of a product as that reads it, a column for each number that comes out."""
    small = [name.removesuffix(_INT8) for name in graph.weights if name.endswith(_INT8)]
    return {name: graph.array(f"{name}{_INT8}") * graph.array(f"{name}{_SCALE}") for name in small}


def _turned_back(graph: OnnxGraph, plain: Arrays, rounded: Arrays) -> Arrays:
    """The weights of products as torch has them: a row for each number that comes out."""
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
            for part, weight, bias in zip(_IN_ONE, *(np.split(each, 3, axis=-1) for each in both), strict=True):
                found |= {f"{module}.{part}.weight": weight.T, f"{module}.{part}.bias": bias}
    return found


def _module(node: onnx.NodeProto) -> str:
    """The module in which a node was traced: its output is `/encoder/norm/Add_output_0` -> `encoder.norm`."""
    path = str(node.output[0]).strip("/").rpartition("/")[0].replace("/", ".")
    if head := _HEAD.fullmatch(path):
        end = "end" if int(head[2] or 0) % 2 else "start"
        return f"span_predictor.{end}.{head[1]}"
    return path
