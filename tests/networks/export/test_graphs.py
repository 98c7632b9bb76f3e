"""Export: two graphs that answer as the tagger does, in a folder that vouches for itself."""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from tests import tiny
from tests.networks.exported import save_encoder_of, wide_model
from tests.networks.models import KINDS, untrained
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import MissingExtraError
from utterly.model.folder import SPANS_GRAPH, TAGGER_GRAPH
from utterly.model.model import Confidence, Model
from utterly.model.onnx_scorer import TAGGER_INPUTS, Graph, OnnxScorer
from utterly.model.settings import DecodeSettings
from utterly.networks.export.graphs import Export, export
from utterly.networks.export.int8 import quantise_weights
from utterly.networks.export.one_dialogue import fuse_attention
from utterly.networks.torch_model import TorchModel
from utterly.networks.torch_scorer import collate

DIALOGUES = [
    *(each.script.dialogue for each in tiny.labels()[:6]),
    Dialogue.of(["", "where was he born in paris ?"]),
    Dialogue.of(["who is anna ?", "a singer .", "", "is she in oslo , paris or rome with dmitri and boris ?"]),
]
FAMILIES: dict[str, dict[str, Any]] = {
    "bert": {},
    "mpnet": {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2},
    "roberta": {"type_vocab_size": 1, "pad_token_id": 1},
    "modernbert": {"bos_token_id": 2, "eos_token_id": 3, "cls_token_id": 2, "sep_token_id": 3},
    "roformer": {"embedding_size": 16},
}


def must_answer_alike(model: TorchModel, folder: Path, settings: DecodeSettings) -> None:
    """The scripts and their probabilities are those of torch, one by one and in batches."""
    in_torch = model.with_decode(settings)
    in_onnx = Model(in_torch.config, model.book, model.encoder, OnnxScorer(folder))
    for dialogue, theirs in zip(DIALOGUES, in_torch.scripts_in_batches(DIALOGUES, n=3), strict=True):
        ours = in_onnx.scripts(dialogue, 3)
        assert [each.script for each in ours] == [each.script for each in theirs]
        assert [s.log_probability for s in ours] == pytest.approx([s.log_probability for s in theirs], abs=1e-3)
        assert [each.script for each in in_torch.scripts(dialogue, 3)] == [each.script for each in theirs]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_tagger_answers_as_in_torch(encoder_folder: Path, kind: str, tmp_path: Path) -> None:
    model = untrained(kind, encoder_folder)
    export(model, tmp_path, bits=32)
    for settings in (DecodeSettings(), DecodeSettings(null_bias=2.0, rules_per_word=4, least_rule_probability=1e-6)):
        must_answer_alike(model, tmp_path, settings)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_of_encoders_answers_as_in_torch(family: str, tmp_path: Path) -> None:
    model = untrained("hct", save_encoder_of(family, tmp_path / "encoder", **FAMILIES[family]))
    export(model, tmp_path / "model", bits=32)
    must_answer_alike(model, tmp_path / "model", DecodeSettings(guarded=False))  # guards leave near ties


def test_a_sliding_window_of_attention_is_kept(tmp_path: Path) -> None:
    """There a mask says more than what is padding; the dialogue is longer than the window."""
    shape = FAMILIES["modernbert"] | {"local_attention": 4, "global_attn_every_n_layers": 2}
    model = untrained("hct", save_encoder_of("modernbert", tmp_path / "encoder", **shape))
    export(model, tmp_path / "model", bits=32)
    must_answer_alike(model, tmp_path / "model", DecodeSettings(guarded=False))  # guards leave near ties


def test_in_int8_a_model_has_a_third_of_the_size_and_almost_the_same_rewrites(tmp_path: Path) -> None:
    model = wide_model(tmp_path / "encoder")
    for bits in (32, 8):
        export(model, tmp_path / str(bits), bits=bits)
    sizes = [
        sum((tmp_path / name / graph).stat().st_size for graph in (TAGGER_GRAPH, SPANS_GRAPH)) for name in ("32", "8")
    ]
    assert sizes[1] < sizes[0] * 0.36
    graph = Graph(tmp_path / "8" / TAGGER_GRAPH)
    for dialogue in DIALOGUES:
        pieces = model.encoder.encode(dialogue)
        answers = graph.run({name: getattr(pieces, name) for name in TAGGER_INPUTS})
        with torch.no_grad():
            states = model.tagger.tag(collate([pieces])).states
        away = np.abs(answers["source_states"] - states.source[0].numpy())
        assert away.mean() < 0.05
        assert away.max() < 0.5


