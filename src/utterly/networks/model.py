"""A trained tagger with all it needs to rewrite: rule book, tokenizer, decoding; kept in one folder.

config.json          format version, tagger, encoder, language, decoding, training data and scores
rules.json           the rule book
tokenizer.json       how words become pieces
model.safetensors    the weights
README.md            the model card

A folder that `utterly.networks.export.graphs` wrote has its weights in tagger.onnx and spans.onnx instead.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from textwrap import shorten
from typing import Any, Final, Self

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModel

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import FileError, ModelError, PiecesError
from utterly.extras import require
from utterly.files import written_whole
from utterly.model.confidence import Confidence, confidence_from_json
from utterly.model.decode import DecodeSettings, ScoredScript
from utterly.model.encode import PieceEncoder
from utterly.model.folder import CONFIG, FORMAT, FORMAT_VERSION, check_files, read_config, write_config
from utterly.model.onnx_scorer import SPANS, TAGGER
from utterly.networks.hct import Hct
from utterly.networks.hub import folder_of_model, local_folder, quietly, upload
from utterly.networks.mst import Mst
from utterly.networks.rast import Rast
from utterly.networks.tagger import Tagger
from utterly.networks.torch_scorer import TorchScorer, usable_device
from utterly.rules.book import RuleBook
from utterly.scripts.edits import EditScript

WEIGHTS: Final = "model.safetensors"


@dataclass(frozen=True)
class TaggerModel:
    tagger: Tagger
    book: RuleBook
    encoder: PieceEncoder
    language: str = "en"
    decode: DecodeSettings = field(default_factory=DecodeSettings)
    notes: dict[str, Any] = field(default_factory=dict)  # training data, recipe, scores
    confidence: Confidence | None = None  # how sure a rewrite is; None: not calibrated

    @classmethod
    def from_encoder(
        cls, kind: str, name: Path | str, book: RuleBook, *, max_length: int, topic_turns: int, language: str = "en"
    ) -> Self:
        """An untrained tagger on a pre-trained encoder: a folder, or a name on the hub."""
        folder = local_folder(name)
        encoder = PieceEncoder.from_folder(folder, max_length=max_length, topic_turns=topic_turns)
        try:
            config = AutoConfig.from_pretrained(folder)
            with quietly():
                network = AutoModel.from_pretrained(folder, dtype=torch.float32, **_no_pooler(config.model_type))
        except (OSError, ValueError, SafetensorError) as wrong:
            raise ModelError(f"{folder}: must hold an encoder of transformers, but: {wrong}; save it again") from None
        _must_have_positions(config, max_length)
        return cls(build_tagger(kind, network, book, encoder), book, encoder, language)

    def predict(
        self, dialogues: Iterable[Dialogue], *, device: str = "cpu", batch_size: int = 32, n: int = 1
    ) -> Iterator[list[ScoredScript]]:
        """The `n` best scripts of each dialogue, in order. A source too long for the encoder stays, with a reason."""
        scorer = TorchScorer(self.tagger.to(usable_device(device)), device)
        waiting = iter(dialogues)
        while chunk := list(islice(waiting, batch_size * 32)):
            yield from self._predict_chunk(scorer, chunk, batch_size, n)

    def _predict_chunk(
        self, scorer: TorchScorer, dialogues: Sequence[Dialogue], batch_size: int, n: int
    ) -> list[list[ScoredScript]]:
        found: dict[int, list[ScoredScript]] = {}
        pieces = {}
        for i, dialogue in enumerate(dialogues):
            try:
                pieces[i] = self.encoder.encode(dialogue)
            except PiecesError as too_long:
                found[i] = [ScoredScript(EditScript.unchanged(dialogue), 0.0, str(too_long))]
        order = sorted(pieces, key=lambda i: len(pieces[i].ids))
        for start in range(0, len(order), batch_size):
            some = order[start : start + batch_size]
            scripts = scorer.decode(
                [dialogues[i] for i in some], [pieces[i] for i in some], self.book, self.decode, n=n
            )
            found |= zip(some, scripts, strict=True)
        return [found[i] for i in range(len(dialogues))]

    def with_decode(self, settings: DecodeSettings) -> Self:
        return replace(self, decode=settings, confidence=None)  # log probabilities are others then

    def save_pretrained(self, folder: Path | str) -> None:
        """Write the model's folder. A file is replaced only once it is whole; graphs of an export there go."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.tagger.eval()  # stores the rule embeddings
        weights = {name: tensor.detach().cpu().contiguous() for name, tensor in self.tagger.state_dict().items()}
        _save_weights(weights, folder / WEIGHTS)
        self.book.save(folder / "rules.json")
        with written_whole(folder / "tokenizer.json") as file:
            file.write(self.encoder.tokenizer.to_str())
        with written_whole(folder / "README.md") as file:
            file.write(self._card())
        for graph in (TAGGER, SPANS):  # of another model, which would be run in place of this one
            (folder / graph).unlink(missing_ok=True)
        write_config(folder, self.config())

    def save_calibration(self, folder: Path | str) -> None:
        """Write into the folder that the model came from how it decodes now; its weights stay as they are there."""
        write_config(Path(folder), read_config(Path(folder)) | self.config())

    @classmethod
    def from_pretrained(cls, folder: Path | str) -> Self:
        """Read a model's folder, or one on the hub or a bundled one by its name.

        Also one that `utterly export` wrote: its weights are as it has them, in int8 rounded.
        """
        folder = folder_of_model(folder)
        config = read_config(folder)
        if _is_exported(folder):
            check_files(folder, config)
        book = RuleBook.load(folder / "rules.json")
        try:
            encoder = PieceEncoder.from_folder(
                folder, max_length=config["max_length"], topic_turns=config["topic_turns"]
            )
            network = _empty_network(config["encoder"])
            # In evaluation before the weights come: then the stored rule embeddings are those that were saved.
            tagger = build_tagger(config["tagger"], network, book, encoder).eval()
            decode = DecodeSettings(**config["decode"])
            confidence = confidence_from_json(config.get("confidence"))
            model = cls(tagger, book, encoder, config["language"], decode, config["notes"], confidence)
        except (KeyError, TypeError, ValueError) as wrong:
            raise ModelError(
                f"{folder / CONFIG}: must say all that a model needs, but {wrong}; save it again"
            ) from None
        _load_weights(tagger, folder)
        return model

    def push_to_hub(self, repo: str, **options: Any) -> str:
        """Put the model's folder on the Hugging Face hub; returns its address there."""
        with tempfile.TemporaryDirectory() as folder:
            self.save_pretrained(folder)
            return upload(folder, repo, **options)

    def config(self) -> dict[str, Any]:
        """All that is not weights, rules or pieces, as the folder keeps it."""
        shape = self.tagger.encoder.network.config.to_diff_dict()
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "tagger": self.tagger.kind,
            "language": self.language,
            "max_length": self.encoder.max_length,
            "topic_turns": self.encoder.topic_turns,
            "encoder": {key: value for key, value in shape.items() if not key.startswith("_")},
            "decode": asdict(self.decode),
            "confidence": self.confidence.to_json() if self.confidence else None,
            "notes": self.notes,
        }

    def _card(self) -> str:
        scores = "\n".join(f"- {name}: {value}" for name, value in self.notes.items())
        return (
            f"---\nlanguage: {self.language}\nlibrary_name: utterly\ntags: [utterance-rewriting]\n---\n\n"
            f"# {self.tagger.kind.upper()} tagger\n\nRewrites the last turn of a dialogue so that it stands on its own"
            f", with {len(self.book) - 1} rules. Load it with `TaggerModel.from_pretrained(folder)`.\n\n{scores}\n"
        )


