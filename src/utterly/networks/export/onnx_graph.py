"""An ONNX graph being edited: nodes in order, weights by name."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

CONTRIB: Final = "com.microsoft"
"""The domain of onnxruntime's own operators."""


class OnnxGraph:
    def __init__(self, model: onnx.ModelProto) -> None:
        self._model = model
        self.nodes: list[onnx.NodeProto] = list(model.graph.node)
        self.weights: dict[str, onnx.TensorProto] = {each.name: each for each in model.graph.initializer}
        self.producers = {name: node for node in self.nodes for name in node.output}
        self.consumers: dict[str, list[onnx.NodeProto]] = defaultdict(list)
        for node in self.nodes:
            for name in node.input:
                self.consumers[name].append(node)

    def array(self, name: str) -> NDArray[Any]:
        return numpy_helper.to_array(self.weights[name])

    def constant(self, name: str) -> NDArray[Any] | None:
        """A value that is the same in every run; None if it depends on the input."""
        if name in self.weights:
            return self.array(name)
        node = self.producers.get(name)
        return numpy_helper.to_array(attribute(node, "value")) if node and node.op_type == "Constant" else None

    def add_weight(self, name: str, array: NDArray[Any]) -> str:
        self.weights[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def replace(self, old: list[onnx.NodeProto], new: list[onnx.NodeProto]) -> None:
        """Replace old nodes with new ones, at the position of the first old one."""
        gone = {id(node) for node in old}
        place = next(i for i, node in enumerate(self.nodes) if id(node) in gone)
        before, after = self.nodes[:place], self.nodes[place:]
        self.nodes = [*before, *new, *(node for node in after if id(node) not in gone)]

    def to_model(self) -> onnx.ModelProto:
        """The edited model, without the nodes and weights that nothing reads any more."""
        graph = self._model.graph
        read = {each.name for each in graph.output}
        kept = []
        for node in reversed(self.nodes):
            if not read.isdisjoint(node.output):
                kept.append(node)
                read.update(_reads(node))
        del graph.node[:], graph.initializer[:], graph.value_info[:]
        graph.node.extend(reversed(kept))
        graph.initializer.extend(weight for name, weight in self.weights.items() if name in read)
        if not any(each.domain == CONTRIB for each in self._model.opset_import):
            self._model.opset_import.append(helper.make_opsetid(CONTRIB, 1))
        return self._model


def attribute(node: onnx.NodeProto, name: str) -> Any:
    """The value of an attribute; None if absent."""
    return next((helper.get_attribute_value(each) for each in node.attribute if each.name == name), None)


def _reads(node: onnx.NodeProto) -> Iterator[str]:
    """The inputs of a node and of the subgraphs inside it."""
    yield from node.input
    for each in node.attribute:
        for inner in each.g.node:
            yield from _reads(inner)
