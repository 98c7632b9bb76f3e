"""Which clusters make it into the book, and where the rest goes."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import RULES
from utterly.errors import RuleBookError
from utterly.rules.book import RuleBook
from utterly.rules.build import build_book
from utterly.rules.cluster import Cluster, cluster_rules
from utterly.scripts.edits import NULL_RULE, Rule


def rule(text: str) -> Rule:
    return Rule.parse(text)


def cluster(count: int, *texts: str) -> Cluster:
    return Cluster(rule(texts[0]), tuple(map(rule, texts)), count)


COUNTS = Counter(
    {
        rule("_"): 500,
        rule("_ _"): 100,
        rule("_ _ _ _"): 10,
        rule("besides _"): 200,
        rule("besides the _"): 20,
        rule("cameron _"): 5,
        rule("by _"): 80,
        rule("of _ _ _"): 40,
        rule("under _"): 1,
        rule("?"): 30,
        rule("okay"): 4,
        rule("band ?"): 10,
    }
)
CLUSTERS = [
    cluster(225, "besides _", "besides the _", "cameron _"),
    cluster(80, "by _"),
    cluster(40, "of _ _ _"),
    cluster(30, "?", "band ?"),
    cluster(4, "okay"),
    cluster(1, "under _"),
]


def shown(book: RuleBook) -> dict[str, int]:
    return dict(zip(map(str, book.rules), book.counts, strict=True))


def test_rare_clusters_fall_to_glue_and_null_rules() -> None:
    book = build_book(CLUSTERS, COUNTS, threshold=0.02)
    assert shown(book) == {
        "∅": 4,  # okay
        "_": 506,  # with under _, and cameron _, which is nearer to _ than to besides _
        "_ _": 100,
        "_ _ _": 10,  # the rule of four slots
        "besides _": 220,
        "by _": 80,
        "?": 40,
        "of _ _ _": 40,
    }
    assert book.exemplars == {rule("besides the _"): rule("besides _"), rule("band ?"): rule("?")}


def test_literally_every_member_goes_to_its_exemplar_and_rare_clusters_to_glue() -> None:
    book = build_book(CLUSTERS, COUNTS, threshold=0.1, literal=True)
    assert shown(book) == {"∅": 44, "_": 581, "_ _": 100, "_ _ _": 50, "besides _": 225}
    assert book.exemplars == {rule("besides the _"): rule("besides _"), rule("cameron _"): rule("besides _")}


def test_rules_of_more_slots_than_allowed_are_no_rules_of_the_book() -> None:
    assert list(shown(build_book(CLUSTERS, COUNTS, threshold=0.02, max_slots=2))) == [
        "∅", "_", "_ _", "besides _", "by _", "?",
    ]  # fmt: skip


def test_a_size_takes_the_largest_clusters_instead() -> None:
    assert list(shown(build_book(CLUSTERS, COUNTS, size=4))) == ["∅", "_", "_ _", "_ _ _", "besides _"]
    assert len(build_book(CLUSTERS, COUNTS, size=100)) == 1 + 3 + len(CLUSTERS)


def test_the_threshold_is_the_least_share_that_stays() -> None:
    assert rule("by _") in build_book(CLUSTERS, COUNTS, threshold=80 / 1000)
    assert rule("by _") not in build_book(CLUSTERS, COUNTS, threshold=81 / 1000)


@settings(max_examples=30)
@given(
    st.dictionaries(RULES, st.integers(1, 50), min_size=1, max_size=20),
    st.floats(0, 1),
    st.integers(1, 4),
)
def test_a_book_accounts_for_every_phrase_with_frequent_rules_first(
    counts: dict[Rule, int], threshold: float, max_slots: int
) -> None:
    book = build_book(cluster_rules(Counter(counts)), Counter(counts), threshold=threshold, max_slots=max_slots)
    assert sum(book.counts) == sum(counts.values())
    assert book.rules[: max_slots + 1] == (NULL_RULE, *map(Rule.glue, range(1, max_slots + 1)))
    others = book.counts[max_slots + 1 :]
    assert list(others) == sorted(others, reverse=True)


@pytest.mark.parametrize("wrong", [{"threshold": 1.5}, {"threshold": float("nan")}, {"max_slots": 0}, {"size": 2}])
def test_settings_that_make_no_book_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(RuleBookError, match="threshold must be from 0 to 1, max_slots at least 1 and size"):
        build_book(CLUSTERS, COUNTS, **wrong)  # type: ignore[arg-type]


def test_labels_that_insert_nothing_make_no_book() -> None:
    with pytest.raises(RuleBookError, match="built from inserted phrases, but these labels insert none; label"):
        build_book([], Counter())
