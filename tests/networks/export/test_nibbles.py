"""Weights of 4 bits: half the size in the file, the same int8 when the graph runs."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
import pytest
from onnx import TensorProto, helper, numpy_helper

from tests.networks.export.test_graphs import DIALOGUES, FAMILIES
from tests.networks.exported import save_encoder_of
from tests.networks.models import untrained
from utterly.errors import ModelError
from utterly.model.folder import SPANS_GRAPH, TAGGER_GRAPH
from utterly.model.onnx_scorer import TAGGER_INPUTS, Graph
from utterly.networks.export.graphs import export
from utterly.networks.export.nibbles import pack_weights, unpack_weights
from utterly.networks.export.onnx_graph import OnnxGraph
from utterly.networks.torch_model import TorchModel

RNG = np.random.default_rng(0)
WIDE = {"hidden_size": 128, "intermediate_size": 256, "vocab_size": 256}


def wide(family: str, folder: Path) -> TorchModel:
    return untrained("hct", save_encoder_of(family, folder, **(FAMILIES[family] | WIDE)))


def both_ways(model: TorchModel, folder: Path) -> tuple[Path, Path]:
    """The model in 4 bits, stored in int8 and packed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("utterly.networks.export.nibbles.pack_weights", lambda graph: graph)
        export(model, folder / "int8", bits=4)
    export(model, folder / "packed", bits=4)
    return folder / "int8", folder / "packed"


def large(path: Path) -> dict[str, Any]:
    """The large arrays of a graph, without the table of all combinations."""
    arrays = {each.name: numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer}
    return {name: array for name, array in arrays.items() if array.nbytes >= 1 << 13 and "combinations" not in name}


@pytest.mark.parametrize("family", FAMILIES)
def test_packed_graphs_answer_the_same_to_the_last_bit(family: str, tmp_path: Path) -> None:
    model = wide(family, tmp_path / "encoder")
    pieces = [model.encoder.encode(dialogue) for dialogue in DIALOGUES]
    answers = [
        [Graph(folder / TAGGER_GRAPH).run({name: getattr(each, name) for name in TAGGER_INPUTS}) for each in pieces]
        for folder in both_ways(model, tmp_path)
    ]
    for plain, packed in zip(*answers, strict=True):
        for name in plain:
            np.testing.assert_array_equal(packed[name], plain[name])


def test_weights_take_half_a_byte_each(tmp_path: Path) -> None:
    for name in (TAGGER_GRAPH, SPANS_GRAPH):
        plain, packed = (large(folder / name) for folder in both_ways(wide("bert", tmp_path / "encoder"), tmp_path))
        assert {array.dtype for array in packed.values()} == {np.dtype(np.uint16)}
        assert sum(array.nbytes for array in packed.values()) * 2 == sum(array.nbytes for array in plain.values())


@pytest.mark.parametrize("family", ["bert", "mpnet"])
def test_onnxruntime_unpacks_the_weights_of_products_when_it_loads_a_graph(family: str, tmp_path: Path) -> None:
    _, folder = both_ways(wide(family, tmp_path / "encoder"), tmp_path)
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "loaded.onnx")
    onnxruntime.InferenceSession(folder / TAGGER_GRAPH, options, providers=["CPUExecutionProvider"])
    graph = OnnxGraph(onnx.load(tmp_path / "loaded.onnx"))
    products = [
        node
        for node in graph.nodes
        if node.op_type in ("QAttention", "MatMulIntegerToFloat", "DynamicQuantizeMatMul", "MatMulInteger")
    ]
    assert len(products) >= 2 * 4
    assert all(graph.array(node.input[1]).dtype == np.int8 for node in products)


def product(weight: Any) -> onnx.ModelProto:
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["x", "w"], ["y"])],
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.UINT8, [None, len(weight)])],
        [helper.make_tensor_value_info("y", TensorProto.INT32, [None, weight.shape[1]])],
        [numpy_helper.from_array(weight, "w")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_every_integer_comes_back_in_its_place(tmp_path: Path) -> None:
    weight = RNG.integers(-7, 8, (128, 160)).astype(np.int8)
    packed = pack_weights(product(weight))
    onnx.save(packed, tmp_path / "graph.onnx")
    one_by_one = Graph(tmp_path / "graph.onnx").run({"x": np.eye(128, dtype=np.uint8)})["y"]
    np.testing.assert_array_equal(one_by_one, weight)
    graph = OnnxGraph(packed)
    assert graph.weights["w_packed"].data_type == TensorProto.UINT16
    unpack_weights(graph)
    np.testing.assert_array_equal(graph.array("w"), weight)
    assert not {"w_packed", "w_shape"} & graph.weights.keys()


@pytest.mark.parametrize(
    "weight",
    [
        np.full((128, 160), 8, dtype=np.int8),
        RNG.integers(-7, 8, (128, 161)).astype(np.int8),
        RNG.integers(-7, 8, (64, 64)).astype(np.int8),
    ],
    ids=["above 7", "not in fours", "small"],
)
def test_other_weights_stay_as_they_are(weight: Any) -> None:
    graph = OnnxGraph(pack_weights(product(weight)))
    assert list(graph.weights) == ["w"]
    np.testing.assert_array_equal(graph.array("w"), weight)


def test_tables_that_training_does_not_round_keep_eight_bits(tmp_path: Path) -> None:
    """The rotations of RoFormer, and the stored rule embeddings."""
    model = untrained(
        "hct",
        save_encoder_of("roformer", tmp_path / "e", **WIDE, max_position_embeddings=512, num_attention_heads=2),
    )
    export(model, tmp_path / "model", bits=4)
    kept = [name for name, array in large(tmp_path / "model" / TAGGER_GRAPH).items() if array.dtype == np.int8]
    assert kept == ["tagger.encoder.network.encoder.embed_positions.weight_int8"]


def test_another_number_of_bits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="an export's weights must have 4, 8, 32 bits, got 5"):
        export(wide("bert", tmp_path / "encoder"), tmp_path / "model", bits=5)
