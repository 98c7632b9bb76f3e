"""A model's folder, read and ready to answer: with onnxruntime, or with torch where it has only torch's weights."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Self

from utterly.errors import ModelError
from utterly.extras import require
from utterly.model.confidence import Confidence, confidence_from_json, raw_confidence
from utterly.model.decode import DecodeSettings, ScoredScript
from utterly.model.encode import PieceEncoder
from utterly.model.folder import CONFIG, check_files, read_config
from utterly.model.onnx_scorer import TAGGER, OnnxScorer
from utterly.model.scores import Scorer
from utterly.rules.book import RuleBook

_TORCH_WEIGHTS: Final = "model.safetensors"


@dataclass(frozen=True)
class ModelInfo:
    """What a model says of itself, without being loaded."""

    name: str
    language: str
    folder: Path
    tagger: str
    notes: dict[str, Any] = field(default_factory=dict)  # training data, scores

    @classmethod
    def of(cls, name: str, folder: Path) -> Self:
        config = read_config(folder)
        try:
            return cls(name, config["language"], folder, config["tagger"], config["notes"])
        except KeyError as missing:
            raise _incomplete(folder, missing) from None


@dataclass(frozen=True)
class LoadedModel:
    """All that turns dialogues into scripts."""

    info: ModelInfo
    encoder: PieceEncoder
    scorer: Scorer
    book: RuleBook
    settings: DecodeSettings
    confidence: Confidence | None

    @classmethod
    def load(cls, info: ModelInfo, *, threads: int | None = None) -> Self:
        """Read the folder, once its files are known to be those that were saved."""
        folder = info.folder
        config = read_config(folder)
        check_files(folder, config)
        confidence = confidence_from_json(config.get("confidence"))
        if not (folder / TAGGER).is_file() and (folder / _TORCH_WEIGHTS).is_file():
            return cls._with_torch(info, confidence)
        book = RuleBook.load(folder / "rules.json")
        try:
            encoder = PieceEncoder.from_folder(
                folder, max_length=config["max_length"], topic_turns=config["topic_turns"]
            )
            settings = DecodeSettings(**config["decode"])
        except (KeyError, TypeError, ValueError) as wrong:
            raise _incomplete(folder, wrong) from None
        return cls(info, encoder, OnnxScorer(folder, threads=threads), book, settings, confidence)

    @classmethod
    def _with_torch(cls, info: ModelInfo, confidence: Confidence | None) -> Self:
        require("torch", extra="train")
        from utterly.networks.model import TaggerModel
        from utterly.networks.torch_scorer import TorchScorer

        model = TaggerModel.from_pretrained(info.folder)
        return cls(info, model.encoder, TorchScorer(model.tagger), model.book, model.decode, confidence)

    def with_threads(self, threads: int | None) -> Self:
        """The same model, run with so many threads; torch takes all there are."""
        if not isinstance(self.scorer, OnnxScorer):
            return self
        return replace(self, scorer=OnnxScorer(self.info.folder, threads=threads))

    def confidence_of(self, scored: ScoredScript) -> float:
        """0 to 1."""
        return (self.confidence or raw_confidence)(scored.log_probability)


def _incomplete(folder: Path, wrong: Exception) -> ModelError:
    return ModelError(f"{folder / CONFIG}: must say all that a model needs, but {wrong}; save or export it again")
