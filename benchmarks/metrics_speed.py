"""How long scoring takes, beside NLTK and the `rouge` package on the same words.

The source itself is the prediction, so no model is needed. Goal: all metrics in `paper` mode on CANARD
test (5,571 pairs) within five seconds on one core, the interpreter's start and imports left out.

    python benchmarks/metrics_speed.py --data FOLDER    # with canard/test.jsonl.gz
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from nltk.translate.bleu_score import corpus_bleu
from rouge import Rouge

from utterly.files import numbered_lines
from utterly.metrics import evaluate
from utterly.metrics.bleu import bleu_statistics
from utterly.metrics.modes import reading
from utterly.metrics.rouge import rouge_f1

T = TypeVar("T")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time all metrics, and the usual packages.")
    parser.add_argument("--data", type=Path, required=True, help="folder with canard/test.jsonl.gz")
    folder: Path = parser.parse_args().data
    rows = [json.loads(line) for _, line in numbered_lines(folder / "canard" / "test.jsonl.gz")]
    sources = [row["Question"] for row in rows]
    references = [row["Rewrite"] for row in rows]

    how = reading("paper", "en")  # imports spaCy before the clock starts
    report, all_metrics = timed(lambda: evaluate(sources, references, sources=sources, language="en"))
    words = [[how.reference_words(text) for text in texts] for texts in (sources, references)]
    _, ours = timed(lambda: (bleu_statistics(*words), rouge_f1(*words)))
    figures, packages = timed(lambda: by_packages(*words))

    print(f"{len(rows)} pairs, one process")
    print(f"utterly, text to all {len(report.overall)} scores      {all_metrics:6.2f} s")
    print(f"BLEU-1..4 and ROUGE on words: ours  {ours:6.2f} s")
    print(f"          the same, NLTK and rouge  {packages:6.2f} s")
    for name, figure in figures.items():
        print(f"  {report[name]}   packages {figure:.2f}")


def by_packages(hypotheses: list[list[str]], references: list[list[str]]) -> dict[str, float]:
    wanted = [[reference] for reference in references]
    weights = [(1 / order,) * order for order in range(1, 5)]
    bleus = corpus_bleu(wanted, hypotheses, weights)
    sys.setrecursionlimit(10_000)  # rouge walks its table by recursion
    rouges = Rouge().get_scores(
        [" ".join(words) for words in hypotheses], [" ".join(words) for words in references], avg=True
    )
    figures = {f"BLEU-{order}": 100 * value for order, value in enumerate(bleus, start=1)}
    return figures | {f"ROUGE-{name}": 100 * rouges[f"rouge-{name.lower()}"]["f"] for name in ("1", "2", "L")}


def timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


if __name__ == "__main__":
    main()
