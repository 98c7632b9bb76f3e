"""How fast rewriting is beside its opponents, and what it takes: all in one run, on the same cores.

    python -m benchmarks.rewriting_speed --dialogues runs/canard/held.jsonl --torch-model MODEL

`--torch-model` is the folder that the bundled model was exported from. For each dialogue in turn every opponent answers
once, so that what else the machine does hits all alike; each then finds the caches full of the others' weights. So the
first two also answer some dialogues running, as one that works alone does; there, and for throughput, the quickest of
several rounds counts, as virtual machines lend their cores to others for seconds at a time. The opponents are

- the bundled model in int8, through `Rewriter.rewrite`: text in, text out;
- the same model in eager torch, with the same reading of words and the same decoding;
- T5-base, greedy, in eager torch and in onnxruntime int8 (see `t5.py`): its encoder on as many pieces as the dialogue
  has in ours, then 14 pieces out one by one, with their keys and values kept. Cutting text into pieces is left out.

Then come throughput, start, memory, and dialogues that grow. The table is Markdown, with the goals.
"""

import argparse
import importlib.metadata
import logging
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, islice, product
from pathlib import Path

import numpy as np
import torch  # noqa: TID251 - an opponent
import transformers
from benchmarks.t5 import SHAPES, OnnxT5, TorchT5, random_t5

from utterly import Dialogue, Rewriter
from utterly.dialogues import read_jsonl
from utterly.taggers.model import TaggerModel
from utterly.taggers.scorer import TorchScorer

WORDS_OUT = 14
PAUSE = 0.05  # seconds between opponents: what the threads of one still do
WARM_UP = 3
PROCESSES = 7
RUNNING = 10  # dialogues that a way answers before the next has its turn
ROUNDS = 5
FEW_TURNS, MANY_TURNS = 100, 10_000
GROWTH_ROUNDS = 30

OURS, TORCH = "bundled model, int8", "the same model, eager torch"

IMPORTING = """
import sys, time
began = time.perf_counter()
import utterly
print(time.perf_counter() - began, *sorted({"torch", "onnxruntime"} & set(sys.modules)))
"""
FIRST_REWRITE = """
from utterly import Rewriter
Rewriter.load().rewrite(["Who wrote Dune?", "Frank Herbert.", "When was it published?"])
"""
MEMORY = """
import json, sys
from itertools import islice
from pathlib import Path
from utterly import Rewriter
model, threads, count, many, path = sys.argv[1:]
rewriter = Rewriter.load(model, threads=int(threads))
lines = islice(Path(path).open(encoding="utf-8"), int(count))
dialogues = ([*row["history"], row["utterance"]] for row in map(json.loads, lines))
answers = rewriter.rewrite_many(dialogues) if many == "many" else map(rewriter.rewrite, dialogues)
for _ in answers:
    pass
status = Path("/proc/self/status").read_text(encoding="utf-8")
print(int(status.split("VmHWM:")[1].split()[0]) / 1024)  # the most so far, in KiB
"""

Way = Callable[[Dialogue], object]


def main() -> None:
    wanted = read_arguments()
    torch.set_num_threads(wanted.threads)
    transformers.logging.set_verbosity_error()
    logging.getLogger().setLevel(logging.ERROR)  # onnxruntime's quantiser warns there
    dialogues = list(islice(read_jsonl(wanted.dialogues), wanted.inputs + WARM_UP))
    dialogues, first = dialogues[:-WARM_UP], dialogues[-WARM_UP:]
    rewriter = Rewriter.load(wanted.model, threads=wanted.threads)
    print(settings(wanted, dialogues))
    print("\n| what | figure | goal | |\n|---|---|---|---|")
    latency(rewriter, dialogues, first, wanted)
    throughput(rewriter, dialogues, wanted)
    start()
    memory(wanted)
    growth(rewriter, dialogues)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dialogues", type=Path, required=True, help="JSON lines, plain")
    parser.add_argument("--torch-model", type=Path, required=True, help="the folder that the model was exported from")
    parser.add_argument("--model", default="en", help="a bundled model or an exported model's folder")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--inputs", type=int, default=100, help="dialogues for latency and throughput")
    parser.add_argument("--t5-inputs", type=int, default=10, help="how many of them T5 reads, evenly chosen")
    parser.add_argument("--memory-inputs", type=int, default=300)
    parser.add_argument("--t5", choices=SHAPES, default="base", help="the shape of T5")
    return parser.parse_args()


