"""Distances are those of the definition, however they are computed."""

import sys
from math import isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.slow_twins import slow_distance, slow_distances
from tests.strategies import RULES
from utterly.errors import MissingExtraError
from utterly.rules.distance import indel_distance, indel_distances, nearest_rule
from utterly.scripts.edits import Rule


def rule(text: str) -> Rule:
    return Rule.parse(text)


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [
        ("in addition to _", "in addition _", 1 / 7),
        ("besides _", "besides _", 0),
        ("besides _", "_", 1 / 3),
        ("besides _", "for _", 1 / 2),  # no substitutions: one deletion, one insertion
        ("okay", "song", 1),
        ("okay", "∅", 1),
        ("\\_ x", "_ x", 1 / 2),  # the word _ is not a slot
    ],
)
def test_the_distance_is_insertions_and_deletions_over_both_lengths(left: str, right: str, distance: float) -> None:
    assert isclose(indel_distance(rule(left).parts, rule(right).parts), distance)


@given(RULES, RULES)
def test_a_distance_is_that_of_the_definition(left: Rule, right: Rule) -> None:
    assert isclose(indel_distance(left.parts, right.parts), slow_distance(left, right), abs_tol=1e-9)


@given(st.lists(RULES, min_size=1, max_size=5), st.lists(RULES, min_size=1, max_size=5))
def test_the_matrix_holds_the_distance_of_every_pair(rows: list[Rule], columns: list[Rule]) -> None:
    np.testing.assert_allclose(indel_distances(rows, columns), slow_distances(rows, columns), atol=1e-6)


def test_the_nearest_rule_has_as_many_slots_and_of_equally_near_ones_the_first_is_taken() -> None:
    candidates = [rule(text) for text in ("∅", "_", "_ _", "in addition _", "by _", "for _")]
    assert nearest_rule(rule("in addition to _"), candidates) == rule("in addition _")
    assert nearest_rule(rule("in addition to _ _"), candidates) == rule("_ _")
    assert nearest_rule(rule("under _"), candidates) == rule("_")
    assert nearest_rule(rule("under _"), candidates[3:]) == rule("by _")
    assert nearest_rule(rule("okay"), candidates) == rule("∅")


def test_without_rapidfuzz_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    monkeypatch.setitem(sys.modules, "rapidfuzz.process", None)
    for work in (lambda: indel_distance(("a",), ("b",)), lambda: indel_distances([rule("a")], [rule("b")])):
        with pytest.raises(MissingExtraError, match=r"package 'rapidfuzz'.*pip install 'utterly\[labels\]'"):
            work()
