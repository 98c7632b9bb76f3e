"""Trained models against the size of their rule book, drawn: the paper's Figure 4.

The figures are those of quality.md, "Rule books of other sizes": CANARD test, `paper` mode, 95 % intervals. Nothing is
trained or scored here.

    python -m benchmarks.trained_books benchmarks/trained_books.csv benchmarks/trained_books.png
"""

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure


class Measured(NamedTuple):
    value: float
    low: float
    high: float


class Trained(NamedTuple):
    """One model; the scores are from 0 to 100."""

    rules: int  # beside the null rule
    bleu4: Measured
    em: Measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path, help="CSV with a line for each model")
    parser.add_argument("out", type=Path, help="the picture to write")
    options = parser.parse_args()
    draw(read(options.table), options.out)


def read(path: Path) -> list[Trained]:
    """The models, from the smallest book to the largest."""
    with path.open(encoding="utf-8", newline="") as table:
        return sorted(
            Trained(int(row["rules"]), _measured(row, "bleu4"), _measured(row, "em")) for row in csv.DictReader(table)
        )


def _measured(row: dict[str, str], name: str) -> Measured:
    return Measured(float(row[name]), float(row[f"{name}_low"]), float(row[f"{name}_high"]))


def draw(models: Sequence[Trained], out: Path) -> None:
    figure = Figure(figsize=(6, 4), layout="constrained")
    bleu4_axis = figure.add_subplot()
    bleu4_axis.set(xlabel="rules beside the null rule", ylabel="BLEU-4", xticks=[model.rules for model in models])
    em_axis = bleu4_axis.twinx()
    em_axis.set_ylabel("EM")
    rules = [model.rules for model in models]
    for axis, scores, style, colour, label, aside in (
        (bleu4_axis, [model.bleu4 for model in models], "s-", "tab:blue", "BLEU-4, left", -0.2),
        (em_axis, [model.em for model in models], "^--", "tab:orange", "EM, right", 0.2),
    ):
        below, above = zip(*((each.value - each.low, each.high - each.value) for each in scores), strict=True)
        at = [number + aside for number in rules]  # so that the intervals do not hide each other
        values = [each.value for each in scores]
        axis.errorbar(at, values, (below, above), fmt=style, color=colour, capsize=3, label=label)
    figure.legend(loc="outside upper center", ncols=2)
    figure.savefig(out, dpi=150)


if __name__ == "__main__":
    main()
