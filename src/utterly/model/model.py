"""A model: encode, score, decode. numpy only; onnxruntime or torch computes the scores."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from utterly.dialogues.dialogue import Dialogue
from utterly.model.decode import Decoder, DecodeSettings, ScoredScript
from utterly.model.encode import PieceEncoder
from utterly.model.folder import ModelConfig
from utterly.model.scores import Scorer
from utterly.model.terms import Term, likely_terms
from utterly.rules.book import RuleBook


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
        """The same model with other settings. They change log probabilities, so the fitted confidence is dropped."""
        return self.with_config(decode=settings, confidence=None)
