"""Exported models as torch reads them again: the same weights up to int8, to go on from."""

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import onnx
import pytest
import torch

from tests import tiny
from tests.networks.export.test_graphs import DIALOGUES, FAMILIES
from tests.networks.exported import save_encoder_of
from tests.networks.models import KINDS, untrained
from tests.training.recipes import tiny_table
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import FileError, MissingExtraError, ModelError
from utterly.model.folder import SPANS_GRAPH, TAGGER_GRAPH, find_book
from utterly.model.model import Confidence
from utterly.model.onnx_scorer import OnnxScorer
from utterly.model.settings import DecodeSettings
from utterly.networks.export.graphs import export
from utterly.networks.hct import SLOT_EMBEDDINGS, Hct
from utterly.networks.rounding import bake, round_layers
from utterly.networks.torch_model import TorchModel
from utterly.rewriter import Rewriter
from utterly.training.loop import train
from utterly.training.recipe import Recipe

WIDE = {"hidden_size": 128, "intermediate_size": 256, "vocab_size": 256}  # enough for int8


def wide(kind: str, family: str, folder: Path) -> TorchModel:
    """A tagger in which no two weights are the same, as in a trained one."""
    model = untrained(kind, save_encoder_of(family, folder, **(FAMILIES[family] | WIDE)))
    for weight in model.tagger.parameters():
        if weight.requires_grad and weight.dim() == 1:  # biases of nothing but zeros, norms of nothing but ones
            torch.nn.init.normal_(weight, mean=float(weight[0].detach()), std=0.1)
    model.tagger.train()
    model.tagger.eval()  # stores the rule embeddings
    return model


def must_come_back(model: TorchModel, folder: Path, *, bits: int) -> None:
    """Off by half a step of int8 at most, and exported again to the same bytes."""
    export(model, folder / "one", bits=bits)
    again = TorchModel.from_pretrained(folder / "one")
    expected = model.tagger.state_dict()
    found = again.tagger.state_dict()
    assert list(found) == list(expected)
    small = 0
    for name, weight in expected.items():
        if torch.equal(found[name], weight):
            continue
        small += 1
        steps = weight.abs().amax(dim=1, keepdim=True) / (127 if "embed" in name or "bias" in name else 64)
        assert (torch.abs(found[name] - weight) <= 0.501 * steps).all(), name
    assert (small > 0) == (bits < 32)
    export(again, folder / "two", bits=bits)
    for file in (folder / "one").iterdir():
        assert (folder / "two" / file.name).read_bytes() == file.read_bytes(), file.name


@pytest.mark.parametrize("bits", [8, 32])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_of_encoders_comes_back(family: str, bits: int, tmp_path: Path) -> None:
    must_come_back(wide("hct", family, tmp_path / "encoder"), tmp_path, bits=bits)


@pytest.mark.parametrize("bits", [8, 32])
@pytest.mark.parametrize("kind", sorted({*KINDS} - {"hct"}))
def test_every_kind_of_tagger_comes_back(kind: str, bits: int, tmp_path: Path) -> None:
    must_come_back(wide(kind, "bert", tmp_path / "encoder"), tmp_path, bits=bits)


@pytest.mark.parametrize("family", FAMILIES)
def test_weights_that_were_trained_in_four_bits_come_back_as_they_were(family: str, tmp_path: Path) -> None:
    model = wide("hct", family, tmp_path / "encoder")
    round_layers(model.tagger, bits=4)
    rounded = {name for name, module in model.tagger.named_modules() if hasattr(module, "rounded_weight")}
    bake(model.tagger)

    export(model, tmp_path / "one", bits=4)
    again = TorchModel.from_pretrained(tmp_path / "one")

    found, expected = again.tagger.state_dict(), model.tagger.state_dict()
    assert list(found) == list(expected)
    assert "combine" in rounded
    for name, weight in expected.items():
        off = 0.0 if name.removesuffix(".weight") in rounded else 0.004  # 8 bits
        torch.testing.assert_close(found[name], weight, rtol=1e-5, atol=float(off * weight.abs().max()), msg=name)
    export(again, tmp_path / "two", bits=4)
    for file in (tmp_path / "one").iterdir():
        assert (tmp_path / "two" / file.name).read_bytes() == file.read_bytes(), file.name


