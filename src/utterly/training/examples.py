"""Label lines as arrays: dialogues in pieces with what each source word should say.

Without torch, so that the processes which share this work start quickly.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import PiecesError
from utterly.labels.labels import Labels
from utterly.model.encode import PieceEncoder, Pieces
from utterly.parallel import in_processes
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
    for_teacher: Pieces | None = None  # the same words as a teacher reads them; None where its window has others

    def __len__(self) -> int:
        return len(self.pieces.ids)


def encode_examples(
    labels: Sequence[Labels],
    encoder: PieceEncoder,
    book: RuleBook,
    *,
    teacher: PieceEncoder | None = None,
    workers: int = 1,
) -> list[Example]:
    """Labels in pieces, in order; a dialogue whose source is too long for the encoder is left out."""
    chunks = (labels[start : start + _CHUNK] for start in range(0, len(labels), _CHUNK))
    encode = partial(_encoded_all, encoder=encoder, book=book, teacher=teacher)
    return [example for chunk in in_processes(encode, chunks, workers=workers) for example in chunk]


def _encoded_all(
    labels: Sequence[Labels], *, encoder: PieceEncoder, book: RuleBook, teacher: PieceEncoder | None
) -> list[Example]:
    return [example for each in labels for example in _encoded(each, encoder, book, teacher)]


def _encoded(labels: Labels, encoder: PieceEncoder, book: RuleBook, teacher: PieceEncoder | None) -> Iterator[Example]:
    dialogue = labels.script.dialogue
    try:
        pieces = encoder.encode(dialogue)
    except PiecesError:
        return
    gold = []
    for edit, slots in zip(labels.script.edits, labels.mentions, strict=True):
        inside = tuple(tuple(ends for span in spans if (ends := pieces.ends_of(span))) for spans in slots)
        gold.append(GoldWord(edit.keep, book.number(edit.rule), inside))
    yield Example(dialogue, pieces, tuple(gold), _same_words(dialogue, pieces, teacher) if teacher else None)


def _same_words(dialogue: Dialogue, pieces: Pieces, teacher: PieceEncoder) -> Pieces | None:
    """The dialogue as a teacher reads it, if its window has the same words of the context."""
    try:
        taught = teacher.encode(dialogue)
    except PiecesError:
        return None
    same = np.array_equal(taught.turns, pieces.turns) and np.array_equal(taught.words, pieces.words)
    return taught if same else None
