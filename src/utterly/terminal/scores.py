"""Scores as tables, with the files and settings that made the numbers beneath them, once."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from rich.table import Table
from rich.text import Text

from utterly.metrics import Comparison, FileScores, Report, Score
from utterly.metrics.resampling import LEVEL, RESAMPLES
from utterly.terminal.tables import output_console, plain_table

OVERALL: Final = "overall"


def show_scores(scores: FileScores) -> None:
    """Print the tables and how they came about to the output stream."""
    console = output_console()
    console.print(report_table(scores.report))
    if scores.comparison:
        console.print(comparison_table(scores.comparison))
    console.print(Text("\n".join(provenance(scores)), style="dim"), soft_wrap=True)


def report_table(report: Report) -> Table:
    """A line a metric, a column for the whole and for each domain."""
    columns = [report.overall, *report.domains.values()]
    table = plain_table("metric", OVERALL, *report.domains)
    table.add_row("pairs", *(f"{_pairs(scores):,}" for scores in columns), end_section=True)
    for name in report.overall:
        table.add_row(name, *(_cell(scores[name]) for scores in columns))
    return table


def comparison_table(comparison: Comparison) -> Table:
    """A line a metric: both systems, their difference, and the chance of seeing such a one where there is none."""
    table = plain_table("metric", "predictions", "compare", "difference", f"{LEVEL:.0%} interval", "p")
    for name, found in comparison.differences.items():
        values = (f"{found.a.value:.2f}", f"{found.b.value:.2f}", f"{found.value:+.2f}")
        table.add_row(name, *values, str(found.interval or ""), f"{found.p:.4f}")
    return table


def provenance(scores: FileScores) -> Iterator[str]:
    """The files, then a line of settings for all metrics that share them."""
    yield f"predictions: {scores.predictions}"
    if scores.against:
        yield f"compare: {scores.against}"
    yield f"references: {scores.references}, matched by {scores.matched_by}"
    yield from _settings(scores.report)
    if scores.comparison:
        yield f"p: paired {scores.comparison.test}, two-sided"
    if scores.seed is not None:
        yield f"resampling: {RESAMPLES:,} resamples, seed {scores.seed}"


def _settings(report: Report) -> Iterator[str]:
    names_of: dict[str, list[str]] = {}
    for name, score in report.overall.items():
        shared = replace(score.settings, order=None)  # the order is in the name: BLEU-4
        names_of.setdefault(str(shared), []).append(name)
    for settings, names in names_of.items():
        yield f"{', '.join(_shortened(names))}: {settings}"
    if report.signature:
        yield f"BLEU-4 as sacreBLEU signs it: {report.signature}"


def _cell(score: Score) -> str:
    return f"{score.value:.2f}" + (f"\n{score.interval}" if score.interval else "")


def _pairs(scores: Mapping[str, Score]) -> int:
    return next(iter(scores.values())).settings.n


def _shortened(names: list[str]) -> list[str]:
    """Names with what they have in common said once.

    >>> _shortened(["ROUGE-1", "ROUGE-L", "EM"])
    ['ROUGE-1/L', 'EM']
    """
    variants_of: dict[str, list[str]] = {}
    for name in names:
        kind, _, variant = name.partition("-")
        variants_of.setdefault(kind, []).append(variant)
    return [f"{kind}-{'/'.join(variants)}".removesuffix("-") for kind, variants in variants_of.items()]