def test_equal_weights_all_come_back(encoder_folder: Path, tmp_path: Path) -> None:
    """Those of an encoder that has learned nothing: the tracer writes them once."""
    must_come_back(untrained("hct", encoder_folder), tmp_path, bits=32)


@pytest.fixture(scope="module")
def exported(encoder_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    model = untrained("hct", encoder_folder).with_config(notes={"made": "here"}, language="zh")
    export(model.with_config(decode=DecodeSettings(null_bias=1.5), confidence=Confidence(0.5, 1.0)), folder)
    return folder


@pytest.fixture
def folder(exported: Path, tmp_path: Path) -> Path:
    """A tiny HCT, exported, for each test to change."""
    return shutil.copytree(exported, tmp_path / "exported")


def test_settings_and_rewrites_come_back_too(folder: Path, encoder_folder: Path) -> None:
    model = TorchModel.from_pretrained(folder)
    config = model.config
    assert (config.decode, config.confidence) == (DecodeSettings(null_bias=1.5), Confidence(0.5, 1.0))
    assert (config.notes, config.language, model.book) == ({"made": "here"}, "zh", tiny.BOOK)
    original = untrained("hct", encoder_folder).with_config(decode=config.decode)
    assert list(model.scripts_in_batches(DIALOGUES)) == list(original.scripts_in_batches(DIALOGUES))


def without_slots(folder: Path) -> None:
    graph = onnx.load(folder / SPANS_GRAPH)
    kept = [each for each in graph.graph.initializer if each.name != f"tagger.{SLOT_EMBEDDINGS}"]
    assert len(kept) == len(graph.graph.initializer) - 1
    del graph.graph.initializer[:]
    graph.graph.initializer.extend(kept)
    onnx.save(graph, folder / SPANS_GRAPH)
    change_config(folder, files={})


def change_config(folder: Path, **values: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | values))


def alter(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes() + b" ")


def spoil_without_checksums(folder: Path) -> None:
    change_config(folder, files={})
    (folder / SPANS_GRAPH).write_bytes(b"no graph")


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "another graph": (
        alter(TAGGER_GRAPH),
        r"tagger\.onnx: the file was altered: its checksum is not the one in config",
    ),
    "another book": (alter("rules.json"), r"rules\.json: the file was altered: its checksum"),
    "no second graph": (
        lambda f: (f / SPANS_GRAPH).unlink(),
        r"spans\.onnx: a model needs this file, but reading it failed: No such file",
    ),
    "no graph": (spoil_without_checksums, r"spans\.onnx: must be a graph of `utterly export`, but .*; export"),
    "another tagger": (
        lambda f: change_config(f, tagger="mst"),
        r"tagger\.onnx: the weights do not fit.*; export the model",
    ),
    "no slots": (without_slots, r"the weights do not fit the tagger: .*rule_embeddings\.slots.*; export the model"),
}


