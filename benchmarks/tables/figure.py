"""Figure 4 as a picture: exact match against the share of phrases that a rule must cover."""

from pathlib import Path
from typing import Final

from benchmarks.tables.declared import Table
from benchmarks.tables.making import Runs
from benchmarks.tables.scores import Scores, scored

HOW: Final = "published"  # as for the printed scores


def draw(table: Table, runs: Runs, path: Path) -> None:
    """The printed curve and ours, with the number of rules at each point."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.set(xlabel="threshold: % of phrases that a rule must cover", ylabel=f"EM, {HOW} mode")
    for label, points in curves(table, runs).items():
        axes.plot([x for x, _, _ in points], [em for _, em, _ in points], "o-", label=label)
        for x, em, rules in points:
            axes.annotate(f"({rules:g})", (x, em), textcoords="offset points", xytext=(0, 6), ha="center", size=8)
    axes.legend()
    figure.savefig(path, dpi=150)


def curves(table: Table, runs: Runs) -> dict[str, list[tuple[float, float, float]]]:
    """Threshold, EM and number of rules of each point."""
    found: dict[str, list[tuple[float, float, float]]] = {"printed": []}
    for row in table.rows:
        x = float(row.name.removesuffix(" %"))
        rules, em = table.printed[row.name]
        found["printed"].append((x, em, rules))
        for label, of in runs.of(table, row).items():
            if there := [run for run in of if scored(run, HOW)]:
                scores = Scores.read(there, HOW)
                found.setdefault(label, []).append((x, scores.value("EM"), scores.value("rules")))
    return found
