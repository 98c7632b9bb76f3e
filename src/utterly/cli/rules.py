"""`utterly rules` and `utterly restrict`: a rule book from labels, and labels in its rules."""

from pathlib import Path
from typing import Annotated

import typer

from utterly.cli.options import Out


def rules(
    labels: Annotated[Path, typer.Argument(metavar="LABELS", help="Label lines, made by `utterly label`.")],
    book: Annotated[
        Path | None, typer.Argument(metavar="BOOK", help="The rule book to write; left out, it is only shown.")
    ] = None,
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="The share of phrases that a cluster must cover to stay.")
    ] = 0.005,
    max_slots: Annotated[int, typer.Option(min=1, help="The most slots of a rule.")] = 3,
    size: Annotated[
        int | None, typer.Option(min=1, help="Instead of a threshold: so many rules beside the null rule.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the clustering.")] = 0,
    sweep: Annotated[
        Path | None, typer.Option(metavar="OUT.png", help="Draw the number of rules against the threshold instead.")
    ] = None,
    thresholds: Annotated[
        str | None, typer.Option(help="The thresholds of the sweep, apart by commas; the paper's where none are given.")
    ] = None,
    oracle: Annotated[
        Path | None, typer.Option(metavar="LABELS", help="Label lines, of dev data: score the sweep's books on them.")
    ] = None,
) -> None:
    """Make a rule book: cluster the rules of labels, and keep the clusters that cover enough phrases.

    Shows each rule with the share of phrases it stands for, and the first of its members. With `--sweep` it draws
    how the number of rules, and with `--oracle` the scores of gold scripts in those rules, hang on the threshold.
    Needs the extra `labels`: `pip install 'utterly[labels]'`; `--oracle` also `metrics`.

    Example: `utterly rules train.labels.jsonl rules.json --threshold 0.005`
    """
    from utterly.labels.labels import read_labels
    from utterly.rules import sweep as sweeping
    from utterly.rules.build import build_book
    from utterly.rules.cluster import cluster_rules, count_rules
    from utterly.terminal.progress import busy, counted
    from utterly.terminal.rules import show_book, show_sweep

    if sweep is None and (oracle or thresholds is not None):
        raise typer.BadParameter("--oracle and --thresholds are for a sweep; name its picture with --sweep OUT.png")
    tried = sweeping.PAPER_THRESHOLDS if thresholds is None else sweeping.parse_thresholds(thresholds)
    counts = count_rules(counted(read_labels(labels), f"reading {labels.name}"))
    with busy("clustering"):
        clusters = cluster_rules(counts, seed=seed)
    if book or not sweep:
        made = build_book(clusters, counts, threshold=threshold, max_slots=max_slots, size=size)
        if book:
            made.save(book)
        show_book(made)
    if sweep:
        scored = list(read_labels(oracle)) if oracle else None
        points = sweeping.sweep(clusters, counts, tried, max_slots=max_slots, oracle_labels=scored)
        done = list(counted(points, "sweeping", total=len(tried)))
        sweeping.draw_sweep(done, sweep)
        show_sweep(done)


def restrict(
    labels: Annotated[Path, typer.Argument(metavar="LABELS", help="Label lines, made by `utterly label`.")],
    book: Annotated[
        str,
        typer.Argument(metavar="BOOK", help="The rule book, made by `utterly rules`, or the name of a bundled model."),
    ],
    out: Out,
    literal: Annotated[
        bool,
        typer.Option(
            "--literal",
            help="Let phrases keep their spans, as in the paper; else words outside the rules are copied if it helps.",
        ),
    ] = False,
    tagger: Annotated[
        str, typer.Option(help="hct; or *mst*: spans without rule words; or *rast*: one span a phrase.")
    ] = "hct",
) -> None:
    """Put labels into the rules of a book, ready for training.

    Each line says in `book` which book it was made with, and in `oracle` how the rewrite reads, so that
    `utterly evaluate --field oracle` gives the ceiling of every tagger with this book.
    Needs the extra `labels`: `pip install 'utterly[labels]'`.

    Example: `utterly restrict dev.labels.jsonl rules.json dev.restricted.jsonl`
    """
    from utterly.labels.labels import read_labels
    from utterly.labels.variants import variant
    from utterly.rules.book import RuleBook
    from utterly.rules.restrict import Restriction
    from utterly.rules.restricted import write_restricted
    from utterly.terminal.progress import counted

    as_tagger = variant(tagger)
    restriction = Restriction(RuleBook.load(book), copy_words=tagger == "hct" and not literal)
    read = counted(map(as_tagger, read_labels(labels)), f"reading {labels.name}")
    count = write_restricted(out, read, restriction)
    typer.echo(f"wrote {count:,} label lines in {len(restriction.book)} rules to {out}")
