"""Does searching with the rewrite find the answer? Rewriters compared on chats with long answers.

    python -m benchmarks.retrieval --data FOLDER
    python -m benchmarks.retrieval --data FOLDER --model runs/a --model b=runs/b --rewrites llm=runs/llm.jsonl
    python -m benchmarks.retrieval --data FOLDER --details runs/searches.jsonl    # every search, to read
    python -m benchmarks.retrieval --data FOLDER --encoder FOLDER/gte-small       # a dense retriever too

Share closed = (system - raw turn) / (reference - raw turn), where the reference is the human rewrite (for MTRAG, a
language model's). In brackets: the 95 % interval, by bootstrap over dialogues. Better and worse: % of turns compared
with the raw turn. The last column is the paired difference from the first model, which is less noisy than either share.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.retrieval import systems
from benchmarks.retrieval.dense import Dense, TorchEncoder, VectorCache
from benchmarks.retrieval.retrievers import BM25
from benchmarks.retrieval.searches import Searches
from benchmarks.retrieval.sets import Bench, read_bench
from benchmarks.retrieval.systems import System
from benchmarks.retrieval.table import show, write_details

from utterly.model.folder import find_book


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser().parse_args(arguments)
    bench = read_bench(options.data, mtrag_measure=options.mtrag)
    rows = list(all_systems(bench, options))
    base = next(row.name for row in rows if row.name not in (systems.RAW, systems.PREVIOUS))
    searches = Searches(bench, {name: BM25(list(pool.values())) for name, pool in bench.pools.items()})
    show("BM25", searches, rows, base)
    if options.details:
        write_details(options.details, searches, rows)
    if options.encoder:
        show(options.encoder.name, dense_searches(bench.thinned(options.every), rows, options), rows, base)


def dense_searches(bench: Bench, rows: Iterable[System], options: argparse.Namespace) -> Searches:
    vectors = VectorCache(TorchEncoder(options.encoder), options.cache / f"{options.encoder.name}.npz")
    vectors.encode_all(text for pool in bench.pools.values() for text in pool.values())
    asked = ((row, turn) for row in rows for each in bench.sets if row.covers(each) for turn in each.turns)
    vectors.encode_all(query for row, turn in asked for query in row.asks(turn))
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
        "--min-confidence", type=float, nargs="+", default=[], help="also each model with this minimum confidence"
    )
    parser.add_argument("--mtrag", choices=["nDCG@5", "recall@10"], default="nDCG@5", help="measure of MTRAG dev")
    parser.add_argument("--encoder", type=Path, metavar="FOLDER", help="add a dense retriever: a Hugging Face folder")
    parser.add_argument(
        "--every",
        type=int,
        default=36,
        metavar="N",
        help="dense retriever: search every N-th passage; default: 36",
    )
    parser.add_argument(
        "--cache", type=Path, default=Path("runs/retrieval"), metavar="FOLDER", help="where to cache vectors"
    )
    parser.add_argument("--details", type=Path, metavar="FILE", help="write every search as JSON lines")
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
    yield systems.gold_scripts(bench.turns, find_book("en"))


if __name__ == "__main__":
    main()
