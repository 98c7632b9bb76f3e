"""`utterly compare`: count the errors of one or two systems, and show each on a page."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from utterly.cli.console import busy, show, show_table
from utterly.cli.options import Force, Language
from utterly.files import check_output, written_whole

if TYPE_CHECKING:
    from utterly.metrics.errors import ErrorKind
    from utterly.metrics.side_by_side import SideBySide


def compare(
    references: Annotated[
        Path, typer.Argument(metavar="REFERENCES", help="JSON lines with `utterance` and the correct `rewrite`.")
    ],
    a: Annotated[Path, typer.Argument(metavar="A", help="JSON lines with a system's rewrites.")],
    b: Annotated[Path | None, typer.Argument(metavar="B", help="JSON lines with another system's.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page with every rewrite to this file.")] = None,
    field: Annotated[str, typer.Option(help="The field with a system's rewrite.")] = "rewrite",
    field_b: Annotated[str | None, typer.Option(help="The same for B. Default: as for A.")] = None,
    mode: Annotated[str, typer.Option(help="How text is split into words, as in `utterly evaluate`.")] = "paper",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the paired test.")] = 0,
    language: Language = None,
    force: Force = False,
) -> None:
    """Count the kinds of error that one or two systems make, and show each error on a page.

    The page is one file that works offline: sources, targets and rewrites as coloured diffs, edits if the predictions
    have them (`utterly rewrite --json`), and filters by kind of error, domain and length. Lines are matched as in
    `utterly evaluate`. Needs the extra `metrics`: `pip install 'utterly[metrics]'`.

    Example: `utterly compare test.jsonl mine.jsonl theirs.jsonl --html report.html`
    """
    from utterly.metrics import Predictions
    from utterly.metrics.side_by_side import side_by_side

    systems = [Predictions(a, field)] + ([Predictions(b, field_b or field)] if b else [])
    if html:
        check_output(html, inputs=[references, *(system.path for system in systems)], replace=force)
    with busy(f"comparing {a.name}"):
        found = side_by_side(references, *systems, mode=mode, language=language, seed=seed)
    _show(found)
    if html:
        from utterly.metrics.page import to_html

        with written_whole(html, replace=force) as file:
            file.write(to_html(found))
        typer.echo(f"wrote {len(found.dialogues):,} dialogues to {html}")


def _show(found: "SideBySide") -> None:
    from utterly.metrics.errors import ErrorKind

    metrics = [name for name in found.scores[0] if name not in [*ErrorKind]]
    headings = ["A"] if found.comparison is None else ["A", "B", "B - A", "p"]
    show_table(
        ("", *headings),
        [("rewrites", *[f"{len(found.dialogues):,}"] * len(found.scores))],
        [(name, *_cells(found, name)) for name in metrics],
        [(kind, *_cells(found, kind, kind)) for kind in ErrorKind],
    )
    show("\n".join(_provenance(found)), "dim")


def _cells(found: "SideBySide", name: str, kind: "ErrorKind | None" = None) -> Iterator[str]:
    for number, scores in enumerate(found.scores):
        value = f"{scores[name].value:.2f}"
        yield f"{found.count(kind, number):,} ({value} %)" if kind else value
    if found.comparison:
        difference = found.comparison.differences[name]
        yield from (f"{difference.value:+.2f}", f"{difference.p:.4f}")


def _provenance(found: "SideBySide") -> Iterator[str]:
    for letter, system in zip("AB", found.systems, strict=False):
        yield f"{letter}: {system}"
    yield f"references: {found.references}"
    yield str(found.scores[0]["EM"].settings)
    if found.comparison:
        yield f"p: paired bootstrap, two-sided, {found.comparison.trials:,} trials, seed {found.seed}"
