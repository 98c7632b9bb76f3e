"""Build a rule book from clusters of rules: keep the clusters that cover enough phrases."""

from collections import Counter
from collections.abc import Iterable

from utterly.errors import RuleBookError
from utterly.rules.book import RuleBook
from utterly.rules.cluster import Cluster
from utterly.rules.distance import nearest_rule
from utterly.scripts.edits import NULL_RULE, Rule


def build_book(
    clusters: Iterable[Cluster],
    counts: Counter[Rule],
    *,
    threshold: float = 0.005,  # the paper's; 0.01 for REWRITE
    max_slots: int = 3,  # the authors' for CANARD; 2 for MuDoCo, 1 for REWRITE
    size: int | None = None,
    literal: bool = False,
) -> RuleBook:
    """A book with the clusters that cover at least `threshold` of all phrases.

    With `size`, the largest clusters instead: `size` rules besides the null rule, or as many as there are. With
    `literal`, as in the paper, an exemplar represents all its members, and the glue rule all other clusters.
    """
    if not 0 <= threshold <= 1 or max_slots < 1 or (size is not None and size < max_slots):
        raise RuleBookError(
            "threshold must be from 0 to 1, max_slots at least 1 and size at least max_slots, "
            f"got threshold {threshold}, max_slots {max_slots} and size {size}"
        )
    if not counts:
        raise RuleBookError(
            "a rule book is built from inserted phrases, but these labels insert none; "
            "label dialogues whose rewrites add words"
        )
    glue = tuple(Rule.glue(slots) for slots in range(1, max_slots + 1))
    kept = [cluster for cluster in clusters if cluster.exemplar.slots <= max_slots]
    if size is None:
        kept = [cluster for cluster in kept if cluster.count >= threshold * counts.total()]
    else:
        kept = kept[: size - max_slots]
    exemplars = {rule: cluster.exemplar for cluster in kept for rule in _represented(cluster, literal)}
    fixed, others = (NULL_RULE, *glue), [cluster.exemplar for cluster in kept]
    known = exemplars | {rule: rule for rule in (*fixed, *others)}
    phrases = _phrases(counts, known, fixed if literal else (*fixed, *others))
    rules = (*fixed, *sorted(others, key=lambda rule: (-phrases[rule], str(rule))))
    return RuleBook(rules, tuple(phrases[rule] for rule in rules), exemplars)


def _represented(cluster: Cluster, literal: bool) -> list[Rule]:
    """The members that the exemplar represents.

    Unless `literal`, those as near to the glue rule or, without slots, to the null rule are left to it: `cameron _` may
    be in the cluster of `besides _`, but `besides` in place of `cameron` teaches a tagger nothing.
    """
    exemplar, glue = cluster.exemplar, Rule.glue(cluster.exemplar.slots)
    others = [rule for rule in cluster.members if rule != exemplar]
    return [rule for rule in others if literal or nearest_rule(rule, (glue, exemplar)) == exemplar]


def _phrases(counts: Counter[Rule], known: dict[Rule, Rule], others: tuple[Rule, ...]) -> Counter[Rule]:
    """How many phrases each rule of a book represents: a rule not in `known` counts for the nearest of the others."""
    max_slots = max(rule.slots for rule in others)
    phrases: Counter[Rule] = Counter()
    for rule, count in counts.items():
        if rule.slots > max_slots:
            phrases[Rule.glue(max_slots)] += count
        else:
            phrases[known[rule] if rule in known else nearest_rule(rule, others)] += count
    return phrases
