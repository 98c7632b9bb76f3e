"""`utterly evaluate`: score predictions."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from utterly.cli.console import busy, show, show_table
from utterly.cli.options import AsJson, Language
from utterly.extras import require_all

if TYPE_CHECKING:
    from utterly.metrics import FileScores, Score
    from utterly.metrics.roles import RoleLabeller


def evaluate(
    predictions: Annotated[Path, typer.Option(help="JSON lines with a system's rewrites.")],
    references: Annotated[Path, typer.Option(help="JSON lines with `utterance` and the correct `rewrite`.")],
    mode: Annotated[
        str,
        typer.Option(
            help="How text is split into words. *paper*: lower case, spaCy's words (Chinese: characters). "
            "*published*: the same after BERT's tokenizer, only to compare with published scores. "
            "*sacrebleu*: as sacreBLEU does."
        ),
    ] = "paper",
    field: Annotated[str, typer.Option(help="The field to score; `utterance` scores the turns unchanged.")] = "rewrite",
    roles: Annotated[
        str | None,
        typer.Option(
            metavar="LABELLER",
            help="Also score semantic roles. English: a labeller's folder, made by `utterly train recipes/roles.toml`. "
            "Chinese: `ltp:PYTHON`, the Python of an environment with LTP.",
        ),
    ] = None,
    intervals: Annotated[bool, typer.Option("--intervals", help="Show 95 % bootstrap intervals.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the intervals.")] = 0,
    language: Language = None,
    as_json: AsJson = False,
) -> None:
    """Score rewrites against references: BLEU, ROUGE, exact match, restoration and, if asked for, semantic roles.

    Lines are matched by `id` if all have one, otherwise by order. References with a `domain` are also scored by domain.
    To test whether two systems differ, use `utterly compare`. Needs the extra `metrics`:
    `pip install 'utterly[metrics]'`.

    Example: `utterly evaluate --predictions mine.jsonl --references test.jsonl`
    """
    from utterly.metrics import Predictions, score_files

    with busy(f"scoring {predictions.name}"):
        scores = score_files(
            references,
            Predictions(predictions, field),
            mode=mode,
            language=language,
            roles=_labeller(roles) if roles else None,
            intervals=intervals,
            seed=seed,
        )
    if as_json:
        typer.echo(json.dumps(scores.to_dict(), indent=2))
    else:
        _show(scores)


def _labeller(name: str) -> "RoleLabeller":
    kind, _, python = name.partition(":")
    if kind == "ltp":
        from utterly.metrics.roles import LtpLabeller

        return LtpLabeller(python)
    require_all("torch", "transformers", extra="train")
    from utterly.networks.roles import RoleTagger

    return RoleTagger.load(name)


def _show(scores: "FileScores") -> None:
    """Print the scores, then the files and settings behind them."""
    report = scores.report
    columns = [report.overall, *report.domains.values()]
    show_table(
        ("metric", "overall", *report.domains),
        [("pairs", *(f"{next(iter(column.values())).settings.n:,}" for column in columns))],
        [(name, *(_cell(column[name]) for column in columns)) for name in report.overall],
    )
    show("\n".join(_provenance(scores)), "dim")


def _cell(score: "Score") -> str:
    return f"{score.value:.2f}" + (f"\n{score.interval}" if score.interval else "")


def _provenance(scores: "FileScores") -> Iterator[str]:
    from utterly.metrics.resampling import RESAMPLES

    yield f"predictions: {scores.predictions}"
    yield f"references: {scores.references}, matched by {scores.matched_by}"
    names_by_settings: dict[str, list[str]] = {}
    for name, score in scores.report.overall.items():
        shared = replace(score.settings, order=None)  # the order is in the name: BLEU-4
        names_by_settings.setdefault(str(shared), []).append(name)
    for settings, names in names_by_settings.items():
        yield f"{', '.join(_shortened(names))}: {settings}"
    if scores.report.signature:
        yield f"sacreBLEU's signature of BLEU-4: {scores.report.signature}"
    if scores.seed is not None:
        yield f"resampling: {RESAMPLES:,} resamples, seed {scores.seed}"


def _shortened(names: list[str]) -> list[str]:
    """
    >>> _shortened(["ROUGE-1", "ROUGE-L", "EM"])
    ['ROUGE-1/L', 'EM']
    """
    variants_by_metric: dict[str, list[str]] = {}
    for name in names:
        metric, _, variant = name.partition("-")
        variants_by_metric.setdefault(metric, []).append(variant)
    return [f"{metric}-{'/'.join(variants)}".removesuffix("-") for metric, variants in variants_by_metric.items()]
