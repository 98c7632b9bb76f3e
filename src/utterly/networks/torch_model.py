"""A model whose scores torch computes: built on an encoder, saved, loaded, and run on batches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from textwrap import shorten
from typing import Any, Final, Self

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import nn
from transformers import AutoConfig, AutoModel
from transformers.utils import logging

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ModelError, PiecesError
from utterly.extras import require
from utterly.files import bytes_written_whole
from utterly.model.decode import ScoredScript
from utterly.model.encode import PieceEncoder, Pieces
from utterly.model.folder import (
    SPANS_GRAPH,
    TAGGER_GRAPH,
    WEIGHTS,
    ModelFolder,
    local_folder,
    model_card,
    write_config,
    write_folder,
)
from utterly.model.model import Model, ModelConfig
from utterly.networks.hct import Hct
from utterly.networks.mst import Mst, Rast
from utterly.networks.tagger import Tagger
from utterly.networks.torch_scorer import TorchScorer, by_length, decode_batch
from utterly.rules.book import RuleBook
from utterly.scripts.edits import EditScript

TAGGERS: Final[dict[str, type[Tagger]]] = {tagger.kind: tagger for tagger in (Hct, Mst, Rast)}


@dataclass(frozen=True)
class TorchModel(Model):
    scorer: TorchScorer

    @property
    def tagger(self) -> Tagger:
        return self.scorer.tagger

    @classmethod
    def untrained(cls, config: ModelConfig, encoder: Path | str, book: RuleBook) -> Self:
        """An untrained tagger on a pre-trained encoder, which is a folder or a name on the hub."""
        folder = local_folder(encoder)
        pieces = PieceEncoder.from_folder(
            folder, max_length=config.max_length, topic_turns=config.topic_turns, window=config.window
        )
        network = pretrained_network(folder, positions=config.max_length)
        tagger = build_tagger(config.tagger, network, book, pieces)
        return cls(replace(config, encoder=shape_of(network)), book, pieces, TorchScorer(tagger))

    @classmethod
    def from_pretrained(cls, name: Path | str | ModelFolder, *, device: str = "cpu") -> Self:
        """Load a model by its folder, its name on the hub, or the name of a bundled one.

        The weights of a model that `utterly export` wrote in int8 are the rounded ones.
        """
        folder = name if isinstance(name, ModelFolder) else ModelFolder.find(name)
        if folder.config.tagger not in TAGGERS:
            raise ModelError(
                f"{folder.path}: no tagger called {folder.config.tagger!r}; known taggers: {', '.join(TAGGERS)}. "
                "A baseline cannot be exported, calibrated or continued from"
            )
        folder.check_files()
        book, encoder = folder.book(), folder.encoder()
        try:
            network = empty_network(folder.config.encoder)
        except (KeyError, TypeError, ValueError) as wrong:
            raise ModelError(
                f"{folder.path}: the encoder's shape in config.json is wrong ({wrong}); save the model again"
            ) from None
        # eval() stores rule embeddings: call it before loading the weights, which include the saved ones.
        tagger = build_tagger(folder.config.tagger, network, book, encoder).eval()
        _load_weights(tagger, folder)
        return cls(folder.config, book, encoder, TorchScorer(tagger, device))

    def to(self, device: torch.device | str) -> Self:
        return replace(self, scorer=TorchScorer(self.tagger, device))

    def scripts_in_batches(
        self, dialogues: Iterable[Dialogue], *, batch_size: int = 32, n: int = 1
    ) -> Iterator[list[ScoredScript]]:
        """As `scripts`, for many dialogues, in order. If a source is too long, it is unchanged and `reason` is set."""
        self.tagger.eval()  # it may be in training

        def decoded(batch: Sequence[tuple[Dialogue, Pieces]]) -> list[list[ScoredScript]]:
            some, pieces = zip(*batch, strict=True)
            return decode_batch(self.decoder, some, pieces, self.scorer.read_many(pieces), n)

        waiting = iter(dialogues)
        while chunk := list(islice(waiting, batch_size * 32)):
            unread: dict[int, list[ScoredScript]] = {}
            readable: list[tuple[Dialogue, Pieces]] = []
            for i, dialogue in enumerate(chunk):
                try:
                    readable.append((dialogue, self.encoder.encode(dialogue)))
                except PiecesError as too_long:
                    unread[i] = [ScoredScript(EditScript.unchanged(dialogue), 0.0, str(too_long))]
            found = iter(by_length(decoded, readable, [len(p.ids) for _, p in readable], batch_size=batch_size))
            yield from (unread.get(i) or next(found) for i in range(len(chunk)))

    def save_pretrained(self, folder: Path | str) -> None:
        """Write the model's folder. Files are replaced only when complete; graphs of an earlier export are deleted."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.tagger.eval()  # stores the rule embeddings
        save_weights(self.tagger, folder)
        card = model_card(self.config, self.book)
        write_folder(folder, self.config, self.book, self.encoder, card, weights=(WEIGHTS,))
        for graph in (TAGGER_GRAPH, SPANS_GRAPH):  # they would be run instead of this model
            (folder / graph).unlink(missing_ok=True)

    def save_calibration(self, folder: Path | str) -> None:
        """Write decoding and confidence into the model's own folder; its weights stay the same."""
        write_config(Path(folder), self.config)


