"""Labels as training examples: mapped onto the tagger's kind and its rule book, and cut into pieces.

Imports no torch, so that worker processes start quickly.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.jsonl import read_jsonl
from utterly.errors import PiecesError
from utterly.labels.labels import Labels, labels_for
from utterly.model.encode import PieceEncoder, Pieces
from utterly.parallel import in_processes
from utterly.rules.book import RuleBook
from utterly.rules.literal import LiteralRestriction
from utterly.rules.restrict import Restriction
from utterly.training.dev_scores import is_exact

Ends = tuple[int, int]
"""The context indices of the first and the last word of a span."""

_CHUNK: Final = 500  # labels sent to a process at once


@dataclass(frozen=True)
class GoldWord:
    """The labels of one source word; for each slot, the ends of every mention."""

    keep: bool
    rule: int
    slots: tuple[tuple[Ends, ...], ...]


@dataclass(frozen=True)
class Example:
    """A dialogue in pieces with its labels."""

    dialogue: Dialogue
    pieces: Pieces
    gold: tuple[GoldWord, ...]  # one per source word, and one for the end
    for_teacher: Pieces | None = None  # the same words as a teacher reads them; None if its window has others

    def __len__(self) -> int:
        return len(self.pieces.ids)


class Encoded(NamedTuple):
    """The examples of some labels, in order, and how many labels gave none."""

    examples: list[Example]
    too_long: int = 0  # the source does not fit the encoder
    inexact: int = 0  # `exact_only` skipped the script: in the book's rules it misses its target


class ExampleEncoder:
    """Encodes labels for one kind of tagger, with one rule book.

    With `literal`, rules are mapped as in the paper (`utterly.rules.literal`). With `exact_only`, scripts that do not
    give their target in the rules of the book, ignoring case, are skipped. `teacher` encodes the same dialogues for
    teachers, which may cut words into other pieces.
    """

    def __init__(
        self,
        kind: str,
        book: RuleBook,
        encoder: PieceEncoder,
        *,
        literal: bool = False,
        exact_only: bool = False,
        teacher: PieceEncoder | None = None,
    ) -> None:
        self._kind, self._book, self._encoder = kind, book, encoder
        self._literal, self._exact_only, self._teacher = literal, exact_only, teacher
        # Only HCT has rules with words; for the others, a phrase keeps only its spans.
        ours = Restriction(book, copy_words=kind == "hct")
        self._restrict = LiteralRestriction(book).restrict if literal else ours.restrict

    def encode(self, labels: Iterable[Labels], *, workers: int = 1) -> Encoded:
        """Labels as examples, by several processes."""
        remaining = iter(labels)
        chunks = iter(lambda: list(islice(remaining, _CHUNK)), [])
        parts = list(in_processes(self._encode_chunk, chunks, workers=workers))
        examples = [example for part in parts for example in part.examples]
        return Encoded(examples, sum(part.too_long for part in parts), sum(part.inexact for part in parts))

    def _encode_chunk(self, chunk: Sequence[Labels]) -> Encoded:
        as_kind = labels_for(self._kind, literal=self._literal)
        labels = [self._restrict(as_kind(each)) for each in chunk]
        wanted = [each for each in labels if not self._exact_only or is_exact(each.script)]
        examples = [example for each in wanted if (example := self._example(each))]
        return Encoded(examples, len(wanted) - len(examples), len(labels) - len(wanted))

    def _example(self, labels: Labels) -> Example | None:
        dialogue = labels.script.dialogue
        try:
            pieces = self._encoder.encode(dialogue)
        except PiecesError:
            return None
        gold = []
        for edit, slots in zip(labels.script.edits, labels.mentions, strict=True):
            in_window = tuple(tuple(ends for span in spans if (ends := pieces.ends_of(span))) for spans in slots)
            gold.append(GoldWord(edit.keep, self._book.number(edit.rule), in_window))
        return Example(dialogue, pieces, tuple(gold), self._for_teacher(dialogue, pieces))

    def _for_teacher(self, dialogue: Dialogue, pieces: Pieces) -> Pieces | None:
        """The dialogue as the teacher reads it, if its window has the same context words."""
        if self._teacher is None:
            return None
        try:
            taught = self._teacher.encode(dialogue)
        except PiecesError:
            return None
        same = np.array_equal(taught.turns, pieces.turns) and np.array_equal(taught.words, pieces.words)
        return taught if same else None


def read_dev(path: Path | str, limit: int = 0) -> list[Dialogue]:
    """The dialogues of a file that have a target: the first `limit` of them, or all if it is 0."""
    return list(islice((dialogue for dialogue in read_jsonl(path) if dialogue.target), limit or None))
