"""`utterly rewrite`: one dialogue, or a file of them.

`--explain` draws a diff over the source. In colour, deleted words are struck through, and rule words and copied spans
have a colour each; without colour, the diff is marked as in `wdiff`: [-deleted-] and {+inserted+}.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from utterly.cli.console import counted, output, show, skipping
from utterly.cli.options import Device, Force, MinConfidence, Model, PresetName, SkipBad, Threads
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import FileError
from utterly.scripts.diff import Segment, SegmentKind, segments
from utterly.tables.formats import ENDINGS, formats_of
from utterly.tables.source import STANDARD, Source

if TYPE_CHECKING:
    from rich.text import Text

    from utterly.rewriter import Rewrite
    from utterly.tables.many_files import FileReport

_LOOKS: Final = {  # with colour, and without
    SegmentKind.KEPT: ("", "{}"),
    SegmentKind.DELETED: ("red strike", "[-{}-]"),
    SegmentKind.RULE: ("bold yellow", "{{+{}+}}"),
    SegmentKind.COPIED: ("bold green", "{{+{}+}}"),
}
_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_QUOTED: Final = {rf"by rule ({_STRING})": SegmentKind.RULE, rf"characters \d+-\d+ ({_STRING})": SegmentKind.COPIED}


def rewrite(
    turns: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TURN",
            help="A dialogue, oldest turn first; the last is rewritten. If a turn begins with -, put `--` first.",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--input", metavar="FILE|-", help="A file, folder or glob of dialogues; - is standard input."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--output", metavar="FILE|-", help="Where to write the rewrites; for many files, a folder."),
    ] = None,
    engine: Annotated[
        Literal["ray"] | None, typer.Option(help="Rewrite many files with this engine, instead of one by one.")
    ] = None,
    file_format: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="NAME", help=f"File format, if the extension does not tell: {', '.join(ENDINGS)}."
        ),
    ] = None,
    field: Annotated[
        str | None, typer.Option(metavar="NAME", help="The field with the conversation, if not one of those above.")
    ] = None,
    model: Model = None,
    n_best: Annotated[int, typer.Option(min=1, help="Number of rewrites, best first.")] = 1,
    preset: PresetName = None,
    min_confidence: MinConfidence = None,
    threads: Threads = None,
    device: Device = "cpu",
    explain: Annotated[bool, typer.Option("--explain", help="Show each edit, its rule and its source.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything as JSON; with `--input`, add edits and the rest to rows.")
    ] = False,
    search: Annotated[
        bool, typer.Option("--search", help="For search: add the likeliest missing word. Not with `--input`.")
    ] = False,
    line_buffered: Annotated[
        bool, typer.Option("--line-buffered", help="Answer each row before reading the next, for use in a pipe.")
    ] = False,
    skip_bad: SkipBad = False,
    force: Force = False,
) -> None:
    """Rewrite the last turn of a dialogue so that it stands on its own.

    Prints only the rewrite. With `--input`, rewrites a file: JSON lines, CSV (both plain or gzip) or Parquet, by its
    extension. Reads `history` and `utterance`, or a conversation in `messages`, `turns` or `--field`: chat messages of
    any API, or strings. Adds `rewrite`, `confidence` and `changed`; keeps all other fields, and an existing `rewrite`
    as `target`. In CSV, a conversation is JSON or one turn per line. If interrupted, run the same command again to
    continue. Each file of a folder or glob is rewritten to a file of the same name in the folder `--output`, unless
    that is already done. Parquet needs the extra `tables`, `--engine ray` the extra `ray`; a trained model that was not
    exported, and any `--device` but cpu, need the extra `train`.

    Example: `utterly rewrite "Who is Federer?" "A tennis player." "Is he Swiss?"`

    Example: `utterly rewrite --input questions.csv --output rewritten.csv`

    Example: `utterly rewrite --input 'logs/*.parquet' --output rewritten`
    """
    from utterly.rewriter import RewriteOptions, Rewriter

    if source is None and (out or engine or file_format or field or skip_bad or line_buffered or force):
        raise typer.BadParameter(
            "--output, --engine, --format, --field, --skip-bad, --line-buffered and --force need --input FILE"
        )
    if source is not None and (turns or explain or search):
        raise typer.BadParameter(
            "--input cannot be combined with turns, --search or --explain (for a file, use --json)"
        )
    if source is None:
        dialogue = Dialogue.of(turns or [])
        rewriter = Rewriter.load(model, threads=threads, device=device)
        result = rewriter.rewrite(dialogue, preset=preset, n_best=n_best, min_confidence=min_confidence, search=search)
        _show(result, n_best, explain=explain, as_json=as_json)
        return
    from utterly.tables.many_files import jobs_for, left_of, names_many
    from utterly.tables.rewrite_file import FileOptions, rewrite_file, rewrite_lines

    options_of = partial(
        FileOptions,
        field=field,
        line_buffered=line_buffered,
        n_best=n_best,
        min_confidence=RewriteOptions(min_confidence=min_confidence).with_preset(preset).min_confidence,
        everything=as_json,
    )
    rewriter = Rewriter.load(model, threads=threads, device=device)
    if names_many(source):
        if out is None or out == STANDARD:
            raise FileError(source, "many files cannot be written to one; give a folder with --output")
        jobs = jobs_for(source, Path(out), options_of, given=file_format, skip_bad=skip_bad)
        left = left_of(jobs, Path(out), rewriter, force=force)
        if engine:
            from utterly.fleets.ray import rewrite_files

            reports = rewrite_files(left, model=model, device=device)
        else:
            reports = (job.run(rewriter) for job in left)
        count = _count(counted(reports, len(left), what=f"rewriting {source}"), skip_bad=skip_bad)
        done = f"; {len(jobs) - len(left):,} were done before" * (len(left) < len(jobs))
        typer.echo(f"wrote {count:,} rewrites to {len(left):,} files in {out}{done}")
        return
    if engine:
        raise typer.BadParameter("--engine needs a folder or a glob as --input")
    options, rows = options_of(formats=formats_of(source, out or STANDARD, file_format)), Source.named(source)
    with skipping(skip_bad) as on_bad:
        if out is None or out == STANDARD:
            lines = rewrite_lines(rewriter, rows, options, on_bad=on_bad)
            for line in lines if sys.stdout.isatty() else counted(lines, what=f"rewriting {rows.name}"):
                typer.echo(line.encode(), nl=False)  # UTF-8, whatever the terminal's encoding
            return
        progress = partial(counted, what=f"rewriting {rows.name}")
        with _resumable():
            count = rewrite_file(rewriter, rows, Path(out), options, replace=force, on_bad=on_bad, progress=progress)
    typer.echo(f"wrote {count:,} rewrites to {out}")


def _show(result: "Rewrite", n_best: int, *, explain: bool, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(result.to_json(), ensure_ascii=False, indent=2))
    elif explain:
        console = output()
        show(rewrite_diff(result, coloured=console.is_terminal and not console.no_color))
        show(explanation(result))
    else:
        others = [other.text for other in result.alternatives]  # if abstained, there is one even for n_best 1
        for text in [result.search_query, *others][:n_best]:
            typer.echo(text)


def _count(reports: "Iterable[FileReport]", *, skip_bad: bool) -> int:
    """The number of rewrites in all files, which are rewritten as their reports are taken."""
    count = 0
    with _resumable(), skipping(skip_bad) as on_bad:
        for report in reports:
            count += report.count
            if on_bad:
                for error in report.bad:
                    on_bad(error)
    return count


@contextmanager
def _resumable() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("stopped; run the same command again to continue", err=True)
        raise


def rewrite_diff(rewrite: "Rewrite", *, coloured: bool) -> "Text":
    """The rewrite as a diff over its source."""
    from rich.text import Text

    text, before = Text(), SegmentKind.KEPT
    for segment in segments(rewrite.script) if rewrite.script else [Segment(rewrite.text, SegmentKind.KEPT)]:
        if before is SegmentKind.DELETED and segment.kind in (SegmentKind.RULE, SegmentKind.COPIED):
            text.append(" ")  # otherwise only colour would separate them
        style, marked = _LOOKS[segment.kind]
        text.append(segment.text if coloured else marked.format(segment.text), style)
        before = segment.kind
    return text if coloured else Text(text.plain.replace("+} {+", " ").replace("+}{+", ""))


def explanation(rewrite: "Rewrite") -> "Text":
    """The edits with their rules and sources, the confidence, the search query and the alternatives."""
    from rich.text import Text

    text = Text()
    for line in rewrite.explain().splitlines():
        text.append(f"  {line}\n", "dim")
    for pattern, kind in _QUOTED.items():
        for match in re.finditer(pattern, text.plain):
            text.stylize(_LOOKS[kind][0], *match.span(1))
    text.append(f"  confidence {rewrite.confidence:.2f}" + (f", model {rewrite.model}" * bool(rewrite.model)), "dim")
    if rewrite.terms:
        text.append(f"\n  to search with: {rewrite.search_query}", "dim")
    for other in rewrite.alternatives:
        text.append(f"\n  or, at {other.confidence:.2f}: {other.text}", "dim")
    return text
