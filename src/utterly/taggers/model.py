"""A trained tagger with all it needs to rewrite: rule book, tokenizer, decoding; kept in one folder.

    config.json          format version, tagger, encoder, language, decoding, training data and scores
    rules.json           the rule book
    tokenizer.json       how words become pieces
    model.safetensors    the weights
    README.md            the model card
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, Self

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from transformers import AutoConfig, AutoModel

from utterly.decode import DecodeSettings, ScoredScript
from utterly.dialogues.dialogue import Dialogue
from utterly.edits import EditScript
from utterly.errors import ModelError, PiecesError
from utterly.files import written_whole
from utterly.pieces import PieceEncoder
from utterly.rules.book import RuleBook
from utterly.taggers.hct import Hct
from utterly.taggers.mst import Mst
from utterly.taggers.rast import Rast
from utterly.taggers.scorer import TorchScorer
from utterly.taggers.tagger import Tagger

FORMAT_VERSION: Final = 1


@dataclass(frozen=True)
class TaggerModel:
    tagger: Tagger
    book: RuleBook
    encoder: PieceEncoder
    language: str = "en"
    decode: DecodeSettings = field(default_factory=DecodeSettings)
    notes: dict[str, Any] = field(default_factory=dict)  # training data, recipe, scores

    @classmethod
    def from_encoder(
        cls, kind: str, folder: Path | str, book: RuleBook, *, max_length: int, topic_turns: int, language: str = "en"
    ) -> Self:
        """An untrained tagger on a pre-trained encoder."""
        encoder = PieceEncoder.from_folder(folder, max_length=max_length, topic_turns=topic_turns)
        network = AutoModel.from_pretrained(folder, dtype=torch.float32, **_no_pooler(folder))
        return cls(build_tagger(kind, network, book, encoder), book, encoder, language)

    def predict(
        self, dialogues: Iterable[Dialogue], *, device: str = "cpu", batch_size: int = 32, n: int = 1
    ) -> Iterator[list[ScoredScript]]:
        """The `n` best scripts of each dialogue, in order. A source too long for the encoder stays as it is."""
        scorer = TorchScorer(self.tagger.to(device), device)
        waiting = iter(dialogues)
        while chunk := list(islice(waiting, batch_size * 32)):
            yield from self._predict_chunk(scorer, chunk, batch_size, n)

    def _predict_chunk(
        self, scorer: TorchScorer, dialogues: Sequence[Dialogue], batch_size: int, n: int
    ) -> list[list[ScoredScript]]:
        found: list[list[ScoredScript]] = [[ScoredScript(EditScript.unchanged(d), 0.0)] for d in dialogues]
        pieces = {}
        for i, dialogue in enumerate(dialogues):
            try:
                pieces[i] = self.encoder.encode(dialogue)
            except PiecesError:
                continue
        order = sorted(pieces, key=lambda i: len(pieces[i].ids))
        for start in range(0, len(order), batch_size):
            some = order[start : start + batch_size]
            scripts = scorer.decode(
                [dialogues[i] for i in some], [pieces[i] for i in some], self.book, self.decode, n=n
            )
            for i, best in zip(some, scripts, strict=True):
                found[i] = best
        return found

    def with_decode(self, settings: DecodeSettings) -> Self:
        return replace(self, decode=settings)

    def save_pretrained(self, folder: Path | str) -> None:
        """Write the model's folder. A file is replaced only once it is whole."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.tagger.eval()  # stores the rule embeddings
        weights = {name: tensor.detach().cpu().contiguous() for name, tensor in self.tagger.state_dict().items()}
        beside = folder / "model.safetensors.part"
        save_file(weights, beside, metadata={"format": "pt"})
        beside.replace(folder / "model.safetensors")
        self.book.save(folder / "rules.json")
        with written_whole(folder / "tokenizer.json") as file:
            file.write(self.encoder.tokenizer.to_str())
        with written_whole(folder / "README.md") as file:
            file.write(self._card())
        with written_whole(folder / "config.json") as file:  # last: with it the folder is a model
            json.dump(self._config(), file, ensure_ascii=False, indent=2, sort_keys=True)
            file.write("\n")

    @classmethod
    def from_pretrained(cls, folder: Path | str) -> Self:
        """Read a model's folder."""
        folder = Path(folder)
        config = _read_config(folder)
        book = RuleBook.load(folder / "rules.json")
        encoder = PieceEncoder(
            Tokenizer.from_file(str(folder / "tokenizer.json")),
            max_length=config["max_length"],
            topic_turns=config["topic_turns"],
        )
        shape = dict(config["encoder"])
        network = AutoModel.from_config(AutoConfig.for_model(shape.pop("model_type"), **shape))
        tagger = build_tagger(config["tagger"], network, book, encoder)
        missing, unexpected = tagger.load_state_dict(load_file(folder / "model.safetensors"), strict=False)
        missing = [name for name in missing if ".pooler." not in name]
        if missing or unexpected:
            raise ModelError(
                f"{folder}: the weights must fit the tagger, but {len(missing)} are missing and {len(unexpected)} "
                "are unknown; save the model again with this release"
            )
        return cls(tagger.eval(), book, encoder, config["language"], DecodeSettings(**config["decode"]), config["notes"])

    def push_to_hub(self, repo: str, **options: Any) -> str:
        """Upload the model's folder to the Hugging Face hub; needs `huggingface_hub` and a token."""
        import tempfile

        from huggingface_hub import HfApi

        with tempfile.TemporaryDirectory() as folder:
            self.save_pretrained(folder)
            api = HfApi()
            api.create_repo(repo, exist_ok=True)
            return str(api.upload_folder(repo_id=repo, folder_path=folder, **options))

    def _config(self) -> dict[str, Any]:
        shape = self.tagger.encoder.network.config.to_diff_dict()
        return {
            "format": "utterly tagger",
            "version": FORMAT_VERSION,
            "tagger": self.tagger.kind,
            "language": self.language,
            "max_length": self.encoder.max_length,
            "topic_turns": self.encoder.topic_turns,
            "encoder": {key: value for key, value in shape.items() if not key.startswith("_")},
            "decode": asdict(self.decode),
            "notes": self.notes,
        }

    def _card(self) -> str:
        scores = "\n".join(f"- {name}: {value}" for name, value in self.notes.items())
        return (
            f"---\nlanguage: {self.language}\nlibrary_name: utterly\ntags: [utterance-rewriting]\n---\n\n"
            f"# {self.tagger.kind.upper()} tagger\n\nRewrites the last turn of a dialogue so that it stands on its own, "
            f"with {len(self.book) - 1} rules. Load it with `TaggerModel.from_pretrained(folder)`.\n\n{scores}\n"
        )


