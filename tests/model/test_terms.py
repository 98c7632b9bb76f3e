"""Terms are summed over all edits that may copy a word, not taken from the best script."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.test_decode import ENCODER, Ends, RandomEnds, log_probs, sure
from utterly import Rewriter
from utterly.dialogues.dialogue import Dialogue
from utterly.labels.function_words import FUNCTION_WORDS
from utterly.model import terms
from utterly.model.decode import Decoder
from utterly.model.encode import Pieces
from utterly.model.scores import Floats, Query, SpanScores, TagScores
from utterly.model.terms import Term, likely_terms
from utterly.rules.book import RuleBook
from utterly.scripts.edits import EditScript, Rule, Span

BOOK = RuleBook(tuple(map(Rule.parse, ("∅", "_", "_ _", "of _"))), (0,) * 4)
ANNA = Dialogue.of(["Who is Anna ?", "anna is a singer in Oslo", "why now ?"])


@dataclass(frozen=True)
class Known:
    """Scores that are known beforehand."""

    pieces: Pieces
    tags: TagScores
    ends: Ends

    def spans(self, queries: Sequence[Query]) -> SpanScores:
        start, end = zip(*(self.ends(self.pieces, query) for query in queries), strict=True)
        both = SpanScores(np.stack(start), np.stack(end))
        for number, query in enumerate(queries):
            both.start[number, query.slots :] = both.end[number, query.slots :] = -np.inf
        return both


def known(dialogue: Dialogue, rule_probabilities: Sequence[float], ends: Ends) -> Known:
    """Scores with the same rules at each source word."""
    words = len(dialogue.source.words) + 1
    rules = np.log(np.tile(np.array(rule_probabilities, dtype=np.float32), (words, 1)))
    return Known(ENCODER.encode(dialogue), TagScores(sure([1] * words, 2), rules), ends)


class At(Ends):
    """Spans of the one word at some context indices, all as probable."""

    def __init__(self, *places: int) -> None:
        self.places = places

    def __call__(self, pieces: Pieces, query: Query) -> tuple[Floats, Floats]:
        place = self.places[query.word % len(self.places)]
        only = np.repeat(sure([place], len(pieces.context)), 2, axis=0)
        return only, only.copy()


def found(dialogue: Dialogue, scores: Known) -> tuple[Term, ...]:
    return likely_terms(dialogue, scores.pieces, scores, Decoder(BOOK))


def test_a_word_that_no_script_inserts_is_a_term_if_many_might() -> None:
    scores = known(ANNA, [0.8, 0.1, 0.1, 1e-9], At(10))  # index 10 is Oslo
    assert Decoder(BOOK).best(ANNA, scores.pieces, scores)[0].script == EditScript.unchanged(ANNA)
    (term,) = found(ANNA, scores)
    assert (term.text, term.span) == ("Oslo", Span(1, 5, 6))
    assert term.probability == pytest.approx(1 - 0.8**4, abs=1e-4)


def test_mentions_of_a_word_count_together_whatever_their_case_and_the_likeliest_is_named() -> None:
    (term,) = found(ANNA, known(ANNA, [0.5, 0.5, 1e-9, 1e-9], At(5, 3, 5)))  # Anna, anna, at the four places
    assert (term.text, term.span) == ("anna", Span(1, 0, 1))
    assert term.probability == pytest.approx(1 - 0.5**4, abs=1e-4)


@pytest.mark.parametrize("word", ["the", "x", "7", "?", "他", "`"])
def test_function_words_marks_and_single_characters_are_no_terms(word: str) -> None:
    dialogue = Dialogue.of([word, "so ?"])
    assert found(dialogue, known(dialogue, [0.1, 0.7, 0.1, 0.1], At(1))) == ()


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_terms_are_as_probable_as_counting_all_spans_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dialogue = Dialogue.of(["Rain in Oslo . Rain again", "oslo **the** rain", "so ?"])
    pieces = ENCODER.encode(dialogue)
    scores = Known(pieces, TagScores(sure([1] * 3, 2), log_probs(rng, 3, len(BOOK))), RandomEnds(seed))
    by_word = counted(dialogue, scores)
    got = {term.text.casefold(): term.probability for term in found(dialogue, scores)}
    assert got == pytest.approx({word: p for word, p in by_word.items() if p >= terms.LEAST_PROBABILITY}, abs=1e-4)
    assert list(got.values()) == sorted(got.values(), reverse=True)


def counted(dialogue: Dialogue, scores: Known) -> dict[str, float]:
    """The slow twin: each query, slot and span by itself."""
    pieces, rules = scores.pieces, scores.tags.rules
    assert rules is not None
    said = [
        "" if turn < 0 else dialogue.context[turn].words[place].text.casefold()
        for turn, place in zip(pieces.turns, pieces.words, strict=True)
    ]
    nowhere = {}
    for word in {each for each in said if each not in FUNCTION_WORDS and len(each) > 1}:
        here = [0.0] * len(rules)
        for query in Decoder(BOOK).queries(pieces, scores.tags):
            start, end = scores.ends(pieces, query)
            in_none = 1.0
            for slot in range(query.slots):
                spans = {
                    (first, last): np.exp(float(start[slot, first] + end[slot, last]))
                    for first in range(len(said))
                    for last in range(first, len(said))
                    if pieces.firsts[first] == pieces.lasts[last]
                }
                hits = sum(p * said[first : last + 1].count(word) for (first, last), p in spans.items())
                in_none *= 1 - min(1, hits / sum(spans.values()))
            here[query.word] += float(np.exp(rules[query.word, query.rule])) * (1 - in_none)
        nowhere[word] = np.prod([1 - min(1, p) for p in here])
    return {word: 1 - float(p) for word, p in nowhere.items()}


@pytest.mark.parametrize("context", [[], [""], ["** ## |"], ["***", "| |"]])
def test_without_words_to_copy_there_are_no_terms(context: list[str]) -> None:
    dialogue = Dialogue.of([*context, "so ?"])
    if context:
        assert Rewriter.load("en").rewrite(dialogue, search=True).terms == ()
    assert Rewriter.load("en").rewrite(["so ?"], search=True).terms == ()


def test_taggers_without_rules_have_none() -> None:
    scores = known(ANNA, [0.1, 0.7, 0.1, 0.1], At(10))
    without = Known(scores.pieces, scores.tags._replace(rules=None), scores.ends)
    assert found(ANNA, without) == ()


def test_the_bundled_model_finds_a_topic_that_it_does_not_insert() -> None:
    chat = ["Tell me about the Eiffel Tower.", "It was built in 1889 in Paris.", "How many visitors come every year?"]
    plain, rewrite = (Rewriter.load("en").rewrite(chat, search=search, min_confidence=0.99) for search in (False, True))
    assert (plain.terms, plain.search_query) == (None, "How many visitors come every year?")
    assert (rewrite.text, rewrite.search_query) == (plain.text, "How many visitors come every year? Eiffel")
    found = [(term.text, term.span) for term in rewrite.terms or ()]
    assert found == [("Eiffel", Span(0, 4, 5)), ("Tower", Span(0, 5, 6))]


def test_a_word_that_the_rewrite_has_is_no_term() -> None:
    chat = ["Who is Federer?", "Federer is a tennis player.", "Is he Swiss?"]
    rewrite = Rewriter.load("en").rewrite(chat, search=True)
    assert rewrite.search_query == "Is Federer Swiss?"
    assert rewrite.terms is not None
    assert "federer" not in {term.text.casefold() for term in rewrite.terms}
    held_back = Rewriter.load("en").rewrite(chat, search=True, min_confidence=1.0)
    assert held_back.search_query == "Is he Swiss? Federer"
