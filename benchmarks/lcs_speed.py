"""How fast source and target are aligned, beside the slow twin of the tests, in one run.

python -m benchmarks.lcs_speed --data FOLDER    # with canard/train.jsonl.gz
"""

import argparse
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from tests.labels.slow_twins import aligned_by_the_book, phrases

from utterly.dialogues import read_canard
from utterly.labels.lcs import Pair, aligned_pairs
from utterly.labels.syntax import folded_words

Words = tuple[str, ...]
Align = Callable[[Words, Words], list[Pair]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the alignment of sources and targets.")
    parser.add_argument("--data", type=Path, required=True, help="folder with canard/train.jsonl.gz")
    parser.add_argument("--pairs", type=int, default=5_000)
    options = parser.parse_args()
    dialogues = islice(read_canard(options.data / "canard" / "train.jsonl.gz"), options.pairs)
    pairs = [(folded_words(d.source.text), folded_words(d.target.text)) for d in dialogues if d.target]

    # Others may use the machine too: rounds take turns, and the quickest of each counts.
    rounds = [(timed(aligned_pairs, pairs), timed(aligned_by_the_book, pairs)) for _ in range(5)]
    ours, twin = (min(seconds) for seconds in zip(*rounds, strict=True))
    fast = [aligned_pairs(source, target) for source, target in pairs]
    slow = [aligned_by_the_book(source, target) for source, target in pairs]
    for (_, target), ours_is, twin_is in zip(pairs, fast, slow, strict=True):
        assert len(ours_is) == len(twin_is)
        assert phrases(ours_is, len(target)) == phrases(twin_is, len(target))
    each = 1e6 / len(pairs)
    print(f"{len(pairs):,} pairs of source and target, equally long with equally few phrases")
    print(f"utterly    {ours:7.2f} s  {ours * each:7.1f} microseconds a pair")
    print(f"slow twin  {twin:7.2f} s  {twin * each:7.1f} microseconds a pair")
    print(f"{twin / ours:.0f} times as fast")


def timed(align: Align, pairs: list[tuple[Words, Words]]) -> float:
    start = time.perf_counter()
    for source, target in pairs:
        align(source, target)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
