"""`utterly rewrite`: one dialogue, or a file of them."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from utterly.cli.options import MinConfidence, Model, SkipBad, Threads, skipping
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.reading import OnBad
from utterly.tables.kinds import ENDINGS, Kinds, kinds_of
from utterly.tables.rows import Row
from utterly.tables.sources import STANDARD, Source

if TYPE_CHECKING:
    from utterly.rewriter import Rewrite, Rewriter
    from utterly.tables.rewrite_file import Wish


def rewrite(
    turns: Annotated[
        list[str] | None,
        typer.Argument(metavar="TURN", help="A dialogue, the oldest turn first; the last is rewritten."),
    ] = None,
    source: Annotated[
        str | None, typer.Option("--input", metavar="FILE|-", help="A file of dialogues instead; - is standard input.")
    ] = None,
    out: Annotated[
        str | None, typer.Option("--output", metavar="FILE|-", help="Where rows with their rewrites go.")
    ] = None,
    file_format: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="NAME", help=f"What it is, where its name does not say: {', '.join(ENDINGS)}."
        ),
    ] = None,
    model: Model = None,
    n_best: Annotated[int, typer.Option(min=1, help="How many rewrites, best first.")] = 1,
    min_confidence: MinConfidence = 0.0,
    threads: Threads = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what was edited, by which rule, and from where.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything as JSON; with `--input`, write edits and the rest too.")
    ] = False,
    line_buffered: Annotated[
        bool, typer.Option("--line-buffered", help="Answer each row before the next is read, for a program in a pipe.")
    ] = False,
    skip_bad: SkipBad = False,
) -> None:
    """Rewrite the last turn of a dialogue so that it stands on its own.

    Prints the text alone. With `--input` it rewrites a file: JSON lines, CSV (both plain or gzip) or Parquet, as its
    name ends. `history` and `utterance` are read; `rewrite`, `confidence` and `changed` are added; a `rewrite` that
    came is kept as `target`, and other fields as they are. In CSV, `history` is a JSON list or one turn a line.
    Cut short, the same command goes on where it stopped. Parquet needs the extra `tables`.

    Example: `utterly rewrite "Who is Federer?" "A tennis player." "Is he Swiss?"`

    Example: `utterly rewrite --input questions.csv --output rewritten.csv`
    """
    from utterly.rewriter import Rewriter

    files_only = out or file_format or skip_bad or line_buffered
    if source is None and files_only:
        raise typer.BadParameter("--output, --format, --skip-bad and --line-buffered are for files; give --input FILE")
    if source is not None and (turns or explain):
        raise typer.BadParameter("turns and --explain are for one dialogue; leave them out, or --input (see --json)")
    if source is None:
        dialogue = Dialogue.of(turns or [])
        rewriter = Rewriter.load(model, threads=threads)
        result = rewriter.rewrite(dialogue, n_best=n_best, min_confidence=min_confidence)
        _show(result, n_best, explain=explain, as_json=as_json)
        return
    from utterly.tables.rewrite_file import Wish

    kinds = kinds_of(source, out or STANDARD, file_format)
    wish = Wish(one_by_one=line_buffered, n_best=n_best, min_confidence=min_confidence, everything=as_json)
    wish.must_fit(kinds)
    rewriter = Rewriter.load(model, threads=threads)
    with skipping(skip_bad) as on_bad:
        if out is None or out == STANDARD:
            _print_rows(rewriter, Source.named(source), kinds, wish, on_bad)
        else:
            _write_rows(rewriter, Source.named(source), Path(out), kinds, wish, on_bad)


def _show(result: "Rewrite", n_best: int, *, explain: bool, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(result.to_json(), ensure_ascii=False, indent=2))
    elif explain:
        from utterly.terminal.rewrites import show_rewrite

        show_rewrite(result)
    else:
        others = [other.text for other in result.alternatives]  # one even for one, where it was held back
        for text in [result.text, *others][:n_best]:
            typer.echo(text)


def _print_rows(rewriter: "Rewriter", source: Source, kinds: Kinds, wish: "Wish", on_bad: OnBad | None) -> None:
    from utterly.tables.rewrite_file import rewrite_lines
    from utterly.terminal.progress import counted

    lines = rewrite_lines(rewriter, source, kinds, wish, on_bad=on_bad)
    for line in lines if sys.stdout.isatty() else counted(lines, f"rewriting {source.name}"):
        typer.echo(line.encode(), nl=False)  # UTF-8, whatever the terminal's


def _write_rows(
    rewriter: "Rewriter", source: Source, out: Path, kinds: Kinds, wish: "Wish", on_bad: OnBad | None
) -> None:
    from utterly.tables.rewrite_file import rewrite_file
    from utterly.terminal.progress import counted

    def progress(rows: Iterable[Row], total: int) -> Iterable[Row]:
        return counted(rows, f"rewriting {source.name}", total=total)

    try:
        count = rewrite_file(rewriter, source, out, kinds, wish, on_bad=on_bad, progress=progress)
    except KeyboardInterrupt:
        typer.echo("stopped; the same command goes on from here", err=True)
        raise
    typer.echo(f"wrote the rewrites of {count:,} dialogues to {out}")
