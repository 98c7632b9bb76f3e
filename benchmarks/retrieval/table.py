"""The results: one Markdown table per retriever, and a file with one line per search."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from benchmarks.retrieval.measures import RESAMPLES, Comparison, Estimate, Floats
from benchmarks.retrieval.searches import Searches
from benchmarks.retrieval.systems import System

NONE: Final = "–"


def show(retriever: str, searches: Searches, rows: Sequence[System], base: str) -> None:
    """A row for each system. The last column is the difference from `base`."""
    sets = searches.bench.sets
    titles = [title for each in sets for title in (f"{each.name}, {each.measure}", "closed, %", "better / worse, %")]
    titles += ["mean closed, %", f"minus {base}'s"]
    print(f"| {retriever} | {' | '.join(titles)} |\n{'|---' * (len(titles) + 1)}|")
    compared = {row.name: [searches.compare(row, each) if row.covers(each) else None for each in sets] for row in rows}
    means = {name: _mean_closed(figures) for name, figures in compared.items()}
    for name, figures in compared.items():
        cells = [cell for each in figures for cell in _cells(each)]
        cells.append(_estimate(means[name]))
        cells.append(_estimate(None if name == base else _difference(means[name], means[base])))
        print(f"| {name} | {' | '.join(cells)} |")
    turns = ", ".join(f"{each.name} {len(each.turns)}" for each in sets)
    pools = ", ".join(f"{name} {len(pool):,}" for name, pool in searches.bench.pools.items())
    print(f"\nturns: {turns}; passages: {pools}; {RESAMPLES} resamples of dialogues", flush=True)
    for each, of_base in zip(sets, compared[base], strict=True):
        if of_base and of_base.closed is None:
            print(f"{each.name} has no share and is not in the mean: references are not clearly better than raw turns")
    print()


def _cells(figures: Comparison | None) -> list[str]:
    if figures is None:
        return [NONE] * 3
    changes = f"{100 * figures.better:.0f} / {100 * figures.worse:.0f}"
    return [f"{figures.mean:.3f}", _estimate(figures.closed), changes]


def _mean_closed(figures: Sequence[Comparison | None]) -> Floats | None:
    """The mean share closed over the sets that have one; None unless all sets were searched. (1 + resamples,)."""
    closed = [each.closed for each in figures if each is not None and each.closed is not None]
    mean: Floats | None = np.mean(closed, axis=0) if closed and None not in figures else None
    return mean


def _difference(mean: Floats | None, base: Floats | None) -> Floats | None:
    return None if mean is None or base is None else mean - base


def _estimate(shares: Floats | None) -> str:
    return NONE if shares is None else str(Estimate.of(shares))


def write_details(path: Path, searches: Searches, rows: Sequence[System]) -> None:
    """A line for each turn and system: its queries, its score, and the score of the raw turn."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for each in searches.bench.sets:
            for system in rows:
                if not system.covers(each):
                    continue
                comparison = searches.compare(system, each)
                for turn, score, raw in zip(each.turns, comparison.scores, comparison.raw, strict=True):
                    line = {
                        "id": turn.id,
                        "system": system.name,
                        "source": turn.source,
                        "queries": system.asks(turn),
                        "score": round(float(score), 4),
                        "raw": round(float(raw), 4),
                    }
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
