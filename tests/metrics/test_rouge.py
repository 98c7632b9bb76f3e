"""ROUGE against the `rouge` package, and against `rouge-score` where the two mean the same."""

from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rouge import Rouge
from rouge_score.rouge_scorer import RougeScorer

from utterly.metrics.rouge import common_subsequence, rouge_f1

word_lists = st.lists(st.sampled_from("he is a swiss player . 3.5 ?".split()), max_size=9)
different_words = st.lists(st.sampled_from("he is a swiss player ?".split()), unique=True, min_size=2)


class BlankSplitter:
    """What `rouge-score` calls a tokenizer."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()


def by_rouge(hypothesis: list[str], reference: list[str]) -> list[float]:
    scores = Rouge().get_scores(" ".join(hypothesis), " ".join(reference), avg=True)
    return [scores[name]["f"] for name in ("rouge-1", "rouge-2", "rouge-l")]


def by_rouge_score(hypothesis: list[str], reference: list[str]) -> list[float]:
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=BlankSplitter())
    scores = scorer.score(" ".join(reference), " ".join(hypothesis))
    return [scores[name].fmeasure for name in ("rouge1", "rouge2", "rougeL")]


def has_words(words: list[str]) -> bool:
    return bool(" ".join(words).strip("."))


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("is he swiss ?", "is roger federer swiss ?"),
        ("no . he left .", "no . roger federer left basel ."),
        ("did he pay 3.5 or 4.5 ?", "did roger federer pay 3.5 ?"),
        ("wait . . . what", "wait . what was it . . ."),
        ("the the the cat", "the cat the cat"),
        ("他 是 谁", "徐 晨 是 谁"),
        ("why", "why"),
    ],
)
def test_written_pairs_score_as_in_the_rouge_package(hypothesis: str, reference: str) -> None:
    ours = rouge_f1([hypothesis.split()], [reference.split()])[0]
    assert ours.tolist() == pytest.approx(by_rouge(hypothesis.split(), reference.split()), abs=1e-7)


@given(word_lists, word_lists)
def test_it_is_the_rouge_of_the_package(hypothesis: list[str], reference: list[str]) -> None:
    assume(has_words(hypothesis) and has_words(reference))
    ours = rouge_f1([hypothesis], [reference])[0]
    assert ours.tolist() == pytest.approx(by_rouge(hypothesis, reference), abs=1e-7)


@given(different_words, different_words)
def test_without_repeated_words_or_stops_all_rouges_agree(hypothesis: list[str], reference: list[str]) -> None:
    ours = rouge_f1([hypothesis], [reference])[0]
    assert ours.tolist() == pytest.approx(by_rouge_score(hypothesis, reference))


def test_a_repeated_word_counts_once_where_rouge_score_counts_it_twice() -> None:
    hypothesis, reference = "the the cat".split(), "the cat sat".split()
    assert rouge_f1([hypothesis], [reference])[0, 0] == pytest.approx(4 / 5)  # {the, cat} of 2 and of 3
    assert by_rouge_score(hypothesis, reference)[0] == pytest.approx(4 / 6)  # the, cat of 3 and of 3


@pytest.mark.parametrize(
    ("hypothesis", "reference"), [("", "is he swiss"), ("is he swiss", ""), ("", ""), (".", "is he swiss .")]
)
def test_a_side_without_words_scores_zero_where_the_package_raises(hypothesis: str, reference: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        by_rouge(hypothesis.split(), reference.split())
    assert rouge_f1([hypothesis.split()], [reference.split()]).tolist() == [[0, 0, 0]]


@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=9))
def test_equal_texts_of_two_words_score_one(words: list[str]) -> None:
    assert rouge_f1([words], [words]).tolist() == [[1, 1, 1]]


@given(st.lists(st.sampled_from("abcd"), max_size=7), st.lists(st.sampled_from("abcd"), max_size=7))
def test_the_common_subsequence_is_one_and_none_is_longer(left: list[str], right: list[str]) -> None:
    shared = subsequences(left) & subsequences(right)
    found = tuple(reversed(common_subsequence(left, right)))
    assert found in shared
    assert len(found) == max(map(len, shared))


def subsequences(words: list[str]) -> set[tuple[str, ...]]:
    return {chosen for size in range(len(words) + 1) for chosen in combinations(words, size)}


def test_a_text_longer_than_a_machine_word_is_no_problem() -> None:
    left, right = list("abcde" * 60), list("badce" * 60)
    shared = common_subsequence(left, right)
    assert len(shared) >= 180
    assert common_subsequence(left, left) == left[::-1]
