"""The ceiling of every tagger: gold scripts in the rules of a book made from train data, applied and scored.

Rules are counted beside the null rule, as in the paper.
Rows: the labels as they are; RaST and MST, which have no rules; HCT with books of several sizes, where rules are
mapped as in the paper (`literal`) or words outside the rules are copied where that helps (`copies`).

    python -m benchmarks.oracles canard --data FOLDER --split dev --syntax none spacy
"""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.corpora import CORPORA, labelled

from utterly.labels.labels import Labels
from utterly.labels.variants import mst_labels, rast_labels
from utterly.rules.build import build_book
from utterly.rules.cluster import cluster_rules, count_rules
from utterly.rules.oracle import oracle
from utterly.rules.restrict import Restriction

SCORES: Final = ("BLEU-1", "BLEU-2", "BLEU-4", "ROUGE-L", "EM")
BOOKS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "canard": {
        "0.5 %": {"threshold": 0.005, "max_slots": 3},
        "24 rules": {"size": 24, "max_slots": 3},
    },
    "mudoco": {"0.5 %": {"threshold": 0.005, "max_slots": 2}},
    "rewrite": {
        "1 %, one slot": {"threshold": 0.01, "max_slots": 1},
        "1 %, two slots": {"threshold": 0.01, "max_slots": 2},
        "0.5 %, two slots": {"threshold": 0.005, "max_slots": 2},
    },
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Score gold scripts in the rules of books.")
    parser.add_argument("corpus", choices=CORPORA)
    parser.add_argument("--data", type=Path, required=True, help="folder with the corpora")
    parser.add_argument("--split", choices=["dev", "test"], default="dev")
    parser.add_argument("--syntax", nargs="+", default=["none"], help="syntax providers, a block of rows each")
    options = parser.parse_args()
    print(f"| syntax | row | rules | {' | '.join(SCORES)} |")
    print("|---" * (3 + len(SCORES)) + "|")
    for syntax in options.syntax:
        for row, rules, labels in rows(options.corpus, options.data, options.split, syntax):
            report = oracle(labels)
            figures = " | ".join(f"{report[name].value:.2f}" for name in SCORES)
            print(f"| {syntax} | {row} | {rules} | {figures} |", flush=True)
    print(f"\n{report['BLEU-4'].settings}")


def rows(corpus: str, folder: Path, split: str, syntax: str) -> Iterator[tuple[str, str, Iterable[Labels]]]:
    """Name, number of rules and labels of each row."""
    scored = labelled(getattr(CORPORA[corpus], split)(folder), syntax)
    yield "labels as they are", "", scored
    yield "RaST", "", map(rast_labels, scored)
    yield "MST", "", map(mst_labels, scored)
    counts = count_rules(labelled(CORPORA[corpus].train(folder), syntax))
    clusters = cluster_rules(counts)
    for name, settings in BOOKS[corpus].items():
        book = build_book(clusters, counts, **settings)
        yield f"HCT, {name}, literal", str(len(book) - 1), map(Restriction(book, copy_words=False).restrict, scored)
        yield f"HCT, {name}, copies", str(len(book) - 1), map(Restriction(book).restrict, scored)


if __name__ == "__main__":
    main()
