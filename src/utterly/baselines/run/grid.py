"""The matrix of RUN: an edit script as cells, and cells as an edit script.

Rows are the words of the context, then a few extra words that may be inserted; columns are the words of the source,
then its end. A cell says what its row does to its column:

    substitute   the row's word replaces the column's word
    insert       the row's word is inserted before the column's word

Touching cells of the same kind form a region, extended to a rectangle, and a region is an edit: the words of its rows,
all in one turn, are a span that replaces the words of its columns or goes before the first of them. Cells cannot
express inserted words that are neither in the context nor extra words, or deletions without a replacement: those are
left out.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from utterly.baselines.window import length_in_words, turns_that_fit
from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.extras import require
from utterly.scripts.edits import SLOT, Edit, EditScript, Rule, Span

Cells = NDArray[np.int64]  # (rows, columns), each a `Cell`

# From RUN's release. Several at the same place are inserted in our order, some before spans and some after.
EXTRA_WORDS: Final = {"en": ("besides", "in", "of", "the", "'s"), "zh": ("我", "和", "的", "是", "了")}
_AFTER_SPANS: Final = frozenset(["'s", "的", "是", "了"])
BREAK: Final = "|"  # between turns, so that no region crosses them


class Cell(IntEnum):
    NONE = 0
    SUBSTITUTE = 1
    INSERT = 2


class Row(NamedTuple):
    word: str
    place: tuple[int, int] | None = None  # turn and word in the context; None for an extra word, or a break
    extra: bool = False


@dataclass(frozen=True)
class Grid:
    """The rows and columns of one dialogue. Of too many turns, the oldest after the topic turns are left out."""

    dialogue: Dialogue
    topic_turns: int = 0
    most: int = 512  # rows, or whatever `length` counts
    length: Callable[[Turn], int] = length_in_words

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        extras = [Row(word, extra=True) for word in EXTRA_WORDS.get(self.dialogue.language, ())]
        most = self.most - self.length(Turn(" ".join(row.word for row in extras))) - len(extras)
        turns = turns_that_fit(self.dialogue, topic_turns=self.topic_turns, most=most, length=self.length)
        in_order: list[Row] = []
        for turn in turns:
            words = self.dialogue.context[turn].words
            in_order += [*(Row(word.text, (turn, i)) for i, word in enumerate(words)), Row(BREAK)]
        return (*in_order, *(row for extra in extras for row in (extra, Row(BREAK))))

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.dialogue.source.words) + 1

    def cells(self, script: EditScript) -> Cells:
        """A script as cells, as far as cells can express it."""
        cells = np.zeros(self.shape, dtype=np.int64)
        rows = {row.place or row.word.casefold(): i for i, row in enumerate(self.rows) if row.place or row.extra}
        for i, edit in enumerate(script.edits):
            stop = next(j for j in range(i, len(script.edits)) if script.edits[j].keep)  # of the deleted run
            columns, kind = (slice(i, stop), Cell.SUBSTITUTE) if stop > i else (slice(i, i + 1), Cell.INSERT)
            spans = iter(edit.spans)
            for part in edit.rule.parts:
                names = [part.casefold()] if part is not SLOT else _places(next(spans))
                found = [rows[name] for name in names if name in rows]
                if len(found) == len(names):  # else its turn was left out, or it is not an extra word
                    cells[found, columns] = kind
        return cells

    def script(self, cells: Cells) -> EditScript:
        """Cells as a script: each region is an edit."""
        ndimage = require("scipy.ndimage", extra="train")
        breaks = np.array([row.place is None and not row.extra for row in self.rows], dtype=bool)
        solid = np.where(breaks[:, None], Cell.NONE, cells)
        end = len(self.dialogue.source.words)
        deleted: set[int] = set()
        inserted: dict[int, list[slice]] = defaultdict(list)
        for kind in (Cell.SUBSTITUTE, Cell.INSERT):
            for rows, columns in ndimage.find_objects(ndimage.label(solid == kind)[0]):
                inserted[columns.start].append(rows)
                if kind is Cell.SUBSTITUTE:
                    deleted.update(range(columns.start, min(columns.stop, end)))
        edits = (Edit(i not in deleted, *self._rule_and_spans(inserted[i])) for i in range(end + 1))
        return EditScript(self.dialogue, tuple(edits))

    def _rule_and_spans(self, regions: list[slice]) -> tuple[Rule, tuple[Span, ...]]:
        """What is inserted at one place: extra words, spans in dialogue order, extra words that follow a span."""
        parts: list[tuple[int, int, str | None, Span | None]] = []
        for rows in regions:
            first, last = self.rows[rows.start], self.rows[rows.stop - 1]
            if first.place and last.place:
                parts.append((1, rows.start, SLOT, Span(first.place[0], first.place[1], last.place[1] + 1)))
            else:
                parts.append((2 if first.word in _AFTER_SPANS else 0, rows.start, first.word, None))
        parts.sort(key=lambda part: part[:2])
        return Rule(tuple(part[2] for part in parts)), tuple(span for *_, span in parts if span)


def _places(span: Span) -> list[tuple[int, int]]:
    return [(span.turn, i) for i in range(span.start, span.stop)]
