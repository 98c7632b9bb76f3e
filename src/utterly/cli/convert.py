"""`utterly convert`: a corpus becomes JSON lines."""

from pathlib import Path
from typing import Annotated

import typer

from utterly.cli.console import counted, skipping
from utterly.cli.options import Force, SkipBad
from utterly.dialogues.corpora import CORPORA, read_corpus
from utterly.dialogues.jsonl import dialogue_to_line, write_jsonl
from utterly.files import check_output


def convert(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help=f"The corpus: {', '.join(CORPORA)}.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to read, plain or gzip.")],
    out: Annotated[
        Path | None,
        typer.Argument(
            metavar="OUT", help="The file to write; compressed if it ends in .gz. Default: standard output."
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            help="Only this split of a file with several: "
            + "; ".join(f"{name}: {', '.join(corpus.splits)}" for name, corpus in CORPORA.items() if corpus.splits)
            + "."
        ),
    ] = None,
    guessed_titles: Annotated[
        bool,
        typer.Option(
            "--guessed-titles",
            help="canard: put `title_guess` before the history. It was derived from the rewrites: "
            "for training only, never to evaluate.",
        ),
    ] = False,
    skip_bad: SkipBad = False,
    force: Force = False,
) -> None:
    """Convert a corpus to JSON lines, the format all other commands read.

    Each line is a dialogue with the fields `history` (list of turns, oldest first), `utterance` (the turn to
    rewrite) and, if known, `rewrite`, `lang`, `domain` and `id`. `OUT` appears once it is complete.

    Example: `utterly convert rewrite corpus.txt test.jsonl --split test`
    """
    with skipping(skip_bad) as on_bad:
        dialogues = read_corpus(corpus, file, split=split, guessed_titles=guessed_titles, on_bad=on_bad)
        if out is None:
            for line in map(dialogue_to_line, dialogues):
                typer.echo(line, nl=False)
            return
        check_output(out, inputs=[file], replace=force)
        count = write_jsonl(out, counted(dialogues, f"reading {file.name}"), replace=force)
    typer.echo(f"wrote {count:,} dialogues to {out}")
