"""`utterly restrict`: labels mapped onto a rule book."""

from pathlib import Path
from typing import Annotated

import typer

from utterly.cli.console import counted
from utterly.cli.options import Out


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

    as_tagger = variant(tagger)
    restriction = Restriction(RuleBook.load(book), copy_words=tagger == "hct" and not literal)
    read = counted(map(as_tagger, read_labels(labels)), f"reading {labels.name}")
    count = write_restricted(out, read, restriction)
    typer.echo(f"wrote {count:,} label lines in {len(restriction.book)} rules to {out}")
