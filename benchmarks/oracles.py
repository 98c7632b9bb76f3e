"""The ceiling of every tagger: gold scripts mapped onto rule books made from train labels, applied and scored.

Rows: the labels themselves; RaST and MST, which have no rules; HCT with each book, its rules mapped as in the paper
(*nearest*: using only their own spans) or copying words that the book lacks where that helps (*copies*). The null rule
is not counted. Label files come from `utterly label`; books are built for each threshold and each size, or read from
files. --literal is for label files and books made with --literal: it maps rules as the authors do.

    python -m benchmarks.oracles TRAIN_LABELS DEV_LABELS --thresholds 0.00225 0.005 0.0075 0.011
    python -m benchmarks.oracles TRAIN_LABELS TEST_LABELS --sizes 24 --books runs/canard/rules.json
    python -m benchmarks.oracles TRAIN_LABELS DEV_LABELS --literal --books runs/canard/paper-rules.json
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from utterly.labels.labels import Labels, labels_for, read_labels
from utterly.metrics import Report, evaluate
from utterly.rules.book import RuleBook
from utterly.rules.build import build_book
from utterly.rules.cluster import cluster_rules, count_rules
from utterly.rules.literal import LiteralRestriction, count_unaligned
from utterly.rules.restrict import Restriction

SCORES: Final = ("BLEU-1", "BLEU-2", "BLEU-4", "ROUGE-L", "EM")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", type=Path, help="label lines to build books from")
    parser.add_argument("scored", type=Path, help="label lines to score")
    parser.add_argument("--thresholds", type=float, nargs="*", default=[], help="share of phrases a cluster must cover")
    parser.add_argument("--sizes", type=int, nargs="*", default=[], help="numbers of rules, instead of a threshold")
    parser.add_argument("--books", type=Path, nargs="*", default=[], help="books made by `utterly rules`")
    parser.add_argument("--max-slots", type=int, default=3)
    parser.add_argument("--literal", action="store_true", help="the paper's own labels, books and mapping")
    options = parser.parse_args(arguments)
    labels = list(read_labels(options.scored))
    print(f"| row | rules | {' | '.join(SCORES)} |\n" + "|---" * (2 + len(SCORES)) + "|")
    report = show("labels as they are", None, labels)
    show("RaST", None, map(labels_for("rast", literal=options.literal), labels))
    show("MST", None, map(labels_for("mst"), labels))
    for name, book in books(options):
        if options.literal:
            restrict = LiteralRestriction(book).restrict
            show(f"MST, up to {book.max_slots} spans", None, map(restrict, map(labels_for("mst"), labels)))
            report = show(f"HCT, {name}", book, map(restrict, labels))
        else:
            show(f"HCT, {name}, nearest", book, map(Restriction(book, copy_words=False).restrict, labels))
            report = show(f"HCT, {name}, copies", book, map(Restriction(book).restrict, labels))
    print(f"\n{report['BLEU-4'].settings}")


def books(options: argparse.Namespace) -> Iterator[tuple[str, RuleBook]]:
    """Each book, with its name."""
    if options.thresholds or options.sizes:
        labels, literal = read_labels(options.train), options.literal
        counts = count_unaligned(labels, max_slots=options.max_slots) if literal else count_rules(labels)
        clusters = cluster_rules(counts, literal=literal)
        build = partial(build_book, clusters, counts, max_slots=options.max_slots, literal=literal)
    for threshold in options.thresholds:
        yield f"{100 * threshold:g} %", build(threshold=threshold)
    for size in options.sizes:
        yield f"{size} rules", build(size=size)
    for path in options.books:
        yield path.name, RuleBook.load(path)


def show(row: str, book: RuleBook | None, labels: Iterable[Labels]) -> Report:
    report = ceiling(labels)
    figures = " | ".join(f"{report[name].value:.2f}" for name in SCORES)
    print(f"| {row} | {len(book) - 1 if book else ''} | {figures} |", flush=True)
    return report


def ceiling(labels: Iterable[Labels]) -> Report:
    """Scores of the rewrites that the scripts produce, in `paper` mode."""
    scripts = [each.script for each in labels]
    targets = [script.dialogue.target.text for script in scripts if script.dialogue.target]
    languages = {script.dialogue.language for script in scripts}
    return evaluate(
        [script.apply() for script in scripts],
        targets,
        sources=[script.dialogue.source.text for script in scripts],
        language=languages.pop() if len(languages) == 1 else None,
    )


if __name__ == "__main__":
    main()