def test_attention_moves_its_heads_once_a_layer(encoder_folder: Path, tmp_path: Path) -> None:
    export(untrained("hct", encoder_folder), tmp_path, bits=32)
    moves = [node for node in onnx.load(tmp_path / TAGGER_GRAPH).graph.node if node.op_type == "Transpose"]
    assert len(moves) == 2


@pytest.mark.parametrize(("family", "in_one"), [("bert", 2), ("roberta", 2), ("mpnet", 0), ("roformer", 0)])
def test_in_int8_a_plain_attention_is_one_node_and_answers_the_same_to_the_last_bit(
    family: str, in_one: int, tmp_path: Path
) -> None:
    shape = {"hidden_size": 128, "intermediate_size": 256, "vocab_size": 256}
    model = untrained("hct", save_encoder_of(family, tmp_path / "encoder", **(FAMILIES[family] | shape)))
    for name, weight in model.tagger.named_parameters():
        if name.endswith(".bias"):
            torch.nn.init.normal_(weight, std=0.1)  # those of an untrained encoder are nothing
    pieces = [model.encoder.encode(dialogue) for dialogue in DIALOGUES]
    answers = []
    for folder, change in ((tmp_path / "apart", lambda graph: graph), (tmp_path / "one", fuse_attention)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("utterly.networks.export.one_dialogue.fuse_attention", change)
            export(model, folder)
        graph = Graph(folder / TAGGER_GRAPH)
        answers.append([graph.run({name: getattr(each, name) for name in TAGGER_INPUTS}) for each in pieces])
    nodes = onnx.load(tmp_path / "one" / TAGGER_GRAPH).graph.node
    assert sum(node.op_type == "QAttention" for node in nodes) == in_one
    for apart, one in zip(*answers, strict=True):
        for name in apart:
            np.testing.assert_array_equal(apart[name], one[name])


def test_states_are_read_by_row(encoder_folder: Path, tmp_path: Path) -> None:
    export(untrained("hct", encoder_folder), tmp_path, bits=32)
    assert not any(
        node.op_type in ("GatherElements", "Expand") for node in onnx.load(tmp_path / TAGGER_GRAPH).graph.node
    )


@pytest.mark.parametrize("family", sorted(FAMILIES.keys() - {"modernbert"}))
def test_nothing_is_masked_as_one_dialogue_has_no_padding(family: str, tmp_path: Path) -> None:
    model = untrained("hct", save_encoder_of(family, tmp_path / "encoder", **FAMILIES[family]))
    export(model, tmp_path / "model", bits=32)
    nodes = onnx.load(tmp_path / "model" / TAGGER_GRAPH).graph.node
    assert not any(node.op_type in ("And", "GreaterOrEqual") for node in nodes)
    added = {name for node in nodes if node.op_type == "Add" for name in node.output}
    with_bias = 2 if family == "mpnet" else 0  # of relative positions
    assert len([node for node in nodes if node.op_type == "Softmax" and node.input[0] in added]) == with_bias


def test_heads_stay_in_full_precision_and_all_else_is_small(tmp_path: Path) -> None:
    export(wide_model(tmp_path / "encoder"), tmp_path / "model")
    for name in (TAGGER_GRAPH, SPANS_GRAPH):
        weights = onnx.load(tmp_path / "model" / name).graph.initializer
        large = [each for each in weights if np.prod(each.dims) >= 1 << 14]
        assert {each.data_type for each in large} == {TensorProto.INT8}
    heads = [each for each in weights if list(each.dims) == [128, 1]]
    assert {each.data_type for each in heads} <= {TensorProto.FLOAT}


def graph_of(nodes: list[onnx.NodeProto], weights: dict[str, Any], out: list[int]) -> onnx.ModelProto:
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, 128])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, *out])],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


RNG = np.random.default_rng(0)
W, B = RNG.normal(size=(128, 160)).astype(np.float32), RNG.normal(size=160).astype(np.float32)
PRODUCTS = {
    "a product": ([helper.make_node("MatMul", ["x", "w"], ["y"])], {"w": W}),
    "a product and a bias": (
        [helper.make_node("MatMul", ["x", "w"], ["xw"]), helper.make_node("Add", ["b", "xw"], ["y"])],
        {"w": W, "b": B},
    ),
    "a flipped product": ([helper.make_node("Gemm", ["x", "wt", "b"], ["y"], transB=1)], {"wt": W.T.copy(), "b": B}),
    "two products of one input": (
        [
            helper.make_node("MatMul", ["x", "w"], ["left"]),
            helper.make_node("MatMul", ["x", "v"], ["right"]),
            helper.make_node("Add", ["left", "right"], ["y"]),
        ],
        {"w": W, "v": W[::-1].copy()},
    ),
    "one weight read twice": (
        [
            helper.make_node("MatMul", ["x", "w"], ["left"]),
            helper.make_node("Neg", ["x"], ["minus"]),
            helper.make_node("MatMul", ["minus", "w"], ["right"]),
            helper.make_node("Sub", ["left", "right"], ["y"]),
        ],
        {"w": W},
    ),
}


