"""Engines compared with `rewrite_many`: dialogues per second, CPU time, start-up, memory of a worker, a killed worker.

    python -m benchmarks.fleets                                   # all engines, 20,000 dialogues each
    python -m benchmarks.fleets --engine ray --dialogues 200000   # is memory flat?
    python -m benchmarks.fleets --engine rewrite_many --engine ray --dialogues 2000 --kill

The dialogues are those of the acceptance set, repeated. Each engine runs in a separate process and reads them from
Parquet: first a few, which measures start-up; then the same few, then all, and the difference of the two gives the
speed. Memory is private memory of the largest worker, less that of a worker without a model. CPU time is that of all
processes of the engine. Every row is compared with `rewrite_many`.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.measuring import show, show_header

from utterly import Rewriter
from utterly.fleets import RewriteBatch

DIALOGUES: Final = Path(__file__).parent.parent / "tests" / "acceptance" / "dialogues.jsonl"
FEW: Final = 64
FILES: Final = 20
CORES: Final = 2
Rows = Iterator[tuple[int, str]]
"""Ids and rewrites, in any order."""


class Unchanged(RewriteBatch):
    """The same without a model, to measure what the engine itself needs."""

    def _rewritten(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        for row in rows:
            yield {"rewrite": row["utterance"], "confidence": 1.0, "changed": False, "error": None}


def with_rewrite_many(folder: Path) -> Rows:
    rows = [row for path in sorted(folder.iterdir()) for row in pq.read_table(path).to_pylist()]
    rewritten = Rewriter.load().rewrite_many([*row["history"], row["utterance"]] for row in rows)
    return ((row["id"], rewrite.text) for row, rewrite in zip(rows, rewritten, strict=True))


def with_ray(folder: Path) -> Rows:
    import ray

    from utterly.fleets.ray import rewrite_dataset

    if not ray.is_initialized():
        # One more than there are: if each actor takes a core, none is left for reading.
        ray.init(num_cpus=CORES + 1, include_dashboard=False, log_to_driver=False, logging_level="error")
        ray.data.DataContext.get_current().enable_progress_bars = False
    made = rewrite_dataset(ray.data.read_parquet(str(folder)), concurrency=CORES)
    for table in made.iter_batches(batch_size=256, batch_format="pyarrow"):
        yield from pairs(table)


def with_spark(folder: Path) -> Rows:
    from pyspark.sql import SparkSession

    from utterly.fleets.spark import rewrite_frame

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{CORES}]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.log.level", "ERROR").getOrCreate()
    frame = spark.read.parquet(str(folder)).repartition(8 * CORES)
    for row in rewrite_frame(frame).select("id", "rewrite").collect():
        yield row["id"], row["rewrite"]


def with_datasets(folder: Path) -> Rows:
    import datasets

    from utterly.fleets.datasets import rewrite_dataset

    datasets.disable_progress_bars()
    datasets.disable_caching()
    rows = datasets.Dataset.from_parquet([str(path) for path in sorted(folder.iterdir())], cache_dir=f"{folder}-cache")
    for table in rewrite_dataset(rows, num_proc=CORES).with_format("arrow").iter(1000):
        yield from pairs(table)


def with_polars(folder: Path) -> Rows:
    import polars as pl

    from utterly.fleets.polars import utterly_rewrite

    made = pl.scan_parquet(folder).select("id", utterly_rewrite().struct.field("rewrite")).collect()
    yield from made.iter_rows()


def with_duckdb(folder: Path) -> Rows:
    import duckdb

    from utterly.fleets.duckdb import register

    connection = duckdb.connect(config={"threads": CORES})
    register(connection)
    query = f"SELECT id, utterly_rewrite(history, utterance).rewrite FROM '{folder}/*.parquet'"  # noqa: S608 - ours
    yield from connection.execute(query).fetchall()


ENGINES: Final[dict[str, Callable[[Path], Rows]]] = {
    "rewrite_many": with_rewrite_many,
    "ray": with_ray,
    "spark": with_spark,
    "datasets": with_datasets,
    "polars": with_polars,
    "duckdb": with_duckdb,
}


def pairs(table: Any) -> Rows:
    return zip(table["id"].to_pylist(), table["rewrite"].to_pylist(), strict=True)


def digest(rows: Rows) -> tuple[int, int]:
    """The number of rows, and a sum of hashes that does not depend on their order."""
    sums = [crc32(f"{number}\t{text}".encode()) for number, text in rows]
    return len(sums), sum(sums)


def work(engine: str, folder: Path, *, model: bool) -> None:
    """Runs in a separate process: a few rows, again, then all. Prints when each began and ended, and the digest."""
    if not model:  # workers import it from this module, not from `__main__`
        vars(import_module(f"utterly.fleets.{engine}"))["RewriteBatch"] = import_module("benchmarks.fleets").Unchanged
    marks = []
    for part in ("few", "few", "all"):
        began = time.time()
        found = digest(ENGINES[engine](folder / part))
        marks.append((began, time.time()))
    print(json.dumps({"marks": marks, "digest": found}))


class Watch(threading.Thread):
    """Samples a process and its descendants: the time, CPU seconds, and MiB of the largest worker."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.process, self.done = process, threading.Event()
        self.samples: list[tuple[float, float, float]] = []

    def run(self) -> None:
        seconds: dict[int, float] = {}
        while not self.done.wait(0.3):
            tree = descendants(self.process)
            for process in tree:
                seconds[process] = max(seconds.get(process, 0.0), processor_seconds(process))
            workers = [process for process in tree[1:] if is_worker(process)] or [self.process]
            self.samples.append((time.time(), sum(seconds.values()), max(map(private_mib, workers))))

    def between(self, start: float, end: float) -> list[tuple[float, float, float]]:
        """From the last sample before the start to the first after the end."""
        times = [sample[0] for sample in self.samples]
        return self.samples[max(0, bisect_right(times, start) - 1) : bisect_right(times, end) + 1]

    def processor(self, start: float, end: float) -> float:
        samples = self.between(start, end)
        return samples[-1][1] - samples[0][1]