def build_tagger(kind: str, network: Any, book: RuleBook, encoder: PieceEncoder) -> Tagger:
    """A tagger of a kind on a network, with weights of its own that have learned nothing."""
    if kind == Hct.kind:
        return Hct(network, rules=[encoder.encode_rule(rule) for rule in book], max_slots=book.max_slots)
    taggers: dict[str, type[Mst]] = {each.kind: each for each in (Mst, Rast)}
    if kind not in taggers:
        raise ModelError(f"no tagger called {kind!r}; known taggers: {', '.join((Hct.kind, *taggers))}")
    return taggers[kind](network, max_slots=book.max_slots)


def _no_pooler(folder: Path | str) -> dict[str, bool]:
    """Encoders of the BERT kind have a pooler that taggers never read: leave it out."""
    kind = AutoConfig.from_pretrained(folder).model_type
    return {"add_pooling_layer": False} if kind in ("bert", "mpnet", "roberta") else {}


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except OSError as failure:
        raise ModelError(f"{folder}: a model folder needs config.json, but {failure.strerror}") from None
    except ValueError as wrong:
        raise ModelError(f"{path}: must be JSON, but {wrong}") from None
    if config.get("version") != FORMAT_VERSION:
        raise ModelError(
            f"{path}: a model must be of format version {FORMAT_VERSION}, but {config.get('version')!r} came; "
            "install the release of Utterly that wrote it, or train it again"
        )
    return dict(config)
