"""BLEU against NLTK and sacreBLEU."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import bleu_score as nltk_bleu
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU

from utterly.metrics.bleu import Smoothing, bleu, bleu_statistics, corpus_bleu, sentence_bleu

# Few different words, so that n-grams repeat and match.
word_lists = st.lists(st.sampled_from("he she is a swiss player ?".split()), max_size=9)
corpora = st.lists(st.tuples(word_lists, word_lists), min_size=1, max_size=5)
ORDERS = (1, 2, 3, 4)
NLTK_SMOOTHING = {
    Smoothing.NONE: None,
    Smoothing.ADD_ONE: nltk_bleu.SmoothingFunction().method2,
    Smoothing.GEOMETRIC: nltk_bleu.SmoothingFunction().method3,
}

FEDERER = [
    ("is he swiss ?", "is roger federer swiss ?"),
    ("how many grand slams did he win ?", "how many grand slams did roger federer win ?"),
    ("why ?", "why did roger federer retire ?"),
    ("the the the the", "the cat is on the mat"),
]


def by_nltk(pairs: list[tuple[list[str], list[str]]], order: int, smoothing: Smoothing) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where an order has no match
        return float(
            nltk_bleu.corpus_bleu(
                [[reference] for _, reference in pairs],
                [hypothesis for hypothesis, _ in pairs],
                weights=(1 / order,) * order,
                smoothing_function=NLTK_SMOOTHING[smoothing],
            )
        )


def statistics_of(pairs: list[tuple[list[str], list[str]]]) -> NDArray[np.int64]:
    return bleu_statistics([left for left, _ in pairs], [right for _, right in pairs])


@pytest.mark.parametrize("order", ORDERS)
def test_corpus_bleu_of_written_pairs_is_that_of_nltk(order: int) -> None:
    pairs = [(left.split(), right.split()) for left, right in FEDERER]
    ours = float(bleu(statistics_of(pairs).sum(axis=0), order=order))
    assert ours == pytest.approx(by_nltk(pairs, order, Smoothing.NONE))
    assert ours > 0


@given(corpora, st.sampled_from(ORDERS))
def test_corpus_bleu_is_that_of_nltk(pairs: list[tuple[list[str], list[str]]], order: int) -> None:
    ours = float(bleu(statistics_of(pairs).sum(axis=0), order=order))
    assert ours == pytest.approx(by_nltk(pairs, order, Smoothing.NONE), abs=1e-12)
    assert order < 4 or ours == corpus_bleu(*zip(*pairs, strict=True))


@pytest.mark.parametrize("smoothing", [*Smoothing])
@given(pairs=corpora, order=st.sampled_from(ORDERS))
def test_sentence_bleu_is_that_of_nltk(
    smoothing: Smoothing, pairs: list[tuple[list[str], list[str]]], order: int
) -> None:
    ours = bleu(statistics_of(pairs), order=order, smoothing=smoothing).tolist()
    assert ours == pytest.approx([by_nltk([pair], order, smoothing) for pair in pairs], abs=1e-12)
    is_default = order == 4 and smoothing is Smoothing.ADD_ONE
    assert not is_default or ours == sentence_bleu(*zip(*pairs, strict=True)).tolist()


@given(corpora, st.sampled_from(ORDERS))
def test_without_a_least_total_and_geometric_smoothing_it_is_sacrebleu(
    pairs: list[tuple[list[str], list[str]]], order: int
) -> None:
    hypotheses, references = [left for left, _ in pairs], [right for _, right in pairs]
    statistics = bleu_statistics(hypotheses, references, least_total=0)
    ours = bleu(statistics.sum(axis=0), order=order, smoothing=Smoothing.GEOMETRIC)
    theirs = BLEU(tokenize="none", max_ngram_order=order).corpus_score(
        [" ".join(words) for words in hypotheses], [[" ".join(words) for words in references]]
    )
    assert 100 * float(ours) == pytest.approx(theirs.score, abs=1e-9)


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=4, max_size=9), min_size=1))
def test_equal_texts_of_four_words_score_one(texts: list[list[str]]) -> None:
    assert corpus_bleu(texts, texts) == pytest.approx(1)


def test_a_turn_too_short_for_an_order_costs_bleu_as_in_nltk() -> None:
    texts = ["why ?".split(), "is roger federer swiss ?".split()]
    assert corpus_bleu(texts, texts) == pytest.approx(by_nltk([(text, text) for text in texts], 4, Smoothing.NONE))
    assert corpus_bleu(texts, texts) < 1


@pytest.mark.parametrize(("hypothesis", "reference"), [("", "is he swiss"), ("is he swiss", ""), ("", "")])
@pytest.mark.parametrize("smoothing", [*Smoothing])
def test_a_side_without_words_scores_zero(hypothesis: str, reference: str, smoothing: Smoothing) -> None:
    assert bleu(statistics_of([(hypothesis.split(), reference.split())]), smoothing=smoothing).tolist() == [0]


def test_one_row_a_pair_even_for_no_pairs() -> None:
    assert bleu_statistics([], []).shape == (0, 10)
    assert bleu_statistics([["a"], []], [["a"], ["b"]]).tolist() == [
        [1, 1, 1, 0, 0, 0, 1, 1, 1, 1],
        [0, 1, 0, 0, 0, 0, 1, 1, 1, 1],
    ]


@given(corpora, st.integers(min_value=0, max_value=2**32))
def test_a_resample_is_a_sum_of_rows(pairs: list[tuple[list[str], list[str]]], seed: int) -> None:
    drawn = np.random.default_rng(seed).integers(len(pairs), size=len(pairs))
    rows = statistics_of(pairs)
    again = corpus_bleu([pairs[place][0] for place in drawn], [pairs[place][1] for place in drawn])
    assert float(bleu(rows[drawn].sum(axis=0))) == pytest.approx(again)
