"""The rule book of CANARD: how long it takes, and how it stands beside the paper's.

Goals: clustering within 3 minutes on two cores; at least 10 of the paper's 24 rules in our book at 0.5 %; the
distance matrix at least 20 times as fast as in plain Python (the slow twin of the tests).

    python -m benchmarks.rule_book --data FOLDER    # with canard/train.jsonl.gz
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from benchmarks.corpora import CORPORA, labelled
from tests.rules.slow_twins import slow_distances

from utterly.edits import Rule
from utterly.rules.book import RuleBook
from utterly.rules.build import build_book
from utterly.rules.cluster import Cluster, cluster_rules, count_rules
from utterly.rules.distance import indel_distances

T = TypeVar("T")
COMPARED: Final = 1000  # rules whose distances are computed in both ways

PAPER: Final = (  # its table of CANARD rules
    "_", "_ 's", "_ _", "_ _ '", "_ _ 's", "_ _ 's _", "_ _ _", "_ _ _ 's",
    "_ by _", "_ than _", "_ than _ _", "aside from _", "besides _", "besides _ _", "besides _ _ _", "by _",
    "for _", "in _", "in _ _ _", "of _", "other than _", "other than _ _ _", "the _ _", "to _",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Cluster the rules of CANARD train.")
    parser.add_argument("--data", type=Path, required=True, help="folder with canard/train.jsonl.gz")
    parser.add_argument("--syntax", default="spacy", help="the syntax provider of the labels")
    options = parser.parse_args()
    counts = count_rules(labelled(CORPORA["canard"].train(options.data), options.syntax))
    print(f"{len(counts):,} rules of {counts.total():,} phrases, syntax {options.syntax}")
    clusters, seconds = timed(lambda: cluster_rules(counts))
    print(f"{len(clusters):,} clusters in {seconds:.1f} s")
    compare_speed([rule for rule, _ in counts.most_common(COMPARED)])
    compare_books(build_book(clusters, counts), clusters, counts)


def compare_speed(rules: Sequence[Rule]) -> None:
    fast, fast_seconds = timed(lambda: indel_distances(rules, rules))
    slow, slow_seconds = timed(lambda: slow_distances(rules, rules))
    assert np.allclose(fast, slow)
    times = slow_seconds / fast_seconds
    print(
        f"{len(rules)} x {len(rules)} distances: {fast_seconds:.3f} s, plain Python {slow_seconds:.2f} s, {times:.0f}x"
    )


def compare_books(book: RuleBook, clusters: Sequence[Cluster], counts: Counter[Rule]) -> None:
    cluster_of = {rule: cluster for cluster in clusters for rule in cluster.members}
    print("\n| rule of the book | phrases | own phrases | in the paper |\n|---|---|---|---|")
    for rule, phrases in zip(book.rules, book.counts, strict=True):
        print(f"| `{rule}` | {phrases:,} | {counts[rule]:,} | {'yes' if str(rule) in PAPER else ''} |")
    papers = [Rule.parse(text) for text in PAPER]
    print(f"\n{sum(rule in book for rule in papers)} of the paper's {len(papers)} rules are in the book. The others:")
    print("\n| the paper's rule | own phrases | its exemplar | the cluster's phrases | share |\n|---|---|---|---|---|")
    for rule in papers:
        if rule not in book:
            print(f"| `{rule}` | {counts[rule]:,} | {_cluster(cluster_of.get(rule), counts.total())} |")


def _cluster(cluster: Cluster | None, phrases: int) -> str:
    if cluster is None:
        return "not among our labels | | "
    return f"`{cluster.exemplar}` | {cluster.count:,} | {cluster.count / phrases:.2%}"


def timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


if __name__ == "__main__":
    main()
