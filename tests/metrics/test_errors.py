"""Kinds of error: worked by hand, and every wrong rewrite has one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utterly.metrics.errors import MEANINGS, ErrorKind, error_kinds, losses, same_word

TURN = "did he have any other injuries ?"
TARGET = "did federer have any other injuries besides his back ?"
WORDS = st.lists(st.sampled_from("he federer the of injury injuries won ?".split()), max_size=7)


def kinds(source: str, target: str, rewrite: str) -> set[str]:
    return {str(kind) for kind in error_kinds(source.split(), target.split(), rewrite.split())}


@pytest.mark.parametrize(
    ("source", "target", "rewrite", "expected"),
    [
        (TURN, TARGET, TARGET, set()),
        # nothing is added at either place: `federer` and `back` are missing
        (TURN, TARGET, TURN, {"under-inserted"}),
        (TURN, TARGET, "did federer have any other injuries ?", {"under-inserted"}),
        # `nadal` for `federer`, and `besides his back` left out
        (TURN, TARGET, "did nadal have any other injuries ?", {"wrong span", "under-inserted"}),
        (TURN, TARGET, "did federer have any other injuries besides his leg ?", {"wrong span"}),
        # only `besides` is missing
        (TURN, TARGET, "did federer have any other injuries his back ?", {"wrong rule"}),
        ("was his wife there", "was federer 's wife there", "was federer wife there", {"wrong rule"}),
        # `any` is the turn's own
        (TURN, TARGET, "did federer have other injuries besides his back ?", {"deleted"}),
        # `he` stays beside `federer`
        (TURN, TARGET, "did he federer have any other injuries besides his back ?", {"kept"}),
        # another form of a word of the turn, and of an added one
        ("were it good", "were the songs good", "was the songs good", {"agreement"}),
        ("were it good", "were the songs good", "were the song good", {"agreement"}),
        # worse than the turn: nothing was missing; the pronoun is deleted and nothing takes its place
        ("is basel big ?", "is basel big ?", "is basel in federer big ?", {"wrong span", "harmful"}),
        ("did he win ?", "did the band win ?", "did win ?", {"under-inserted", "harmful"}),
        ("他 去 吗", "小 明 去 吗", "小 红 去 吗", {"wrong span"}),
        ("", "federer", "", {"under-inserted"}),
    ],
)
def test_kinds_by_hand(source: str, target: str, rewrite: str, expected: set[str]) -> None:
    assert kinds(source, target, rewrite) == expected


@given(WORDS, WORDS, WORDS)
def test_a_rewrite_has_a_kind_if_and_only_if_its_words_are_not_the_targets(
    source: list[str], target: list[str], rewrite: list[str]
) -> None:
    found = error_kinds(source, target, rewrite)
    assert bool(found - {ErrorKind.HARMFUL}) == (rewrite != target)


@given(WORDS, WORDS)
def test_the_turn_left_alone_does_no_harm_and_adds_nothing(source: list[str], target: list[str]) -> None:
    assert not error_kinds(source, target, source) & {ErrorKind.HARMFUL, ErrorKind.WRONG_SPAN}


def test_every_kind_has_a_meaning() -> None:
    assert [*MEANINGS] == [*ErrorKind]


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("injury", "injuries", True),
        ("end", "ended", True),
        ("make", "making", True),
        ("is", "were", True),
        ("a", "an", True),
        ("have", "are", False),
        ("his", "hits", False),
        ("is", "isle", False),
        ("band", "bandit", False),
    ],
)
def test_forms_of_a_word_are_told_by_their_endings(left: str, right: str, same: bool) -> None:
    assert same_word(left, right) is same_word(right, left) is same


def test_the_loss_is_what_sentence_bleu_leaves() -> None:
    target = "a b c d".split()
    assert losses([target], [target]).tolist() == [0]
    # matches 3/4, (1+1)/(3+1), (0+1)/(2+1), (0+1)/(1+1); lengths are equal
    assert losses(["a b x d".split()], [target])[0] == pytest.approx(1 - (3 / 4 * 2 / 4 * 1 / 3 * 1 / 2) ** 0.25)