def settings(wanted: argparse.Namespace, dialogues: Sequence[Dialogue]) -> str:
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("onnxruntime", "torch", "transformers")]
    words = statistics.median(sum(len(turn.words) for turn in (*each.context, each.source)) for each in dialogues)
    return (
        f"{cpu()}, {os.cpu_count()} CPUs, {wanted.threads} threads; {platform.system()}, Python "
        f"{platform.python_version()}, {', '.join(versions)}. {len(dialogues)} dialogues of {wanted.dialogues.name}, "
        f"median {words:g} words; T5 reads {min(wanted.t5_inputs, len(dialogues))} of them. Model {wanted.model}."
    )


def cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:  # not on Linux
        return platform.processor() or platform.machine()
    known = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return known[0] if known else platform.machine()


def latency(
    rewriter: Rewriter, dialogues: Sequence[Dialogue], first: Sequence[Dialogue], wanted: argparse.Namespace
) -> None:
    """One dialogue at a time. A ratio compares medians over the dialogues that both have answered."""
    same_model = TaggerModel.from_pretrained(wanted.torch_model)
    scorer = TorchScorer(same_model.tagger)

    def in_torch(dialogue: Dialogue) -> str:
        pieces = same_model.encoder.encode(dialogue)
        (scripts,) = scorer.decode([dialogue], [pieces], same_model.book, same_model.decode)
        return scripts[0].script.apply()

    t5 = random_t5(wanted.t5)
    torch_t5, onnx_t5 = TorchT5(t5, WORDS_OUT), OnnxT5(t5, WORDS_OUT, threads=wanted.threads)
    most = SHAPES[wanted.t5]["vocab_size"]
    eager, int8 = f"T5-{wanted.t5}, eager torch, greedy", f"T5-{wanted.t5}, onnxruntime int8, greedy"
    ways: dict[str, Way] = {
        OURS: lambda dialogue: rewriter.rewrite(dialogue).text,
        TORCH: in_torch,
        eager: lambda dialogue: torch_t5.generate(same_model.encoder.encode(dialogue).ids % most),
        int8: lambda dialogue: onnx_t5.generate(same_model.encoder.encode(dialogue).ids % most),
    }
    step = max(1, len(dialogues) // wanted.t5_inputs)
    asked = {name: dialogues if name in (OURS, TORCH) else dialogues[step // 2 :: step] for name in ways}
    times = in_turn(ways, dialogues, asked, first)
    for name, seconds in times.items():
        show(f"one dialogue, median of {len(seconds)}: {name}", milliseconds(list(seconds.values())))
    for name, goal in ((TORCH, 4), (eager, 25), (int8, None)):
        both = times[name].keys() & times[OURS].keys()
        theirs, ours = (statistics.median(times[each][i] for i in both) for each in (name, OURS))
        ratio = theirs / ours
        show(f"faster than {name}", f"{ratio:.1f}x", at_least(goal), None if goal is None else ratio >= goal)
    of_two = running({name: ways[name] for name in (OURS, TORCH)}, dialogues)
    for name, each in of_two.items():
        show(
            f"{RUNNING} running, each one's best of {ROUNDS} rounds, median of {len(each)}: {name}", milliseconds(each)
        )
    theirs, ours = (statistics.median(of_two[name]) for name in (TORCH, OURS))
    show(f"faster than {TORCH}, both running", f"{theirs / ours:.1f}x", at_least(4), theirs / ours >= 4)
    alike = sum(rewriter.rewrite(each).text == in_torch(each) for each in dialogues)
    show("rewrites that are the same in torch", f"{alike} of {len(dialogues)}")


def in_turn(
    ways: Mapping[str, Way],
    dialogues: Sequence[Dialogue],
    asked: Mapping[str, Sequence[Dialogue]],
    first: Sequence[Dialogue],
) -> dict[str, dict[int, float]]:
    """Seconds by way and number of the dialogue. Who begins changes from dialogue to dialogue."""
    for way in ways.values():
        for dialogue in first:
            way(dialogue)
    chosen = {name: {id(dialogue) for dialogue in some} for name, some in asked.items()}
    times: dict[str, dict[int, float]] = {name: {} for name in ways}
    for i, dialogue in enumerate(dialogues):
        names = [name for name in ways if id(dialogue) in chosen[name]]
        turn = i % len(names)
        for name in [*names[turn:], *names[:turn]]:
            time.sleep(PAUSE)
            times[name][i] = seconds_of(ways[name], dialogue)
    return times


def running(ways: Mapping[str, Way], dialogues: Sequence[Dialogue]) -> dict[str, list[float]]:
    """Each dialogue's quickest seconds by way. A way answers some running, then the next way the same."""
    rounds: dict[str, list[list[float]]] = {name: [[] for _ in range(ROUNDS)] for name in ways}
    for i, begin in product(range(ROUNDS), range(0, len(dialogues), RUNNING)):
        for name in list(ways)[:: -1 if i % 2 else 1]:
            time.sleep(PAUSE)
            ways[name](dialogues[begin - 1])  # fills the caches
            rounds[name][i] += [seconds_of(ways[name], dialogue) for dialogue in dialogues[begin : begin + RUNNING]]
    return {name: list(map(min, *each)) for name, each in rounds.items()}


def throughput(rewriter: Rewriter, dialogues: Sequence[Dialogue], wanted: argparse.Namespace) -> None:
    """`rewrite_many` and `rewrite` in turn on the same dialogues and cores; the quickest round of each."""

    def one_by_one() -> None:
        for dialogue in dialogues:
            rewriter.rewrite(dialogue)

    def many() -> None:
        for _ in rewriter.rewrite_many(dialogues, workers=wanted.threads):
            pass

    many()  # reads the model for one core each
    pairs = [(seconds_of(one_by_one), seconds_of(many)) for _ in range(ROUNDS)]
    one, all_together = (len(dialogues) / min(each) for each in zip(*pairs, strict=True))
    ratio = all_together / one
    show("dialogues a second, one at a time", f"{one:.1f}")
    show("dialogues a second, `rewrite_many`", f"{all_together:.1f}")
    show(f"`rewrite_many` over one at a time, best of {ROUNDS} rounds", f"{ratio:.2f}x", at_least(1.5), ratio >= 1.5)


def start() -> None:
    """New processes, each by itself; the files have been read before."""
    answers = [in_new_process(IMPORTING).split() for _ in range(PROCESSES)]
    importing = statistics.median(float(seconds) for seconds, *_ in answers)
    heavy = sorted({name for _, *names in answers for name in names})
    show(f"`import utterly`, median of {PROCESSES} processes", f"{importing:.3f} s", "< 0.3 s", importing < 0.3)
    show("torch or onnxruntime loaded by that", ", ".join(heavy) or "none", "none", not heavy)
    first = statistics.median(seconds_of(in_new_process, FIRST_REWRITE) for _ in range(PROCESSES))
    show(f"interpreter, load and first rewrite, median of {PROCESSES}", f"{first:.2f} s", "< 1.5 s", first < 1.5)


def memory(wanted: argparse.Namespace) -> None:
    """The most that a process of its own ever held; only Linux says."""
    if not Path("/proc/self/status").is_file():
        return
    for how, kind in (("one at a time", "one"), ("`rewrite_many`", "many")):
        told = (wanted.model, wanted.threads, wanted.memory_inputs, kind, wanted.dialogues)
        most = float(in_new_process(MEMORY, *map(str, told)))
        what = f"most memory while rewriting {wanted.memory_inputs} dialogues, {how}"
        show(what, f"{most:.0f} MiB", "< 350 MiB", most < 350)


def growth(rewriter: Rewriter, dialogues: Sequence[Dialogue]) -> None:
    """Long dialogues of turns of the others; the source and what stands right before it are the same in both."""
    said = list(islice(cycle(turn.text for each in dialogues for turn in each.context), MANY_TURNS - 1))
    source = dialogues[-1].source.text
    few, many = [*said[-FEW_TURNS + 1 :], source], [*said, source]
    for turns in (few, many):
        rewriter.rewrite(turns)
    pairs = [(seconds_of(rewriter.rewrite, few), seconds_of(rewriter.rewrite, many)) for _ in range(GROWTH_ROUNDS)]
    short, long = (statistics.median(each) for each in zip(*pairs, strict=True))
    for count, seconds in ((FEW_TURNS, short), (MANY_TURNS, long)):
        show(f"a dialogue of {count:,} turns, median of {GROWTH_ROUNDS}", f"{1000 * seconds:.1f} ms")
    what = f"{MANY_TURNS:,} turns over {FEW_TURNS} turns"
    show(what, f"{long / short:.2f}x", "<= 1.5x", long / short <= 1.5)


def in_new_process(code: str, *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, capture_output=True, encoding="utf-8"
    ).stdout


def seconds_of(work: Callable[..., object], *arguments: object) -> float:
    began = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - began


def milliseconds(seconds: Sequence[float]) -> str:
    late = float(np.quantile(seconds, 0.9))
    return f"{1000 * statistics.median(seconds):.1f} ms (90 % under {1000 * late:.1f})"


def at_least(goal: float | None) -> str:
    return "" if goal is None else f">= {goal:g}x"


def show(what: str, figure: str, goal: str = "", reached: bool | None = None) -> None:
    verdict = "" if reached is None else "reached" if reached else "MISSED"
    print(f"| {what} | {figure} | {goal} | {verdict} |", flush=True)


if __name__ == "__main__":
    main()
