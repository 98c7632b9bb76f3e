"""Alignment of source and target: the paper's cases, and the definition of the longest common subsequence."""

import importlib
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.labels.slow_twins import aligned_by_the_book, every_alignment, phrases
from utterly.errors import MissingExtraError
from utterly.labels import lcs
from utterly.labels.lcs import align, aligned_pairs

FEW_WORDS = st.lists(st.sampled_from("abc"), max_size=5)
WORDS = st.lists(st.sampled_from("abcde"), max_size=14)


def shown(source: str, target: str) -> tuple[str, list[tuple[int, str]]]:
    """Actions as letters, and phrases with the source word they go before."""
    alignment = align(source.split(), target.split())
    words = target.split()
    actions = "".join("K" if keep else "D" for keep in alignment.keep)
    return actions, [(before, " ".join(words[start:stop])) for before, start, stop in alignment.phrases]


@pytest.mark.parametrize(
    ("source", "target", "actions", "added"),
    [
        ("sleeps well", "sleeps well", "KK", []),
        ("night .", "night now .", "KK", [(1, "now")]),
        ("well , mostly at", "well at", "KDDK", []),
        ("it sleeps", "the puppy sleeps", "DK", [(0, "the puppy")]),
        (
            "it sleeps well , mostly at night .",
            "the puppy sleeps well at night now .",
            "DKKDDKKK",
            [(0, "the puppy"), (7, "now")],
        ),
        (
            "did he have any other injuries ?",
            "did federer have any other injuries besides his back ?",
            "KDKKKKK",
            [(1, "federer"), (6, "besides his back")],
        ),
        ("a x y b", "a p b", "KDDK", [(1, "p")]),
        ("why", "why not", "K", [(1, "not")]),
        ("", "why", "", [(0, "why")]),
        ("why", "", "D", []),
        ("", "", "", []),
        ("one two", "three four", "DD", [(0, "three four")]),
    ],
    ids=[
        *("case 1", "case 2", "case 3", "case 4", "all cases, figure of the paper", "Federer"),
        *("before the first deleted word", "at the end", "no source", "no target", "neither", "nothing shared"),
    ],
)
def test_the_cases_of_the_paper(source: str, target: str, actions: str, added: list[tuple[int, str]]) -> None:
    assert shown(source, target) == (actions, added)


def test_fewer_phrases_are_preferred_among_equally_long_alignments() -> None:
    assert shown("x a b", "z a c a b") == ("DKK", [(0, "z a c")])
    assert shown("is the end", "so the way of the end") == ("DKK", [(0, "so the way of")])


@given(FEW_WORDS, FEW_WORDS)
@settings(max_examples=60)
def test_the_alignment_is_the_longest_and_of_those_has_the_fewest_phrases(source: list[str], target: list[str]) -> None:
    pairs = aligned_pairs(source, target)
    best = max((len(each), -phrases(each, len(target))) for each in every_alignment(source, target))
    assert tuple(pairs) in set(every_alignment(source, target))
    assert (len(pairs), -phrases(pairs, len(target))) == best


@given(WORDS, WORDS)
def test_it_is_as_good_as_the_slow_twin_on_longer_texts(source: list[str], target: list[str]) -> None:
    pairs, slow = aligned_pairs(source, target), aligned_by_the_book(source, target)
    assert len(pairs) == len(slow)
    assert phrases(pairs, len(target)) == phrases(slow, len(target))
    assert len(align(source, target).phrases) == phrases(pairs, len(target))


@given(FEW_WORDS, FEW_WORDS)
@settings(max_examples=30)
def test_the_slow_twin_is_right_by_definition(source: list[str], target: list[str]) -> None:
    pairs = aligned_by_the_book(source, target)
    best = max((len(each), -phrases(each, len(target))) for each in every_alignment(source, target))
    assert (len(pairs), -phrases(pairs, len(target))) == best


def test_where_the_search_would_take_too_long_any_longest_alignment_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = "b a c a b".split(), "a b c b a c".split()
    best = aligned_pairs(source, target)
    monkeypatch.setattr(lcs, "_LONGEST_SEARCH", 0)
    assert len(aligned_pairs(source, target)) == len(best)


def test_without_rapidfuzz_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    monkeypatch.delitem(sys.modules, "utterly.labels.lcs")
    with pytest.raises(MissingExtraError, match=r"needs the package 'rapidfuzz'.*pip install 'utterly\[labels\]'"):
        importlib.import_module("utterly.labels.lcs")
