"""`utterly evaluate`: predictions are scored."""

import json
from pathlib import Path
from typing import Annotated

import typer

from utterly.cli.options import SkipBad, skipping


def evaluate(
    predictions: Annotated[Path, typer.Option(help="JSON lines with what a system said.")],
    references: Annotated[Path, typer.Option(help="JSON lines with `utterance` and the right `rewrite`.")],
    mode: Annotated[
        str,
        typer.Option(
            help="How text becomes words. *paper*: lower case, spaCy's words (Chinese: characters). "
            "*published*: the same after BERT's tokeniser, only to stand beside printed figures. "
            "*sacrebleu*: as sacreBLEU does."
        ),
    ] = "paper",
    field: Annotated[
        str, typer.Option(help="The field of a prediction; `utterance` scores leaving all as it is.")
    ] = "rewrite",
    compare: Annotated[
        Path | None, typer.Option(help="A second system's predictions: test whether the two differ.")
    ] = None,
    compare_field: Annotated[
        str | None, typer.Option(help="Its field, where that has another name than the first one's.")
    ] = None,
    intervals: Annotated[bool, typer.Option("--intervals", help="Show 95 % bootstrap intervals.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all resampling.")] = 0,
    language: Annotated[
        str | None, typer.Option(help="Whose words: en or zh; else as the references say, or guessed.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    skip_bad: SkipBad = False,
) -> None:
    """Score rewrites against references: BLEU, ROUGE, exact match, and what was restored.

    Lines are matched by `id` where all have one, else by their order. References with a `domain` are also
    scored by domain. Needs the extra `metrics`: `pip install 'utterly[metrics]'`.

    Example: `utterly evaluate --predictions mine.jsonl --references test.jsonl --compare theirs.jsonl`
    """
    from utterly.metrics import Predictions, score_files
    from utterly.terminal.progress import busy
    from utterly.terminal.scores import show_scores

    against = Predictions(compare, compare_field or field) if compare else None
    with skipping(skip_bad) as on_bad, busy(f"scoring {predictions.name}"):
        scores = score_files(
            references,
            Predictions(predictions, field),
            against,
            mode=mode,
            language=language,
            intervals=intervals,
            seed=seed,
            on_bad=on_bad,
        )
    if as_json:
        typer.echo(json.dumps(scores.to_dict(), indent=2))
    else:
        show_scores(scores)
