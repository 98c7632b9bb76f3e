"""Restoration against its definition, spelled out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utterly.metrics.restoration import FORMULAS, ORDERS, restoration_statistics

word_lists = st.lists(st.sampled_from("abcd"), max_size=6)


def slow_counts(hypothesis: list[str], reference: list[str], source: list[str], order: int) -> list[int]:
    found, wanted = slow_restored(hypothesis, source, order), slow_restored(reference, source, order)
    left, shared = list(wanted), 0
    for ngram in found:
        if ngram in left:
            left.remove(ngram)
            shared += 1
    return [shared, len(found), len(wanted)]


def slow_restored(words: list[str], source: list[str], order: int) -> list[list[str]]:
    runs = [words[start : start + order] for start in range(len(words) - order + 1)]
    return [run for run in runs if any(word not in source for word in run)]


@given(st.lists(st.tuples(word_lists, word_lists, word_lists), max_size=3))
def test_counts_are_those_of_the_definition(rows: list[tuple[list[str], list[str], list[str]]]) -> None:
    hypotheses, references, sources = ([row[side] for row in rows] for side in range(3))
    statistics = restoration_statistics(hypotheses, references, sources)
    assert statistics.shape == (len(rows), len(ORDERS), 3)
    assert statistics.tolist() == [[slow_counts(*row, order) for order in ORDERS] for row in rows]


def test_only_ngrams_with_a_restored_word_count() -> None:
    statistics = restoration_statistics(
        ["is federer swiss ?".split()], ["is roger federer swiss ?".split()], ["is he swiss ?".split()]
    )
    words, pairs, triples = statistics[0]
    assert words.tolist() == [1, 1, 2]  # federer; federer; roger, federer
    assert pairs.tolist() == [1, 2, 3]  # not "swiss ?"
    assert triples.tolist() == [1, 2, 3]
    assert float(FORMULAS["P"](words)) == 1
    assert float(FORMULAS["R"](words)) == 0.5
    assert float(FORMULAS["F"](words)) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "figure"), [("he", "he", 1), ("he", "roger", 0), ("roger", "he", 0), ("", "", 1)]
)
def test_restoring_nothing_is_right_only_where_nothing_was_wanted(
    hypothesis: str, reference: str, figure: float
) -> None:
    statistics = restoration_statistics([hypothesis.split()], [reference.split()], [["he"]])[0, 0]
    assert [float(formula(statistics)) for formula in FORMULAS.values()] == [figure] * 3
