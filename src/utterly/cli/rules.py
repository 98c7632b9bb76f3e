"""`utterly rules`: labels to a rule book."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from utterly.cli.console import busy, counted, show_table
from utterly.cli.options import Force
from utterly.files import check_output

if TYPE_CHECKING:
    from utterly.rules.book import RuleBook

_MEMBERS_SHOWN: Final = 3


def rules(
    labels: Annotated[Path, typer.Argument(metavar="LABELS", help="Labels made by `utterly label`.")],
    book: Annotated[Path | None, typer.Argument(metavar="BOOK", help="The file to write. Default: only show.")] = None,
    threshold: Annotated[float, typer.Option(min=0, max=1, help="The share of phrases a cluster must cover.")] = 0.005,
    max_slots: Annotated[int, typer.Option(min=1, help="Maximum number of slots in a rule.")] = 3,
    size: Annotated[
        int | None, typer.Option(min=1, help="Number of rules, not counting the null rule; replaces the threshold.")
    ] = None,
    literal: Annotated[bool, typer.Option("--literal", help="Count, cut and keep rules as the authors do.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed for clustering.")] = 0,
    force: Force = False,
) -> None:
    """Make a rule book: cluster the rules in labels and keep the clusters that cover enough phrases.

    Shows each rule with its share of phrases and its first members.
    Needs the extra `labels`: `pip install 'utterly[labels]'`.

    Example: `utterly rules train.labels.jsonl rules.json --threshold 0.005`
    """
    from utterly.labels.labels import read_labels
    from utterly.rules.build import build_book
    from utterly.rules.cluster import cluster_rules, count_rules
    from utterly.rules.literal import count_unaligned

    if book:
        check_output(book, inputs=[labels], replace=force)
    lines = counted(read_labels(labels), what=f"reading {labels.name}")
    counts = count_unaligned(lines, max_slots=max_slots) if literal else count_rules(lines)
    with busy("clustering"):
        clusters = cluster_rules(counts, seed=seed, literal=literal)
    made = build_book(clusters, counts, threshold=threshold, max_slots=max_slots, size=size, literal=literal)
    if book:
        made.save(book, replace=force)
    _show(made)


def _show(book: "RuleBook") -> None:
    phrases = sum(book.counts) or 1
    rows = [
        (str(rule), f"{count:,}", f"{count / phrases:.2%}", _first_of([str(member) for member in book.members(rule)]))
        for rule, count in zip(book.rules, book.counts, strict=True)
    ]
    show_table(("rule", "phrases", "share", "members"), rows, text_columns=(0, 3))


def _first_of(members: list[str]) -> str:
    """
    >>> _first_of(["by _", "by the _", "by a _", "by one _"])
    'by _ | by the _ | by a _ | and 1 more'
    """
    more = [f"and {len(members) - _MEMBERS_SHOWN} more"] if len(members) > _MEMBERS_SHOWN else []
    return " | ".join([*members[:_MEMBERS_SHOWN], *more])