@pytest.mark.parametrize(("nodes", "weights"), PRODUCTS.values(), ids=PRODUCTS)
def test_products_in_int8_are_near_those_in_floats(
    nodes: list[onnx.NodeProto], weights: dict[str, Any], tmp_path: Path
) -> None:
    model = graph_of(nodes, weights, [160])
    x = RNG.normal(size=(9, 128)).astype(np.float32)
    (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
    onnx.save(quantise_weights(model), tmp_path / "graph.onnx")
    answer = Graph(tmp_path / "graph.onnx").run({"x": x})["y"]
    assert np.abs(answer - expected).mean() < 0.02 * np.abs(expected).max()
    small = [numpy_helper.to_array(each) for each in onnx.load(tmp_path / "graph.onnx").graph.initializer]
    whole = [each for each in small if each.dtype == np.int8]
    # Two products of 255 * 64 stay within 16 bits, on CPUs that add them up in so many.
    assert len(whole) == sum(name[0] in "wv" for name in weights)
    assert all(np.abs(each.astype(int)).max() <= 64 for each in whole)


def test_a_table_in_int8_is_off_by_half_a_step_of_its_row_at_most(tmp_path: Path) -> None:
    table = (RNG.normal(size=(200, 128)) * np.logspace(-3, 3, 200)[:, None]).astype(np.float32)
    table[7] = 0
    node = helper.make_node("Gather", ["table", "x"], ["y"])
    graph = helper.make_graph(
        [node],
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.INT64, [None])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, 128])],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(quantise_weights(model), tmp_path / "graph.onnx")
    answer = Graph(tmp_path / "graph.onnx").run({"x": np.arange(200)})["y"]
    steps = np.abs(table).max(axis=1, keepdims=True) / 127
    assert (np.abs(answer - table) <= steps * 0.501).all()


def test_a_folder_holds_all_that_rewriting_needs_with_checksums(encoder_folder: Path, tmp_path: Path) -> None:
    model = untrained("hct", encoder_folder).with_config(confidence=Confidence(0.5, 1.0))
    export(model, tmp_path)
    names = {"README.md", "config.json", "rules.json", "spans.onnx", "tagger.onnx", "tokenizer.json"}
    assert {file.name for file in tmp_path.iterdir()} == names
    config = json.loads((tmp_path / "config.json").read_text())
    assert config["files"] == {
        name: hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() for name in names - {"config.json"}
    }
    assert config["confidence"] == {"slope": 0.5, "offset": 1.0, "weights": {}}
    assert config == json.loads(json.dumps(model.config.to_json() | {"files": config["files"]}))
    assert "Rewriter.load(folder)" in (tmp_path / "README.md").read_text()


def test_exporting_again_gives_the_same_files_and_the_model_is_unchanged(encoder_folder: Path, tmp_path: Path) -> None:
    model = untrained("hct", encoder_folder)
    attention, before = (
        model.tagger.encoder.network.config._attn_implementation,
        list(model.scripts_in_batches(DIALOGUES)),
    )
    for name in ("one", "two"):
        export(model, tmp_path / name)
    for file in (tmp_path / "one").iterdir():
        assert (tmp_path / "two" / file.name).read_bytes() == file.read_bytes()
    assert model.tagger.encoder.network.config._attn_implementation == attention
    assert list(model.scripts_in_batches(DIALOGUES)) == before


def test_the_report_says_how_many_rewrites_agree(encoder_folder: Path, tmp_path: Path) -> None:
    long = Dialogue.of(["who is anna ?", "where was he " * 100])
    report = export(untrained("hct", encoder_folder), tmp_path, sample=[*DIALOGUES, long])
    assert (report.compared, report.agreed, report.agreement) == (len(DIALOGUES), len(DIALOGUES), 1.0)
    assert report.bytes == sum(file.stat().st_size for file in tmp_path.iterdir())
    assert Export(tmp_path, 1, compared=4, agreed=3).agreement == 0.75
    assert Export(tmp_path, 1, compared=0, agreed=0).agreement == 1.0


def test_without_the_package_onnx_the_extra_is_named(
    encoder_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtraError, match=r"utterly\[export\]"):
        export(untrained("hct", encoder_folder), tmp_path / "model")
    assert not (tmp_path / "model").exists()
