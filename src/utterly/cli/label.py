"""`utterly label`: dialogues with their rewrites become edit scripts."""

from pathlib import Path
from typing import Annotated

import typer

from utterly.cli.options import Out, SkipBad, skipping


def label(
    file: Annotated[Path, typer.Argument(metavar="IN", help="JSON lines with `rewrite`, plain or gzip.")],
    out: Out,
    syntax: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What finds constituents and lemmas. *none*: no syntax. *spacy*, *spacy:PIPELINE*: English. "
            "*benepar*, *benepar:MODEL*: English, where you have its weights. *zh*: Chinese. "
            "Else *zh* where the first dialogue is Chinese, and *spacy* where it is not.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Keep no parses for the next time, and use none that were kept.")
    ] = False,
    skip_bad: SkipBad = False,
) -> None:
    """Turn dialogues with their rewrites into edit scripts, which training learns from.

    Each line of `OUT` is the dialogue with `script` and `mentions`. In the end it is shown how much of the rewrites
    the scripts say, and how. `OUT` appears once it is complete; cut short, the same command goes on where it
    stopped. Parses are kept in `$UTTERLY_CACHE`, else in `~/.cache/utterly`.
    Needs the extra `labels`: `pip install 'utterly[labels]'`.

    Example: `utterly label train.jsonl train-labels.jsonl.gz --jobs 2`
    """
    from utterly.labels.label_file import label_file
    from utterly.terminal.coverage import show_coverage
    from utterly.terminal.progress import counted

    with skipping(skip_bad) as on_bad:
        coverage = label_file(
            file,
            out,
            syntax=syntax,
            jobs=jobs,
            cached=not no_cache,
            on_bad=on_bad,
            progress=lambda dialogues, total: counted(dialogues, f"labelling {file.name}", total=total),
        )
    show_coverage(coverage)
    typer.echo(f"wrote the labels of {coverage.dialogues:,} dialogues to {out}")