def build_tagger(kind: str, network: Any, book: RuleBook, encoder: PieceEncoder) -> Tagger:
    """A tagger with untrained heads on a network."""
    if kind not in TAGGERS:
        raise ModelError(f"no tagger called {kind!r}; known taggers: {', '.join(TAGGERS)}")
    if kind == Hct.kind:
        return Hct(network, rules=[encoder.encode_rule(rule) for rule in book], max_slots=book.max_slots)
    return TAGGERS[kind](network, max_slots=book.max_slots)


def pretrained_network(folder: Path, *, positions: int) -> Any:
    """The encoder in a folder, which must have that many positions."""
    try:
        shape = AutoConfig.from_pretrained(folder)
        with _quiet():
            network = AutoModel.from_pretrained(folder, dtype=torch.float32, **_no_pooler(shape.model_type))
    except (OSError, ValueError, SafetensorError) as wrong:
        raise ModelError(
            f"{folder}: transformers cannot read an encoder here: {wrong}; "
            "give an encoder's folder, or its name on the hub"
        ) from None
    # RoBERTa and MPNet number positions from their padding id + 1.
    skipped = shape.pad_token_id + 1 if shape.model_type in ("mpnet", "roberta") else 0
    if positions > (most := shape.max_position_embeddings - skipped):
        raise PiecesError(f"max_length must be at most the encoder's {most} positions, got {positions}")
    return network


def shape_of(network: Any) -> dict[str, Any]:
    """The shape of an encoder, as config.json has it."""
    return {key: value for key, value in network.config.to_diff_dict().items() if not key.startswith("_")}


def _no_pooler(model_type: str) -> dict[str, bool]:
    """Leave out the pooler of BERT's family, which taggers never read."""
    return {"add_pooling_layer": False} if model_type in ("bert", "mpnet", "roberta") else {}


def empty_network(shape: Mapping[str, Any]) -> Any:
    """An encoder of this shape, its weights not loaded."""
    kind = shape["model_type"]
    config = AutoConfig.for_model(kind, **{name: value for name, value in shape.items() if name != "model_type"})
    return AutoModel.from_config(config, **_no_pooler(kind))


def save_weights(network: nn.Module, folder: Path) -> None:
    weights = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    with bytes_written_whole(folder / WEIGHTS) as file:
        file.write(save(weights, metadata={"format": "pt"}))


def _load_weights(tagger: Tagger, folder: ModelFolder) -> None:
    exported = folder.has_graphs and not folder.has_weights
    path = folder.path / (TAGGER_GRAPH if exported else WEIGHTS)
    if exported:
        require("onnx", extra="export")
        from utterly.networks.export.weights import exported_weights
    try:
        tagger.load_state_dict(exported_weights(folder.path) if exported else load_file(path))
    except FileNotFoundError:
        raise ModelError(f"{path}: the model's weights are missing; copy the whole folder") from None
    except (RuntimeError, SafetensorError) as wrong:
        reason, again = shorten(str(wrong), 300, placeholder=" ..."), "export" if exported else "save"
        raise ModelError(f"{path}: the weights do not fit the tagger: {reason}; {again} the model again") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the progress bars and loading reports of transformers."""
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
