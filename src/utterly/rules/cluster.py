"""Cluster rules that read alike, and keep the clusters that cover enough phrases.

Affinity propagation on the negative indel distance finds exemplars without being told how many. Rules
are clustered with rules of the same number of slots, so that an exemplar can always take a member's
spans; glue rules stay out, as they are in every book. Rules without a slot cluster among themselves.
"""

import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from utterly.edits import NULL_RULE, Rule
from utterly.extras import require
from utterly.rules.book import RuleBook
from utterly.rules.distance import indel_distances

_DAMPINGS: Final = (0.7, 0.9, 0.98)  # tried in turn until the messages settle
_PREFERENCE_OF_FREQUENT: Final = 0.1  # ours: per log count, so that frequent rules become exemplars


@dataclass(frozen=True)
class Cluster:
    """Rules that read alike; the exemplar is one of the members, and `count` is their phrases together."""

    exemplar: Rule
    members: tuple[Rule, ...]
    count: int


def cluster_rules(counts: Counter[Rule], *, seed: int = 0) -> list[Cluster]:
    """All clusters, those that cover most phrases first."""
    by_slots: dict[int, list[Rule]] = {}
    for rule in sorted(counts, key=lambda rule: (-counts[rule], str(rule))):
        if rule != NULL_RULE and not rule.is_glue:
            by_slots.setdefault(rule.slots, []).append(rule)
    clusters = [cluster for rules in by_slots.values() for cluster in _alike(rules, counts, seed)]
    return sorted(clusters, key=lambda cluster: (-cluster.count, str(cluster.exemplar)))


def _alike(rules: Sequence[Rule], counts: Counter[Rule], seed: int) -> Iterable[Cluster]:
    members: dict[int, list[Rule]] = {}
    for rule, exemplar in zip(rules, _exemplars(rules, counts, seed), strict=True):
        members.setdefault(exemplar, []).append(rule)
    for exemplar, alike in members.items():
        yield Cluster(rules[exemplar], tuple(alike), sum(counts[rule] for rule in alike))


def _exemplars(rules: Sequence[Rule], counts: Counter[Rule], seed: int) -> Sequence[int]:
    """For each rule, the place of its exemplar."""
    if len(rules) < 3:
        return range(len(rules))
    sklearn_cluster = require("sklearn.cluster", extra="labels")
    similarities = -indel_distances(rules, rules).astype(np.float64)
    frequencies = np.log([counts[rule] for rule in rules])
    preferences = np.median(similarities) + _PREFERENCE_OF_FREQUENT * frequencies
    for damping in _DAMPINGS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # equal similarities and missed convergence, both handled here
            found = sklearn_cluster.AffinityPropagation(
                affinity="precomputed", preference=preferences, damping=damping, max_iter=1000, random_state=seed
            ).fit(similarities)
        if len(found.cluster_centers_indices_) and found.n_iter_ < 1000:
            return [int(found.cluster_centers_indices_[label]) for label in found.labels_]
    return range(len(rules))


def build_book(
    clusters: Iterable[Cluster],
    counts: Counter[Rule],
    *,
    threshold: float = 0.005,  # the paper's; 0.01 for REWRITE
    max_slots: int = 3,  # the authors' for CANARD; 2 for MuDoCo, 1 for REWRITE
    size: int | None = None,
) -> RuleBook:
    """The book of the clusters that cover at least `threshold` of all phrases.

    With `size`, the book of the largest clusters instead, so many that it has `size` rules beside the null rule.
    """
    glue = [Rule.glue(slots) for slots in range(1, max_slots + 1)]
    phrases = sum(counts.values())
    fitting = [cluster for cluster in clusters if cluster.exemplar.slots <= max_slots]
    if size is None:
        kept = [cluster for cluster in fitting if cluster.count >= threshold * phrases]
    else:
        kept = fitting[: max(0, size - len(glue))]
    exemplars = {rule: cluster.exemplar for cluster in kept for rule in cluster.members if rule != cluster.exemplar}
    covered = {rule for cluster in kept for rule in cluster.members}
    # What no cluster of the book covers falls to the glue rule of its size, and without slots to the null rule.
    fallen: Counter[Rule] = Counter()
    for rule, count in counts.items():
        if rule not in covered:
            fallen[Rule.glue(min(rule.slots, max_slots))] += count
    rules = (NULL_RULE, *glue, *(cluster.exemplar for cluster in kept))
    return RuleBook(rules, (*(fallen[rule] for rule in rules[: len(glue) + 1]), *(c.count for c in kept)), exemplars)
