"""Terms: context words that the turn probably leaves out, whether or not the best script inserts them.

A script has one edit per position. An unsure model often chooses none, though most of its options insert the same word,
by several rules, at several positions, from several spans. So we sum over all of these: how probable is it that some
edit copies this word? Such a word helps a search even when it would not help a question.

This needs a tagger with rules, HCT. Function words are not terms, nor are words of one character, so Chinese has none.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from utterly.dialogues.dialogue import Dialogue, split_words
from utterly.labels.function_words import is_content
from utterly.model.decode import Decoder, all_spans, asked_slots
from utterly.model.encode import Pieces
from utterly.model.scores import Floats, Scores
from utterly.scripts.edits import Span

LEAST_PROBABILITY: Final = 0.1
"""Less probable words are not terms."""
_TINY: Final = 1e-30  # against division by 0: if the context is all markup, there are no spans


@dataclass(frozen=True, slots=True)
class Term:
    """A context word worth searching for: its likeliest mention, and the probability that the turn leaves it out."""

    text: str
    span: Span
    probability: float


def likely_terms(dialogue: Dialogue, pieces: Pieces, scores: Scores, decoder: Decoder) -> tuple[Term, ...]:
    """The terms of a dialogue, most probable first, each word once, ignoring case."""
    queries = decoder.queries(pieces, scores.tags)
    mentions = _mentions(dialogue, pieces)
    if scores.tags.rules is None or not queries or not mentions:
        return ()
    span_scores = scores.spans(queries)
    in_span = _in_span(all_spans(pieces, span_scores, decoder.settings))  # (rows, context)
    in_span_by_word = np.stack([in_span[:, places].sum(axis=1) for places in mentions.values()], axis=1)
    row_query, _ = asked_slots(span_scores).nonzero()
    by_source_word = np.zeros((len(scores.tags.rules), len(mentions)))
    by_mention = np.zeros(in_span.shape[1])
    for number, query in enumerate(queries):
        rule_probability = np.exp(scores.tags.rules[query.word, query.rule])
        rows = row_query == number
        in_no_slot = (1 - np.minimum(in_span_by_word[rows], 1)).prod(axis=0)
        by_source_word[query.word] += rule_probability * (1 - in_no_slot)
        by_mention += rule_probability * in_span[rows].sum(axis=0)
    probabilities = 1 - (1 - np.minimum(by_source_word, 1)).prod(axis=0)
    terms = []
    for places, probability in zip(mentions.values(), probabilities.tolist(), strict=True):
        if probability >= LEAST_PROBABILITY:
            place = max(places, key=by_mention.__getitem__)
            span = pieces.span_at(place, place)
            text = split_words(dialogue.context[span.turn].text, span.stop)[span.start].text
            terms.append(Term(text, span, probability))
    return tuple(sorted(terms, key=lambda term: -term.probability))


def _mentions(dialogue: Dialogue, pieces: Pieces) -> dict[str, list[int]]:
    """The context indices of each word that may be a term, case-folded."""
    mentions: dict[str, list[int]] = {}
    places = pieces.words.tolist()
    for turn in dict.fromkeys(pieces.turns[1:].tolist()):  # the first index is the stop symbol
        indices = np.flatnonzero(pieces.turns == turn).tolist()
        words = split_words(dialogue.context[turn].text, places[indices[-1]] + 1)
        for index in indices:
            word = words[places[index]].text.casefold()
            if len(word) > 1 and is_content(word):
                mentions.setdefault(word, []).append(index)
    return mentions


def _in_span(spans: Floats) -> NDArray[np.float64]:
    """The probability that each context word is in the span, given that it is one of `spans`: (rows, context)."""
    rows, context, most_words = spans.shape
    probabilities = np.exp(spans, dtype=np.float64)
    probabilities /= np.maximum(probabilities.sum(axis=(1, 2), keepdims=True), _TINY)
    begin, after = probabilities.sum(axis=2), np.zeros((rows, context + most_words))
    for more in range(most_words):
        after[:, more + 1 : more + 1 + context] += probabilities[:, :, more]
    in_span: NDArray[np.float64] = np.cumsum(begin - after[:, :context], axis=1)
    return in_span
