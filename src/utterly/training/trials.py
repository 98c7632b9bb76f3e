"""What one decode setting scores on answers that a tagger gave once.

Without torch, so that the processes which try settings start quickly.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from utterly.dialogues.dialogue import Dialogue
from utterly.metrics.bleu import corpus_bleu
from utterly.model.decode import DecodeSettings, Query, TagScores, best_scripts
from utterly.model.encode import Pieces
from utterly.model.spans import FoundSpans
from utterly.rules.book import RuleBook
from utterly.scripts.edits import EditScript


class Answer(NamedTuple):
    """All that a tagger says of a dialogue, before anything is chosen."""

    dialogue: Dialogue
    pieces: Pieces
    tags: TagScores
    spans: Mapping[Query, FoundSpans]


class Trial(NamedTuple):
    """A setting and what it scores, 0 to 100, on the dialogues' own words without casing."""

    settings: DecodeSettings
    bleu4: float
    exact: float

    @property
    def value(self) -> float:
        return (self.bleu4 + self.exact) / 2


def try_setting(settings: DecodeSettings, *, answers: Sequence[Answer], book: RuleBook) -> Trial:
    scripts = [best_scripts(*answer, book, settings)[0].script for answer in answers]
    return Trial(settings, *(100 * score for score in dev_scores(scripts)))


def dev_scores(scripts: Sequence[EditScript]) -> tuple[float, float]:
    """BLEU-4 and exact match of scripts against the targets of their dialogues, 0 to 1, on words without casing."""
    said, meant = zip(*map(_said_and_meant, scripts), strict=True)
    return corpus_bleu(said, meant), float(np.mean([s == m for s, m in zip(said, meant, strict=True)]))


def is_exact(script: EditScript) -> bool:
    said, meant = _said_and_meant(script)
    return said == meant


def _said_and_meant(script: EditScript) -> tuple[list[str], list[str]]:
    """The words of a script's rewrite and of its target, without casing."""
    target = script.dialogue.target.words if script.dialogue.target else ()
    return [word.casefold() for word in script.words], [word.text.casefold() for word in target]
