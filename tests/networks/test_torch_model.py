"""A trained tagger in its folder: what is saved is what is loaded, and what is wrong with a folder is said."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from huggingface_hub.errors import LocalEntryNotFoundError
from safetensors.torch import load_file, save

from tests import tiny
from tests.networks.models import KINDS, untrained
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import FileError, ModelError, PiecesError, UtterlyError
from utterly.model.model import ModelConfig
from utterly.model.settings import DecodeSettings
from utterly.networks.hct import Hct
from utterly.networks.torch_model import TorchModel

DIALOGUES = [each.script.dialogue for each in tiny.labels()]


@pytest.mark.parametrize("kind", KINDS)
def test_a_loaded_model_rewrites_as_the_saved_one_bit_for_bit(encoder_folder: Path, kind: str, tmp_path: Path) -> None:
    settings = DecodeSettings(null_bias=0.5, beam=4)
    model = untrained(kind, encoder_folder).with_config(decode=settings, language="zh", notes={"made": "here"})
    model.save_pretrained(tmp_path / "model")
    again = TorchModel.from_pretrained(tmp_path / "model")
    assert list(again.scripts_in_batches(DIALOGUES, n=3)) == list(model.scripts_in_batches(DIALOGUES, n=3))
    assert (again.config, again.book) == (model.config, tiny.BOOK)
    assert (again.config.decode, again.config.language, again.config.notes) == (settings, "zh", {"made": "here"})
    again.save_pretrained(tmp_path / "copy")
    for file in (tmp_path / "model").iterdir():
        assert (tmp_path / "copy" / file.name).read_bytes() == file.read_bytes()


def test_stored_rule_embeddings_are_those_the_encoder_makes(encoder_folder: Path, tmp_path: Path) -> None:
    untrained("hct", encoder_folder).save_pretrained(tmp_path)
    tagger = TorchModel.from_pretrained(tmp_path).tagger
    assert isinstance(tagger, Hct)
    stored = tagger.stored_rules.clone()
    assert torch.equal(stored, load_file(tmp_path / "model.safetensors")["stored_rules"])
    tagger.train()
    assert torch.equal(tagger.eval().stored_rules, stored)


def test_rule_embeddings_are_stored_in_full_precision_whatever_the_caller_computes_in(encoder_folder: Path) -> None:
    tagger = untrained("hct", encoder_folder).tagger
    assert isinstance(tagger, Hct)
    stored = tagger.stored_rules.clone()
    tagger.train()
    with torch.autocast("cpu", torch.bfloat16):
        tagger.eval()
    assert torch.equal(tagger.stored_rules, stored)


def test_a_folder_holds_what_the_design_says_and_nothing_pickled(encoder_folder: Path, tmp_path: Path) -> None:
    untrained("hct", encoder_folder).save_pretrained(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "README.md",
        "config.json",
        "model.safetensors",
        "rules.json",
        "tokenizer.json",
    ]
    assert "library_name: utterly" in (tmp_path / "README.md").read_text()


def test_a_source_too_long_for_the_encoder_is_unchanged_with_a_reason(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    long = Dialogue.of(["who is anna ?", "where was he " * 100])
    answers = list(model.scripts_in_batches([DIALOGUES[0], long, DIALOGUES[1]]))
    (kept,) = answers[1]
    assert (kept.script.apply(), kept.log_probability) == (long.source.text, 0.0)
    assert kept.reason == "the turn is too long: it must fit into 64 pieces, got 302; shorten it"
    assert [answer[0].reason for answer in answers] == [None, kept.reason, None]


def change_config(folder: Path, **values: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({k: v for k, v in {**config, **values}.items() if v is not None}))


def drop_a_weight(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    del weights["action_head.bias"]
    change_weights(folder, save(weights))


def shrink_a_weight(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    change_weights(folder, save({**weights, "action_head.bias": torch.zeros(3)}))


def change_weights(folder: Path, weights: bytes) -> None:
    """As an early release may have left them, without checksums."""
    (folder / "model.safetensors").write_bytes(weights)
    change_config(folder, files={})


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no config": (lambda f: (f / "config.json").unlink(), r"needs config\.json, but reading it failed: No such file"),
    "no weights": (
        lambda f: (f / "model.safetensors").unlink(),
        r"model\.safetensors: a model needs this file, but reading it failed: No such",
    ),
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), r"tokenizer\.json: a model needs this file"),
    "no rules": (lambda f: (f / "rules.json").unlink(), r"rules\.json: a model needs this file"),
    "broken config": (lambda f: (f / "config.json").write_text("{"), "must be JSON, but"),
    "another program's": (lambda f: change_config(f, format="bert"), 'must have "format": "utterly tagger"; give'),
    "another version": (lambda f: change_config(f, version=99), "version must be 1, got 99; install the release"),
    "a setting missing": (lambda f: change_config(f, decode=None), r"a setting is missing or wrong \('decode'\)"),
    "a setting unknown": (
        lambda f: change_config(f, decode={"bias": 1}),
        "a setting is missing or wrong .*bias",
    ),
    "another tagger": (lambda f: change_config(f, tagger="t5"), "no tagger called 't5'; known taggers: hct, mst, rast"),
    "a weight missing": (drop_a_weight, r"the weights do not fit the tagger: .*action_head\.bias"),
    "a weight of another shape": (shrink_a_weight, r"the weights do not fit the tagger: .*action_head\.bias"),
    "broken weights": (lambda f: change_weights(f, b"so"), "the weights do not fit the tagger"),
}


@pytest.mark.parametrize(("spoil", "problem"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_folder_is_refused(
    encoder_folder: Path, spoil: Callable[[Path], object], problem: str, tmp_path: Path
) -> None:
    untrained("hct", encoder_folder).save_pretrained(tmp_path)
    spoil(tmp_path)
    with pytest.raises(UtterlyError, match=problem):
        TorchModel.from_pretrained(tmp_path)


def from_encoder(folder: Path | str, max_length: int = 64) -> TorchModel:
    return TorchModel.untrained(ModelConfig(tagger="hct", max_length=max_length), folder, tiny.BOOK)


def test_a_missing_or_invalid_encoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no such folder; give a model's folder, or its name on the hub"):
        from_encoder(tmp_path / "nowhere")
    with pytest.raises(PiecesError, match="needs a fast tokenizer"):
        from_encoder(tmp_path)
    tiny.tokenizer().save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(ModelError, match="transformers cannot read an encoder here"):
        from_encoder(tmp_path)


def test_more_pieces_than_the_encoder_has_positions_are_refused(encoder_folder: Path) -> None:
    with pytest.raises(PiecesError, match="at most the encoder's 128 positions, got 129"):
        from_encoder(encoder_folder, max_length=129)


def test_an_encoder_can_be_named_as_on_the_hub(encoder_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def download(name: str, **_: object) -> str:
        asked.append(name)
        return str(encoder_folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    assert from_encoder("owner/encoder").tagger.kind == "hct"
    assert asked == ["owner/encoder"]


def test_a_name_that_the_hub_does_not_have_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def download(*_: object, **__: object) -> str:
        raise LocalEntryNotFoundError("no connection\nat all")

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    with pytest.raises(ModelError, match=r"there is no such folder, and the hub does not have it: no connection$"):
        from_encoder("owner/encoder")


def test_weights_that_cannot_be_written_leave_the_old_ones(
    encoder_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = untrained("rast", encoder_folder)
    model.save_pretrained(tmp_path)
    before = (tmp_path / "model.safetensors").read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("utterly.networks.torch_model.save", full)
    with pytest.raises(FileError, match=r"model\.safetensors: cannot be written: .*No space left on device"):
        model.save_pretrained(tmp_path)
    assert (tmp_path / "model.safetensors").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith(".part")] == []
