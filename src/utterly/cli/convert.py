"""`utterly convert`: a corpus to JSON lines."""

from pathlib import Path
from typing import Annotated

import typer

from utterly.cli.console import counted, skipping
from utterly.cli.options import Force, SkipBad
from utterly.dialogues.corpora import CORPORA, read_corpus
from utterly.dialogues.jsonl import dialogue_to_line, write_jsonl
from utterly.files import check_output


def convert(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help=f"One of {', '.join(CORPORA)}.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to read, plain or gzip.")],
    out: Annotated[
        Path | None, typer.Argument(metavar="OUT", help="The file to write, gzipped if .gz. Default: standard output.")
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            help="Read only this split of a file that has several: "
            + "; ".join(f"{name}: {', '.join(corpus.splits)}" for name, corpus in CORPORA.items() if corpus.splits)
            + "."
        ),
    ] = None,
    guessed_titles: Annotated[
        bool,
        typer.Option(
            "--guessed-titles",
            help="canard: put `title_guess` before the history. It is derived from the rewrites: "
            "use it for training only, never for evaluation.",
        ),
    ] = False,
    skip_bad: SkipBad = False,
    force: Force = False,
) -> None:
    """Convert a corpus to JSON lines, the format that all other commands read.

    Each line is a dialogue with `history` (turns, oldest first), `utterance` (the turn to rewrite) and, if known,
    `rewrite`, `lang`, `domain` and `id`. `OUT` appears once it is complete.

    Example: `utterly convert rewrite corpus.txt test.jsonl --split test`
    """
    with skipping(skip_bad) as on_bad:
        dialogues = read_corpus(corpus, file, split=split, guessed_titles=guessed_titles, on_bad=on_bad)
        if out is None:
            for line in map(dialogue_to_line, dialogues):
                typer.echo(line, nl=False)
            return
        check_output(out, inputs=[file], replace=force)
        count = write_jsonl(out, counted(dialogues, what=f"reading {file.name}"), replace=force)
    typer.echo(f"wrote {count:,} dialogues to {out}")
