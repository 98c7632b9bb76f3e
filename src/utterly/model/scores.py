"""Both levels of a tagger put together, whatever computes them.

The first level scores actions and rules; the words whose rule has slots become queries; the second level scores
their spans; the decoder chooses scripts. A batch is arrays, padded with zeros.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from utterly.dialogues.dialogue import Dialogue
from utterly.model.decode import (
    DecodeSettings,
    Query,
    ScoredScript,
    TagScores,
    best_scripts,
    wanted_queries,
)
from utterly.model.encode import Indices, Pieces
from utterly.model.spans import Floats, FoundSpans, best_spans
from utterly.rules.book import RuleBook

Mask = NDArray[np.bool_]


class PieceBatch(NamedTuple):
    """Dialogues of different lengths as one; masks are True where there is something."""

    ids: Indices  # (batch, pieces)
    types: Indices  # (batch, pieces)
    mask: Mask  # (batch, pieces)
    source: Indices  # (batch, source): piece of each source word and of the end
    source_mask: Mask  # (batch, source)
    context: Indices  # (batch, context): piece of [CLS] and of each context word
    context_mask: Mask  # (batch, context)


class SpanScores(NamedTuple):
    """What the second level says of some queries, as log probabilities."""

    start: Floats  # (queries, slots, context)
    end: Floats  # (queries, slots, context)


SecondLevel = Callable[[Indices], SpanScores]
"""From queries as rows of (dialogue in the batch, source word, rule) to the scores of their spans."""


class Scorer(Protocol):
    """A tagger that answers in scripts, wherever it runs."""

    def decode(
        self,
        dialogues: Sequence[Dialogue],
        pieces: Sequence[Pieces],
        book: RuleBook,
        settings: DecodeSettings,
        *,
        n: int = 1,
    ) -> list[list[ScoredScript]]:
        """The `n` best scripts of each dialogue."""


def batch_of(pieces: Sequence[Pieces]) -> PieceBatch:
    """Dialogues padded to the longest of them."""
    ids, mask = _padded([p.ids for p in pieces])
    types, _ = _padded([p.types for p in pieces])
    source, source_mask = _padded([p.source for p in pieces])
    context, context_mask = _padded([p.context for p in pieces])
    return PieceBatch(ids, types, mask, source, source_mask, context, context_mask)


def tag_scores(actions: Floats, rules: Floats | None, pieces: Sequence[Pieces]) -> list[TagScores]:
    """The first level's answer for each dialogue, from that for the batch: log probabilities, padded."""
    sizes = [len(p.source) for p in pieces]
    return [TagScores(actions[i, :size], None if rules is None else rules[i, :size]) for i, size in enumerate(sizes)]


def scripts_from_scores(
    dialogues: Sequence[Dialogue],
    pieces: Sequence[Pieces],
    scores: Sequence[TagScores],
    second_level: SecondLevel,
    book: RuleBook,
    settings: DecodeSettings,
    *,
    n: int = 1,
) -> list[list[ScoredScript]]:
    """The `n` best scripts of each dialogue, from what the first level says and the second, where it is asked."""
    wanted = [wanted_queries(p, each, book, settings) for p, each in zip(pieces, scores, strict=True)]
    spans = found_spans(pieces, wanted, second_level, settings)
    each = zip(dialogues, pieces, scores, spans, strict=True)
    return [best_scripts(d, p, tagged, found, book, settings, n=n) for d, p, tagged, found in each]


def found_spans(
    pieces: Sequence[Pieces], wanted: Sequence[Sequence[Query]], second_level: SecondLevel, settings: DecodeSettings
) -> list[dict[Query, FoundSpans]]:
    """The second level's answer for each query of each dialogue. Without queries it is not asked."""
    rows = [(i, query.word, query.rule) for i, queries in enumerate(wanted) for query in queries]
    if not rows:
        return [{} for _ in wanted]
    scores = second_level(np.array(rows, dtype=np.int64))
    found: list[dict[Query, FoundSpans]] = []
    at = 0
    for p, queries in zip(pieces, wanted, strict=True):
        here, size = slice(at, at + len(queries)), len(p.context)
        start, end = scores.start[here, :, :size], scores.end[here, :, :size]
        if queries:
            spans = best_spans(p, start, end, max_words=settings.max_span_words, count=settings.spans_per_slot)
        else:
            spans = []
        found.append(dict(zip(queries, spans, strict=True)))
        at += len(queries)
    return found


def _padded(rows: Sequence[Indices]) -> tuple[Indices, Mask]:
    """Rows of different lengths as one array, filled up with zeros, and a mask of what is not filling."""
    sizes = np.array([len(row) for row in rows])
    mask: Mask = np.arange(sizes.max())[None, :] < sizes[:, None]
    whole = np.zeros(mask.shape, dtype=np.int64)
    whole[mask] = np.concatenate(rows)
    return whole, mask
