"""Cluster similar rules: affinity propagation on the negative indel distance.

It needs no number of clusters. Only rules with equally many slots are clustered, so an exemplar can always take a
member's spans; glue rules are left out, as they are in every book.
"""

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from utterly.extras import require
from utterly.labels.labels import Labels
from utterly.rules.distance import indel_distances, nearest_rule
from utterly.scripts.edits import NULL_RULE, Rule

_DAMPINGS: Final = (0.7, 0.9, 0.98)  # tried in turn until the messages converge
_MOST_ITERATIONS: Final = 1000  # CANARD converges after some 110
_PREFERENCE_OF_FREQUENT: Final = 0.1  # ours: per log count, to make frequent rules exemplars
_MOST_RULES: Final = 5000  # per number of slots: memory grows with the square, here to about 1 GB


@dataclass(frozen=True)
class Cluster:
    """Similar rules; the exemplar is one of the members, and `count` is how many phrases they insert."""

    exemplar: Rule
    members: tuple[Rule, ...]
    count: int


def count_rules(labels: Iterable[Labels]) -> Counter[Rule]:
    """How many phrases each rule inserts; the null rule inserts none."""
    return Counter(edit.rule for each in labels for edit in each.script.edits if edit.rule != NULL_RULE)


def cluster_rules(counts: Counter[Rule], *, seed: int = 0, literal: bool = False) -> list[Cluster]:
    """All clusters, those with the most phrases first. With `literal`, no rule is preferred as an exemplar."""
    by_slots: dict[int, list[Rule]] = {}
    for rule in sorted(counts, key=lambda rule: (-counts[rule], str(rule))):
        if rule != NULL_RULE and not rule.is_glue:
            by_slots.setdefault(rule.slots, []).append(rule)
    preference = 0.0 if literal else _PREFERENCE_OF_FREQUENT
    clusters = [cluster for rules in by_slots.values() for cluster in _clusters(rules, counts, seed, preference)]
    return sorted(clusters, key=lambda cluster: (-cluster.count, str(cluster.exemplar)))


def _clusters(rules: Sequence[Rule], counts: Counter[Rule], seed: int, preference: float) -> Iterator[Cluster]:
    """The clusters of rules with equally many slots, frequent first. Rules beyond the limit join the nearest one."""
    frequent, rare = rules[:_MOST_RULES], rules[_MOST_RULES:]
    members: dict[Rule, list[Rule]] = {}
    for rule, place in zip(frequent, _exemplars(frequent, counts, seed, preference), strict=True):
        members.setdefault(frequent[place], []).append(rule)
    for rule in rare:
        members[nearest_rule(rule, members)].append(rule)
    for exemplar, alike in members.items():
        yield Cluster(exemplar, tuple(alike), sum(counts[rule] for rule in alike))


def _exemplars(rules: Sequence[Rule], counts: Counter[Rule], seed: int, preference: float) -> Sequence[int]:
    """For each rule, the index of its exemplar."""
    each_its_own = range(len(rules))
    if len(rules) < 3:
        return each_its_own  # messages between two points do not depend on their distance
    sklearn_cluster = require("sklearn.cluster", extra="labels")
    similarities = -indel_distances(rules, rules).astype(np.float64)
    preferences = np.median(similarities) + preference * np.log([counts[rule] for rule in rules])
    for damping in _DAMPINGS:
        propagation = sklearn_cluster.AffinityPropagation(
            affinity="precomputed",
            preference=preferences,
            damping=damping,
            max_iter=_MOST_ITERATIONS,
            random_state=seed,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # no convergence, or rules all equally far apart
            found = propagation.fit(similarities)
        if len(found.cluster_centers_indices_) and found.n_iter_ < _MOST_ITERATIONS:
            return [int(found.cluster_centers_indices_[label]) for label in found.labels_]
    return each_its_own
