"""`utterly label`: dialogues with rewrites to edit scripts."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from utterly.cli.console import counted, show, show_table, skipping
from utterly.cli.options import Force, Jobs, Out, SkipBad

if TYPE_CHECKING:
    from utterly.labels.coverage import Coverage


def label(
    file: Annotated[Path, typer.Argument(metavar="IN", help="JSON lines with `rewrite`, plain or gzip.")],
    out: Out,
    syntax: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The parser. *none*: no syntax. *spacy*, *spacy:PIPELINE*: English. *zh*: Chinese. "
            "Default: *zh* if the first dialogue is Chinese, else *spacy*.",
        ),
    ] = None,
    literal: Annotated[
        bool, typer.Option("--literal", help="Align phrases as in the paper, without our additions.")
    ] = False,
    jobs: Jobs = 1,
    skip_bad: SkipBad = False,
    force: Force = False,
) -> None:
    """Turn dialogues with rewrites into edit scripts, the training data of taggers.

    Each line of `OUT` is a dialogue with `script` and `mentions`. A table shows how much of the rewrites the scripts
    cover, and how. `OUT` appears once it is complete. Needs the extra `labels`: `pip install 'utterly[labels]'`.

    Example: `utterly label train.jsonl train-labels.jsonl.gz --jobs 2`
    """
    from utterly.labels.files import label_file

    with skipping(skip_bad) as on_bad:
        coverage = label_file(
            file,
            out,
            syntax=syntax,
            literal=literal,
            jobs=jobs,
            replace=force,
            on_bad=on_bad,
            progress=partial(counted, what=f"labelling {file.name}"),
        )
    _show(coverage)
    typer.echo(f"wrote labels for {coverage.dialogues:,} dialogues to {out}")


def _show(coverage: "Coverage") -> None:
    """Print counts with their shares of dialogues, phrases and words."""
    from utterly.labels.coverage import MadeOf

    def section(name: str, total: int, parts: dict[str, int]) -> list[tuple[str, str, str]]:
        shares = [(f"  {part}", f"{count:,}", f"{count / max(total, 1):.2%}") for part, count in parts.items()]
        return [(name, f"{total:,}", ""), *shares]

    phrases, words = coverage.phrases.total(), coverage.copied_words + coverage.rule_words
    exact = {
        "covered: the script gives the target": coverage.covered,
        "free of unaligned phrases": coverage.free_of_unaligned,
    }
    show_table(
        ("", "count", "share"),
        section("dialogues", coverage.dialogues, exact),
        section("phrases", phrases, {f"made of {parts}": coverage.phrases[parts] for parts in MadeOf}),
        section("phrases by slots", phrases, {str(slots): count for slots, count in sorted(coverage.slots.items())}),
        section("words added", words, {"copied": coverage.copied_words, "of rules": coverage.rule_words}),
        [("words added per phrase", f"{coverage.words_per_phrase:.2f}", "")],
    )
    show(coverage.settings, "dim")
