"""Labels as training examples: mapped onto the tagger's kind and its rule book, and cut into pieces.

Imports no torch, so worker processes start quickly.
"""

from collections.abc import Iterable, Sequence, Sized
from dataclasses import KW_ONLY, dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.jsonl import read_jsonl
from utterly.errors import PiecesError, TrainingError
from utterly.files import numbered_raw_lines
from utterly.labels.labels import Labels, labels_for, read_labels
from utterly.model.encode import PieceEncoder, Pieces
from utterly.parallel import in_processes
from utterly.rules.book import RuleBook
from utterly.rules.literal import LiteralRestriction
from utterly.rules.restrict import Restriction
from utterly.training.dev_scores import is_exact

Ends = tuple[int, int]
"""The context indices of the first and the last word of a span."""

_CHUNK: Final = 500  # lines per task of a process


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
    for_teacher: Pieces | None = None  # the same words as a teacher reads them; None if its window differs

    def __len__(self) -> int:
        return len(self.pieces.ids)


class Encoded(NamedTuple):
    """The examples of some labels, in order, and how many labels gave none."""

    examples: list[Example]
    too_long: int = 0  # the source does not fit the encoder
    inexact: int = 0  # `exact_only` skipped the script, which misses its target in the book's rules


@dataclass
class ExampleEncoder:
    """Encodes labels for one kind of tagger, with one rule book."""

    kind: str
    book: RuleBook
    encoder: PieceEncoder
    _: KW_ONLY
    literal: bool = False  # map rules as in the paper: see `utterly.rules.literal`
    exact_only: bool = False  # skip scripts that miss their target in the book's rules, ignoring case
    teacher: PieceEncoder | None = None  # also encodes the dialogues for teachers, which may have other pieces

    def __post_init__(self) -> None:
        # Only HCT has rules with words; for the others, a phrase keeps only its spans.
        ours = Restriction(self.book, copy_words=self.kind == "hct")
        self._restrict = LiteralRestriction(self.book).restrict if self.literal else ours.restrict

    def encode(self, labels: Iterable[Labels]) -> Encoded:
        as_kind = labels_for(self.kind, literal=self.literal)
        mapped = [self._restrict(as_kind(each)) for each in labels]
        wanted = [each for each in mapped if not self.exact_only or is_exact(each.script)]
        examples = [example for each in wanted if (example := self._example(each))]
        return Encoded(examples, len(wanted) - len(examples), len(mapped) - len(wanted))

    def encode_file(self, path: Path | str, *, workers: int = 1) -> Encoded:
        """The labels of a file as examples, read and encoded by several processes, which do not compare their ids."""
        lines = numbered_raw_lines(path)
        chunks = iter(lambda: list(islice(lines, _CHUNK)), [])
        parts = list(in_processes(partial(self._encode_lines, path), chunks, workers=workers))
        examples = [example for part in parts for example in part.examples]
        return Encoded(examples, sum(part.too_long for part in parts), sum(part.inexact for part in parts))

    def _encode_lines(self, path: Path | str, lines: Sequence[tuple[int, bytes]]) -> Encoded:
        return self.encode(read_labels(path, lines=lines))

    def _example(self, labels: Labels) -> Example | None:
        dialogue = labels.script.dialogue
        pieces = _encoded(dialogue, self.encoder)
        if pieces is None:
            return None
        taught = _encoded(dialogue, self.teacher) if self.teacher else None
        same = taught and np.array_equal(taught.turns, pieces.turns) and np.array_equal(taught.words, pieces.words)
        gold = []
        for edit, slots in zip(labels.script.edits, labels.mentions, strict=True):
            in_window = tuple(tuple(ends for span in spans if (ends := pieces.ends_of(span))) for spans in slots)
            gold.append(GoldWord(edit.keep, self.book.number(edit.rule), in_window))
        return Example(dialogue, pieces, tuple(gold), taught if same else None)


def _encoded(dialogue: Dialogue, encoder: PieceEncoder) -> Pieces | None:
    """The dialogue in pieces; None if its source is too long."""
    try:
        return encoder.encode(dialogue)
    except PiecesError:
        return None


def check_data(labels: Sized, dev: Sized, *, hint: str = "") -> None:
    if not labels or not dev:
        raise TrainingError(
            f"training needs labels, and dev dialogues with a rewrite, got {len(labels)} and {len(dev)}; "
            f"check data.train and data.dev{hint}"
        )


def read_dev(path: Path | str, limit: int = 0) -> list[Dialogue]:
    """The dialogues of a file that have a target: the first `limit`, or all if it is 0."""
    return list(islice((dialogue for dialogue in read_jsonl(path) if dialogue.target), limit or None))
