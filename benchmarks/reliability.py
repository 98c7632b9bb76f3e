"""How well calibrated the bundled English model is: the share of rewrites that help at each level of confidence.

python -m benchmarks.reliability runs/canard/held.jsonl docs/images/reliability-en.png
"""

import argparse
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure

from utterly import Rewriter
from utterly.dialogues.jsonl import read_jsonl
from utterly.training.dev_scores import worth_of

BINS = 10


class Bin(NamedTuple):
    turns: int
    confidence: float  # mean, 0 to 1
    helps: float  # share, 0 to 1


def judged(path: Path) -> list[tuple[float, float]]:
    """The confidence of each rewrite, and its worth compared with the target: 1 if it helps, 0 if it harms."""
    dialogues = [each for each in read_jsonl(path) if each.target]
    rewrites = Rewriter.load().rewrite_many(dialogues, preset="eager")
    return [
        (rewrite.confidence, worth_of(replace(rewrite.script, dialogue=dialogue)))
        for dialogue, rewrite in zip(dialogues, rewrites, strict=True)
        if rewrite.script
    ]


def bins(answers: list[tuple[float, float]]) -> list[Bin]:
    """Bins of equal size, from the least to the most confident answers."""
    ordered = sorted(answers)
    edges = [len(ordered) * i // BINS for i in range(BINS + 1)]
    chunks = [ordered[start:stop] for start, stop in pairwise(edges)]
    return [Bin(len(c), sum(p for p, _ in c) / len(c), sum(worth for _, worth in c) / len(c)) for c in chunks]


def draw(found: list[Bin], out: Path, title: str) -> None:
    figure = Figure(figsize=(4.5, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, label="perfectly calibrated")
    axes.plot([b.confidence for b in found], [b.helps for b in found], marker="o", color="#0b6e99", label="the model")
    axes.set(xlabel="confidence", ylabel="share that helps rather than harms", title=title, xlim=(0, 1), ylim=(0, 1))
    axes.legend()
    figure.savefig(out, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dialogues", type=Path, help="JSON lines with targets")
    parser.add_argument("out", type=Path, help="the picture to write")
    wanted = parser.parse_args()
    found = bins(judged(wanted.dialogues))
    draw(found, wanted.out, wanted.dialogues.stem)
    print("| turns | confidence | helps |\n|---|---|---|")
    for each in found:
        print(f"| {each.turns} | {each.confidence:.2f} | {each.helps:.2f} |")
    total = sum(each.turns for each in found)
    error = sum(each.turns * abs(each.confidence - each.helps) for each in found) / total
    print(f"expected calibration error, {BINS} bins of equal size: {100 * error:.1f} points")


if __name__ == "__main__":
    main()
