"""Does the rewrite find what the turn asks for? Rewriters side by side on chats with long answers.

    python -m benchmarks.retrieval --data FOLDER
    python -m benchmarks.retrieval --data FOLDER --model runs/a --model b=runs/b --rewrites llm=runs/llm.jsonl
    python -m benchmarks.retrieval --data FOLDER --details runs/searches.jsonl    # each search, for reading
    python -m benchmarks.retrieval --data FOLDER --encoder FOLDER/gte-small       # a dense retriever too

Share closed = (system - raw turn) / (reference - raw turn), where the reference is the human rewrite, for MTRAG a
language model's. Intervals: 95 %, bootstrap over dialogues. Better and worse: % of turns against the raw turn.
"""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from benchmarks.retrieval import systems
from benchmarks.retrieval.dense import Dense, KeptVectors, TorchEncoder
from benchmarks.retrieval.measures import MEASURES, RESAMPLES, Comparison, Floats, draws, mean_share
from benchmarks.retrieval.retrievers import BM25, Retriever, fused
from benchmarks.retrieval.sets import Bench, SearchSet, read_bench
from benchmarks.retrieval.systems import System

from utterly import RuleBook

SEED: Final = 20


def main() -> None:
    options = parser().parse_args()
    bench = read_bench(options.data, mtrag_measure=options.mtrag)
    rows = list(all_systems(bench, options))
    searches = Searches(bench, {name: BM25(list(pool.values())) for name, pool in bench.pools.items()})
    show("BM25", searches, rows)
    if options.details:
        write_details(options.details, searches, rows)
    if options.encoder:
        show(options.encoder.name, dense_searches(bench.thinned(options.every), rows, options), rows)


def dense_searches(bench: Bench, rows: Iterable[System], options: argparse.Namespace) -> "Searches":
    vectors = KeptVectors(TorchEncoder(options.encoder), options.cache / f"{options.encoder.name}.npz")
    vectors.encode_all(text for pool in bench.pools.values() for text in pool.values())
    asked = [turn.id for turn in bench.turns]
    vectors.encode_all(query for row in rows for turn in asked for query in row.queries.get(turn, ()))
    return Searches(bench, {name: Dense(list(pool.values()), vectors) for name, pool in bench.pools.items()})


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Retrieval with rewrites, on chats with long answers.")
    parser.add_argument("--data", type=Path, required=True, help="folder with wild/*.jsonl.gz")
    parser.add_argument(
        "--model", action="append", metavar="[NAME=]FOLDER", help="a model folder or a bundled model; default: en"
    )
    parser.add_argument(
        "--rewrites", action="append", default=[], metavar="NAME=FILE", help="JSON lines with id and rewrite"
    )
    parser.add_argument(
        "--min-confidence", type=float, nargs="+", default=[], help="also each model's rewrites from this confidence"
    )
    parser.add_argument("--mtrag", choices=["nDCG@5", "recall@10"], default="nDCG@5", help="measure of MTRAG dev")
    parser.add_argument("--encoder", type=Path, metavar="FOLDER", help="also a dense retriever: a Hugging Face folder")
    parser.add_argument(
        "--every", type=int, default=18, metavar="N", help="the dense retriever searches each N-th passage; default: 18"
    )
    parser.add_argument(
        "--cache", type=Path, default=Path("runs/retrieval"), metavar="FOLDER", help="where vectors are kept"
    )
    parser.add_argument("--details", type=Path, metavar="FILE", help="write each search as JSON lines")
    return parser


def all_systems(bench: Bench, options: argparse.Namespace) -> Iterator[System]:
    """The rows of the table, first to last."""
    yield systems.raw(bench.turns)
    yield systems.with_previous(bench.turns)
    for named in options.model or ["utterly=en"]:
        name, _, folder = named.rpartition("=")
        yield from systems.rewriter(name or Path(folder).name, folder, bench.turns, options.min_confidence)
    for named in options.rewrites:
        name, _, file = named.partition("=")
        if not file:
            raise SystemExit(f"--rewrites must be NAME=FILE, got {named!r}")
        yield systems.rewrites_file(name, Path(file))
    yield from systems.peers(bench.peers)
    yield systems.reference(bench.turns)
    yield systems.gold_scripts(bench.turns, RuleBook.load("en"))


class Searches:
    """The score of each search, by one retriever a pool. Raw turns and references are what all are compared with."""

    def __init__(self, bench: Bench, retrievers: Mapping[str, Retriever]) -> None:
        self.bench, self._retrievers = bench, retrievers
        self._places = {
            name: {passage: place for place, passage in enumerate(pool)} for name, pool in bench.pools.items()
        }
        self._raw, self._reference = systems.raw(bench.turns), systems.reference(bench.turns)
        self._known: dict[tuple[str, tuple[str, ...]], float] = {}
        rng = np.random.default_rng(SEED)
        self.draws = {each.name: draws([turn.dialogue for turn in each.turns], rng) for each in bench.sets}

    def compare(self, system: System, turns: SearchSet) -> Comparison:
        return Comparison(
            self.scores(system, turns), self.scores(self._raw, turns), self.scores(self._reference, turns)
        )

    def scores(self, system: System, turns: SearchSet) -> Floats:
        measure = MEASURES[turns.measure]
        scores = np.empty(len(turns.turns))
        for at, turn in enumerate(turns.turns):
            key = turn.id, system.queries[turn.id]
            if key not in self._known:
                retriever, places = self._retrievers[turn.pool], self._places[turn.pool]
                found = fused([retriever.scores(query) for query in dict.fromkeys(system.queries[turn.id])])
                self._known[key] = measure(found, [places[passage] for passage in turn.relevant])
            scores[at] = self._known[key]
        return scores


def show(retriever: str, searches: Searches, rows: Sequence[System]) -> None:
    sets = searches.bench.sets
    titles = [title for each in sets for title in (f"{each.name}, {each.measure}", "closed", "better / worse")]
    print(f"| {' | '.join([retriever, *titles, 'mean closed'])} |\n{'|---' * (len(titles) + 2)}|")
    for system in rows:
        cells, compared, drawn = [], [], []
        for each in sets:
            if not system.covers(each):
                cells += ["–"] * 3
                continue
            comparison, resamples = searches.compare(system, each), searches.draws[each.name]
            share = mean_share([comparison], [resamples])
            cells += [f"{comparison.mean:.3f}", str(share), f"{comparison.better:.0%} / {comparison.worse:.0%}"]
            compared.append(comparison)
            drawn.append(resamples)
        cells.append(str(mean_share(compared, drawn)) if len(compared) == len(sets) else "–")
        print(f"| {' | '.join([system.name, *cells])} |", flush=True)
    turns = ", ".join(f"{each.name} {len(each.turns)}" for each in sets)
    pools = ", ".join(f"{name} {len(pool):,}" for name, pool in searches.bench.pools.items())
    print(f"\nturns: {turns}; passages: {pools}; {RESAMPLES} resamples of dialogues")


def write_details(path: Path, searches: Searches, rows: Sequence[System]) -> None:
    """A line for each turn and system: what was searched with, and how that did beside the raw turn."""
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
                        "queries": system.queries[turn.id],
                        "score": round(float(score), 4),
                        "raw": round(float(raw), 4),
                    }
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