def build_tagger(kind: str, network: Any, book: RuleBook, encoder: PieceEncoder) -> Tagger:
    """A tagger of a kind on a network, with weights of its own that have learned nothing."""
    if kind == Hct.kind:
        return Hct(network, rules=[encoder.encode_rule(rule) for rule in book], max_slots=book.max_slots)
    taggers: dict[str, type[Mst]] = {each.kind: each for each in (Mst, Rast)}
    if kind not in taggers:
        raise ModelError(f"no tagger called {kind!r}; known taggers: {', '.join((Hct.kind, *taggers))}")
    return taggers[kind](network, max_slots=book.max_slots)


def _no_pooler(model_type: str) -> dict[str, bool]:
    """Encoders of the BERT kind have a pooler that taggers never read: leave it out."""
    return {"add_pooling_layer": False} if model_type in ("bert", "mpnet", "roberta") else {}


def _must_have_positions(config: Any, max_length: int) -> None:
    """RoBERTa and MPNet count positions from behind their padding's number."""
    skipped = config.pad_token_id + 1 if config.model_type in ("mpnet", "roberta") else 0
    positions = config.max_position_embeddings - skipped
    if max_length > positions:
        raise PiecesError(
            f"max_length must be at most the encoder's {positions} positions, but {max_length} came; lower it"
        )


def _empty_network(shape: Mapping[str, Any]) -> Any:
    """An encoder of this shape, before its weights come."""
    kind = shape["model_type"]
    config = AutoConfig.for_model(kind, **{name: value for name, value in shape.items() if name != "model_type"})
    return AutoModel.from_config(config, **_no_pooler(kind))


def _save_weights(weights: dict[str, torch.Tensor], path: Path) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        save_file(weights, beside, metadata={"format": "pt"})
        beside.replace(path)
    except (OSError, SafetensorError) as failure:
        raise FileError(path, f"cannot be written: {failure}; check folder and disk") from None
    finally:
        beside.unlink(missing_ok=True)


def _is_exported(folder: Path) -> bool:
    return (folder / TAGGER).is_file() and not (folder / WEIGHTS).is_file()


def _load_weights(tagger: Tagger, folder: Path) -> None:
    exported = _is_exported(folder)
    path = folder / (TAGGER if exported else WEIGHTS)
    try:
        tagger.load_state_dict(_exported_weights(folder) if exported else load_file(path))
    except FileNotFoundError:
        raise ModelError(
            f"{path}: a model needs its weights, but there is no such file; copy the whole folder"
        ) from None
    except (RuntimeError, SafetensorError) as wrong:
        reason, again = shorten(str(wrong), 300, placeholder=" ..."), "export" if exported else "save"
        raise ModelError(
            f"{folder if exported else path}: the weights must fit the tagger, but: {reason}; {again} the model again"
        ) from None


def _exported_weights(folder: Path) -> dict[str, torch.Tensor]:
    require("onnx", extra="export")
    from utterly.networks.export.weights import exported_weights

    return exported_weights(folder)
