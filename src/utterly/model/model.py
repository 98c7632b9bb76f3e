"""A model: encode, score, decode; and its config. numpy only; onnxruntime or torch computes the scores."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Self

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ModelError
from utterly.model.decode import Decoder, ScoredScript, Signals
from utterly.model.encode import PieceEncoder
from utterly.model.scores import Scorer
from utterly.model.settings import DecodeSettings
from utterly.model.terms import Term, likely_terms
from utterly.model.window import WINDOWS
from utterly.rules.book import RuleBook

FORMAT: Final = "utterly tagger"
FORMAT_VERSION: Final = 1


@dataclass(frozen=True)
class Confidence:
    """A logistic curve: 1 / (1 + exp(-(slope * log probability + weights * signals + offset)))."""

    slope: float
    offset: float
    weights: Mapping[str, float] = field(default_factory=dict)  # by name of signal; 0 if missing

    def __post_init__(self) -> None:
        if unknown := set(self.weights) - set(Signals._fields):
            raise ValueError(f"confidence has weights of {', '.join(Signals._fields)}, got {min(unknown)}")
        for number in (self.slope, self.offset, *self.weights.values()):
            if not math.isfinite(number):
                raise ValueError(f"confidence must have finite numbers, got {number}")

    @classmethod
    def from_json(cls, curve: Any) -> Self:
        slope, offset, weights = curve["slope"], curve["offset"], dict(curve.get("weights", {}))
        return cls(float(slope), float(offset), {name: float(weight) for name, weight in weights.items()})

    def of(self, log_probability: float, signals: Signals) -> float:
        """The confidence, 0 to 1."""
        x = self.slope * log_probability + self.offset
        x += sum(weight * getattr(signals, name) for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """Everything about a model except its weights, rules and tokenizer."""

    tagger: str  # hct, mst or rast; or a baseline
    language: str = "en"
    max_length: int = 512
    topic_turns: int = 2
    window: str = "newest"  # which part of a long dialogue is read: see `utterly.model.window`
    encoder: Mapping[str, Any] = field(default_factory=dict)  # the network's shape, as transformers describes it
    decode: DecodeSettings = field(default_factory=DecodeSettings)
    confidence: Confidence | None = None  # None: not calibrated
    min_confidence: float = 0.0  # rewrites below it are held back, unless the caller sets another threshold
    notes: Mapping[str, Any] = field(default_factory=dict)  # training data, recipe, scores

    def __post_init__(self) -> None:
        for name, least in (("max_length", 3), ("topic_turns", 0)):  # 3: [CLS], one piece, [SEP]
            if type(value := getattr(self, name)) is not int or value < least:
                raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")
        if type(self.min_confidence) not in (int, float) or not 0 <= self.min_confidence <= 1:
            raise ValueError(f"min_confidence must be a number from 0 to 1, got {self.min_confidence!r}")
        if self.window not in WINDOWS:
            raise ValueError(f"window must be one of {', '.join(WINDOWS)}, got {self.window!r}")
        for name in ("tagger", "language"):
            if not isinstance(value := getattr(self, name), str):
                raise TypeError(f"{name} must be a string, got {value!r}")

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"format": FORMAT, "version": FORMAT_VERSION}

    @classmethod
    def from_json(cls, config: Any) -> Self:
        if not isinstance(config, dict) or config.get("format") != FORMAT:
            raise ModelError(f'config.json must have "format": "{FORMAT}"; give a folder that Utterly saved')
        if config.get("version") != FORMAT_VERSION:
            raise ModelError(
                f"the format version must be {FORMAT_VERSION}, got {config.get('version')!r}; "
                "install the release of Utterly that wrote it, or train the model again"
            )
        fields = {name: config[name] for name in cls.__dataclass_fields__ if name in config}
        try:
            fields["decode"] = DecodeSettings(**config["decode"])
            if (curve := config.get("confidence")) is not None:
                fields["confidence"] = Confidence.from_json(curve)
            return cls(**fields)
        except (KeyError, TypeError, ValueError) as wrong:
            raise ModelError(f"a setting is missing or wrong ({wrong}); save or export the model again") from None


@dataclass(frozen=True)
class ScriptModel(ABC):
    """The interface of taggers and baselines: dialogues in, scripts and confidences out."""

    config: ModelConfig

    @abstractmethod
    def scripts(self, dialogue: Dialogue, n: int = 1) -> list[ScoredScript]:
        """The `n` best scripts, best first. Raises `PiecesError` if the source is too long."""

    def scripts_and_terms(self, dialogue: Dialogue, n: int = 1) -> tuple[list[ScoredScript], tuple[Term, ...]]:
        """Like `scripts`, with context words for a search; a baseline has none."""
        return self.scripts(dialogue, n), ()

    def confidence(self, scored: ScoredScript) -> float:
        """How likely a script is to help rather than harm, 0 to 1; its probability if the model is not calibrated."""
        if self.config.confidence is None:
            return math.exp(min(0.0, scored.log_probability))
        return self.config.confidence.of(scored.log_probability, scored.signals)

    def with_config(self, **changes: Any) -> Self:
        """The same model with some fields of its config replaced."""
        return replace(self, config=replace(self.config, **changes))


@dataclass(frozen=True)
class Model(ScriptModel):
    """A tagger: its whole inference, the same in evaluation, training and use."""

    book: RuleBook
    encoder: PieceEncoder
    scorer: Scorer

    def scripts(self, dialogue: Dialogue, n: int = 1) -> list[ScoredScript]:
        pieces = self.encoder.encode(dialogue)
        scores = self.scorer.read(pieces)
        return self.decoder.best(dialogue, pieces, scores, n)

    def scripts_and_terms(self, dialogue: Dialogue, n: int = 1) -> tuple[list[ScoredScript], tuple[Term, ...]]:
        pieces = self.encoder.encode(dialogue)
        scores = self.scorer.read(pieces)
        terms = likely_terms(dialogue, pieces, scores, self.decoder)
        return self.decoder.best(dialogue, pieces, scores, n), terms

    @cached_property
    def decoder(self) -> Decoder:
        return Decoder(self.book, self.config.decode)

    def with_decode(self, settings: DecodeSettings) -> Self:
        """The same model with other settings. They change log probabilities: confidence and threshold are dropped."""
        return self.with_config(decode=settings, confidence=None, min_confidence=0.0)
