"""Label lines as arrays: dialogues in pieces with what each source word should say.

Without torch, so that the processes which share this work start quickly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import PiecesError
from utterly.labels.labels import Labels
from utterly.pieces import PieceEncoder, Pieces
from utterly.processes import in_order
from utterly.rules.book import RuleBook

Ends = tuple[int, int]
"""The context indices of the first and the last word of a span."""

_CHUNK: Final = 500  # labels that travel to a process at once


@dataclass(frozen=True)
class GoldWord:
    """What one source word should say: for each slot, the ends of every mention."""

    keep: bool
    rule: int
    slots: tuple[tuple[Ends, ...], ...]


@dataclass(frozen=True)
class Example:
    """A dialogue in pieces with its labels."""

    dialogue: Dialogue
    pieces: Pieces
    gold: tuple[GoldWord, ...]  # one per source word, and the end

    def __len__(self) -> int:
        return len(self.pieces.ids)


def encode_examples(
    labels: Sequence[Labels], encoder: PieceEncoder, book: RuleBook, *, workers: int = 1
) -> list[Example]:
    """Labels in pieces, in order; a dialogue whose source is too long for the encoder is left out."""
    chunks = (labels[start : start + _CHUNK] for start in range(0, len(labels), _CHUNK))
    encode = partial(_encoded_all, encoder=encoder, book=book)
    return [example for chunk in in_order(encode, chunks, jobs=workers) for example in chunk]


def _encoded_all(labels: Sequence[Labels], *, encoder: PieceEncoder, book: RuleBook) -> list[Example]:
    return [example for each in labels for example in _encoded(each, encoder, book)]


def _encoded(labels: Labels, encoder: PieceEncoder, book: RuleBook) -> Iterator[Example]:
    dialogue = labels.script.dialogue
    try:
        pieces = encoder.encode(dialogue)
    except PiecesError:
        return
    gold = []
    for edit, slots in zip(labels.script.edits, labels.mentions, strict=True):
        inside = tuple(tuple(ends for span in spans if (ends := pieces.ends_of(span))) for spans in slots)
        gold.append(GoldWord(edit.keep, book.number(edit.rule), inside))
    yield Example(dialogue, pieces, tuple(gold))