@pytest.mark.parametrize(("spoil", "problem"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_folder_is_refused(folder: Path, spoil: Callable[[Path], object], problem: str) -> None:
    spoil(folder)
    with pytest.raises(ModelError, match=problem):
        TorchModel.from_pretrained(folder)


def test_int8_by_other_names_is_refused(tmp_path: Path) -> None:
    export(wide("mst", "bert", tmp_path / "encoder"), tmp_path / "one")
    graph = onnx.load(tmp_path / "one" / TAGGER_GRAPH)
    named = {each.name: f"{each.name}_quantized" for each in graph.graph.initializer if each.name.endswith("_int8")}
    for weight in graph.graph.initializer:
        weight.name = named.get(weight.name, weight.name)
    for node in graph.graph.node:
        node.input[:] = [named.get(name, name) for name in node.input]
    onnx.save(graph, tmp_path / "one" / TAGGER_GRAPH)
    change_config(tmp_path / "one", files={})
    with pytest.raises(ModelError, match=r"tagger\.onnx: must be a graph of `utterly export`, but .*; export"):
        TorchModel.from_pretrained(tmp_path / "one")


def test_without_slots_a_folder_still_rewrites(folder: Path) -> None:
    def answers() -> list[str]:
        return [rewrite.text for rewrite in Rewriter.load(folder).rewrite_many(DIALOGUES)]

    before = answers()
    without_slots(folder)
    assert answers() == before


def test_onnxruntime_says_nothing_of_slots_that_no_node_reads(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    OnnxScorer(folder)
    assert capfd.readouterr() == ("", "")


def test_without_the_package_onnx_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtraError, match=r"utterly\[export\]"):
        TorchModel.from_pretrained(folder)


def test_a_model_saved_over_an_export_leaves_no_graphs(folder: Path, encoder_folder: Path) -> None:
    other = untrained("hct", encoder_folder, seed=1)
    other.save_pretrained(folder)
    assert not any((folder / name).exists() for name in (TAGGER_GRAPH, SPANS_GRAPH))
    found = TorchModel.from_pretrained(folder).tagger.state_dict()["action_head.weight"]
    assert torch.equal(found, other.tagger.state_dict()["action_head.weight"])


def test_a_calibrated_export_stays_one(folder: Path) -> None:
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    model = TorchModel.from_pretrained(folder).with_decode(DecodeSettings(null_bias=-2.0))
    model.with_config(confidence=Confidence(2.0, 0.5)).save_calibration(folder)
    after = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert {name for name in before | after if before.get(name) != after.get(name)} == {"config.json"}
    again = TorchModel.from_pretrained(folder).config
    assert (again.decode, again.confidence) == (DecodeSettings(null_bias=-2.0), Confidence(2.0, 0.5))
    assert json.loads(after["config.json"])["files"] == json.loads(before["config.json"])["files"]


def test_an_export_can_be_on_the_hub(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def download(name: str, *, allow_patterns: list[str]) -> str:
        there = tmp_path / name
        there.mkdir(parents=True)
        for file in folder.iterdir():
            if any(fnmatch(file.name, pattern) for pattern in allow_patterns):
                shutil.copy(file, there)
        return str(there)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    assert TorchModel.from_pretrained("owner/tagger").config.notes == {"made": "here"}


def bundle(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("utterly.model.folder.bundled_folders", lambda: {name: folder})


def test_a_bundled_model_and_its_book_are_found_by_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle("en", folder, monkeypatch)
    monkeypatch.chdir(tmp_path)
    assert TorchModel.from_pretrained("en").config.notes == {"made": "here"}
    assert find_book("en") == tiny.BOOK
    for path in ("./en", Path("en")):  # a folder of one's own
        with pytest.raises(ModelError, match=r"there is no such folder.*or a bundled model: en$"):
            TorchModel.from_pretrained(path)
        with pytest.raises(FileError, match="en: there is no such file"):
            find_book(path)


def going_on(folder: Path, **tagger: Any) -> Recipe:
    """A recipe that takes one step."""
    table = tiny_table(folder, folder, epochs=1, batch_size=64, learning_rate=1e-3)
    return Recipe.from_dict(table | {"tagger": {"kind": "hct", **tagger}})


def test_training_continues_from_an_export(folder: Path, tmp_path: Path) -> None:
    start = TorchModel.from_pretrained(folder).tagger.state_dict()
    trained = train(going_on(tmp_path, start_from=str(folder)))
    moved = {name: (weight - start[name]).abs().max() for name, weight in trained.tagger.state_dict().items()}
    assert 0 < moved[SLOT_EMBEDDINGS] < 0.1
    assert 0 < moved["encoder.network.embeddings.word_embeddings.weight"] < 0.1
    assert (trained.config.decode, trained.config.confidence) == (DecodeSettings(), None)  # the recipe's
    assert (tmp_path / "run" / "model" / "model.safetensors").is_file()


def test_training_continues_from_a_bundled_model_with_one_as_its_teacher(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle("en", folder, monkeypatch)
    recipe = going_on(tmp_path, start_from="en", teachers=["en"])
    assert train(replace(recipe, data=replace(recipe.data, book="en"))).book == tiny.BOOK


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        ("en", ["Who wrote Dune?", "Frank Herbert.", "When was it published?"]),
        ("zh", ["你喜欢周杰伦吗", "喜欢，他的歌很好听", "他最有名的歌是什么"]),
    ],
)
def test_a_bundled_model_can_be_continued_from(name: str, turns: list[str]) -> None:
    model = TorchModel.from_pretrained(name)
    (scripts,) = model.scripts_in_batches([Dialogue.of(turns)])
    assert scripts[0].script.apply() == Rewriter.load(name).rewrite(turns).text != turns[-1]
    tagger = model.tagger
    assert isinstance(tagger, Hct)
    made = tagger.rule_embeddings(tagger.encoder)  # of the slots that came back
    assert (made - tagger.stored_rules).norm() < 0.3 * tagger.stored_rules.norm()  # those of a rounded encoder differ