def descendants(process: int) -> list[int]:
    found = [process]
    for each in found:
        try:
            children = [path.read_text() for path in Path(f"/proc/{each}/task").glob("*/children")]
        except OSError:
            continue
        found += [int(child) for line in children for child in line.split()]
    return found


def is_worker(process: int) -> bool:
    """Whether a process rewrites: an actor of Ray, or a fork of Spark's daemon or of `datasets`."""
    try:
        title = Path(f"/proc/{process}/cmdline").read_bytes()
        return title.startswith(b"ray::MapWorker") or b"pyspark.daemon" in title or b"--work\0datasets" in title
    except OSError:
        return False


def processor_seconds(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def private_mib(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


@dataclass(frozen=True)
class Outcome:
    rate: float  # dialogues per second after start-up
    start: float  # seconds
    processor: float  # milliseconds per dialogue, all processes together
    memory: float  # MiB of the largest worker
    growth: float  # MiB from the first third to the last
    digest: list[int]


def measured(engine: str, folder: Path, count: int, *, kill: bool = False) -> Outcome:
    began, watch, found = watched(engine, folder, kill=kill)
    first, again, (start, end) = found["marks"]
    rate = (count - FEW) / ((end - start) - (again[1] - again[0]))
    samples = watch.between(start, end)
    third = max(1, len(samples) // 3)
    early, late = (sorted(sample[2] for sample in part)[third // 2] for part in (samples[:third], samples[-third:]))
    return Outcome(
        rate=rate,
        start=first[1] - began,
        processor=1000 * (watch.processor(start, end) - watch.processor(*again)) / (count - FEW),
        memory=max(sample[2] for sample in samples),
        growth=late - early,
        digest=found["digest"],
    )


def watched(engine: str, folder: Path, *, model: bool = True, kill: bool = False) -> tuple[float, Watch, Any]:
    """Run an engine in a separate process: when it began, its samples, and what it printed."""
    command = [sys.executable, "-m", "benchmarks.fleets", "--work", engine, "--folder", str(folder)]
    began = time.time()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [*command, *(["--no-model"] * (not model))], stdout=subprocess.PIPE, stderr=errors, text=True
        )
        watch = Watch(process.pid)
        watch.start()
        if kill:
            kill_an_actor(process)
        printed, _ = process.communicate()
        watch.done.set()
        if process.returncode:
            errors.seek(0)
            raise SystemExit(errors.read().decode(errors="replace"))
    answer = next(line for line in printed.splitlines() if line.startswith('{"marks"'))  # Ray prints its own lines too
    return began, watch, json.loads(answer)


def kill_an_actor(process: "subprocess.Popen[str]") -> int:
    """Kill an actor that has worked for some seconds."""
    while process.poll() is None:
        time.sleep(0.2)
        for each in descendants(process.pid):
            if is_worker(each) and processor_seconds(each) > 5:
                os.kill(each, signal.SIGKILL)
                return each
    raise SystemExit("the run ended before an actor could be killed; use more dialogues")


def write(folder: Path, count: int, files: int) -> None:
    folder.mkdir()
    rows = [json.loads(line) for line in DIALOGUES.read_text(encoding="utf-8").splitlines()]
    pairs = [{"history": row["history"], "utterance": row["utterance"]} for row in rows]
    numbered = [{"id": number, **row} for number, row in enumerate(islice(cycle(pairs), count))]
    size = -(-count // files)
    for number in range(files):
        part = numbered[number * size : (number + 1) * size]
        pq.write_table(pa.Table.from_pylist(part), folder / f"{number:03d}.parquet")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dialogues", type=int, default=20_000)
    parser.add_argument("--engine", action="append", choices=ENGINES, help="only this one; may be repeated")
    parser.add_argument("--kill", action="store_true", help="kill one of Ray's actors in the middle")
    parser.add_argument("--work", choices=ENGINES, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--no-model", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        work(arguments.work, arguments.folder, model=not arguments.no_model)
        return
    count = arguments.dialogues
    load = " ".join(f"{each:.1f}" for each in os.getloadavg())
    show_header(f"{count:,} dialogues, {os.cpu_count()} cores, load before: {load}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "few", FEW, CORES)
        write(folder / "all", count, FILES)
        alone: Outcome | None = None
        for engine in arguments.engine or ENGINES:
            outcome = measured(engine, folder, count, kill=arguments.kill and engine == "ray")
            alone = alone or outcome
            report(engine, outcome, alone)
            if engine != "rewrite_many" and not arguments.kill:
                _, watch, _ = watched(engine, folder, model=False)
                beyond = outcome.memory - max(sample[2] for sample in watch.samples)
                show(f"{engine}: memory of a worker beyond its own", f"{beyond:.0f} MiB", "<= 300", beyond <= 300)


def report(engine: str, outcome: Outcome, alone: Outcome) -> None:
    share = outcome.rate / alone.rate
    show(f"{engine}: dialogues a second", f"{outcome.rate:.1f}, {share:.2f}x", ">= 0.8x", share >= 0.8)
    ratio = alone.processor / outcome.processor
    show(f"{engine}: processor time a dialogue", f"{outcome.processor:.2f} ms, {ratio:.2f}x", ">= 0.8x", ratio >= 0.8)
    show(f"{engine}: start-up", f"{outcome.start:.1f} s")
    show(f"{engine}: private memory of a worker", f"{outcome.memory:.0f} MiB, {outcome.growth:+.0f} in the last third")
    show(f"{engine}: rows, and their digest", " ".join(map(str, outcome.digest)), "", outcome.digest == alone.digest)


if __name__ == "__main__":
    main()
