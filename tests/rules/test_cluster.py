"""Rules that read alike come together under the frequent one."""

import sys
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.strategies import labels
from tests.strategies import RULES
from utterly.errors import MissingExtraError
from utterly.labels.labels import Labels
from utterly.rules import cluster as clustering
from utterly.rules.cluster import Cluster, cluster_rules, count_rules
from utterly.scripts.edits import NULL_RULE, Rule

COUNTS = {
    "_": 500,
    "in addition _": 60,
    "in addition to _": 3,
    "in addition to his _": 1,
    "besides _": 80,
    "besides the _": 4,
    "besides his _": 2,
    "_ 's": 90,
    "_ 's own": 2,
    "besides _ _": 20,
    "besides _ and _": 1,
    "okay": 9,
    "okay then": 2,
    "song": 7,
    "song of": 1,
}


def counted(counts: dict[str, int]) -> Counter[Rule]:
    return Counter({Rule.parse(text): count for text, count in counts.items()})


def exemplars(clusters: list[Cluster]) -> dict[str, str]:
    return {str(member): str(cluster.exemplar) for cluster in clusters for member in cluster.members}


def test_rare_rules_join_the_frequent_rule_they_read_like() -> None:
    found = exemplars(cluster_rules(counted(COUNTS)))
    assert found["in addition to _"] == "in addition _"  # the paper's example
    assert found["in addition to his _"] == "in addition _"
    assert found["besides the _"] == found["besides his _"] == "besides _"
    assert found["okay then"] == "okay"
    assert "_" not in found  # glue rules are in every book


def test_clusters_that_cover_most_come_first_and_know_how_much() -> None:
    clusters = cluster_rules(counted(COUNTS))
    assert [cluster.count for cluster in clusters] == sorted((c.count for c in clusters), reverse=True)
    assert sum(cluster.count for cluster in clusters) == sum(COUNTS.values()) - COUNTS["_"]


@settings(max_examples=25)
@given(st.dictionaries(RULES, st.integers(1, 50), max_size=30), st.integers(0, 3))
def test_clusters_divide_the_rules_by_slots_and_the_same_seed_gives_the_same_in_any_order(
    counts: dict[Rule, int], seed: int
) -> None:
    clusters = cluster_rules(Counter(counts), seed=seed)
    members = [rule for cluster in clusters for rule in cluster.members]
    assert sorted(map(str, members)) == sorted(str(rule) for rule in counts if rule != NULL_RULE and not rule.is_glue)
    for cluster in clusters:
        assert cluster.exemplar in cluster.members
        assert {rule.slots for rule in cluster.members} == {cluster.exemplar.slots}
    assert cluster_rules(Counter(dict(reversed(counts.items()))), seed=seed) == clusters


def test_literally_no_rule_is_preferred_as_an_exemplar() -> None:
    rules = ["besides _", "besides the _", "besides the old _", "by _", "by the _"]
    found = {
        literal: [exemplars(cluster_rules(counted(dict.fromkeys(rules, 1) | {each: 10**6}), literal=literal))[each]
                  for each in rules]
        for literal in (False, True)
    }  # fmt: skip
    assert found[False] == rules  # whichever is frequent stands for itself
    assert found[True] != rules


@pytest.mark.parametrize(
    "texts",
    [[], ["by _"], ["by _", "by the _"], ["a _", "b _", "c _"], ["a", "b", "c", "d"]],
    ids=["none", "one", "two", "three as far apart", "four that share nothing"],
)
def test_few_rules_and_rules_equally_far_apart_have_clusters_too(texts: list[str]) -> None:
    clusters = cluster_rules(counted(dict.fromkeys(texts, 1)))
    assert sorted(exemplars(clusters)) == texts


def test_where_messages_never_settle_each_rule_stands_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    class Restless:
        cluster_centers_indices_ = (0,)
        n_iter_ = clustering._MOST_ITERATIONS

        def __init__(self, *, damping: float, **_: Any) -> None:
            tried.append(damping)

        def fit(self, _: object) -> "Restless":
            return self

    monkeypatch.setattr(clustering, "require", lambda *_, **__: SimpleNamespace(AffinityPropagation=Restless))
    found = exemplars(cluster_rules(counted({"by _": 5, "by the _": 1, "by a _": 1})))
    assert found == {text: text for text in ("by _", "by the _", "by a _")}
    assert tried == [0.7, 0.9, 0.98]


def test_past_the_limit_rules_join_the_nearest_exemplar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clustering, "_MOST_RULES", 2)
    found = exemplars(cluster_rules(counted({"besides _": 9, "by _": 8, "besides the _": 1, "by the _": 1})))
    assert found == {"besides _": "besides _", "besides the _": "besides _", "by _": "by _", "by the _": "by _"}


@given(labels())
def test_every_inserted_phrase_is_counted(each: Labels) -> None:
    counts = count_rules([each, each])
    assert counts.total() == 2 * sum(edit.rule != NULL_RULE for edit in each.script.edits)
    assert NULL_RULE not in counts


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    with pytest.raises(MissingExtraError, match=r"package 'sklearn'.*pip install 'utterly\[labels\]'"):
        cluster_rules(counted(COUNTS))
