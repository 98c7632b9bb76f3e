"""What one decode setting scores on answers that a tagger gave once.

Without torch, so that the processes which try settings start quickly.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from utterly.dialogues.dialogue import Dialogue
from utterly.model.decode import Decoder, DecodeSettings, FoundSpans
from utterly.model.encode import Pieces
from utterly.model.scores import Query, TagScores
from utterly.rules.book import RuleBook
from utterly.training.dev_scores import dev_scores


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
    decoder = Decoder(book, settings)
    scripts = [decoder.choose(*answer)[0].script for answer in answers]
    return Trial(settings, *(100 * score for score in dev_scores(scripts)))
