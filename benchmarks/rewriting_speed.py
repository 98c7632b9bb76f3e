"""How fast rewriting is compared with its competitors, and what it needs: all in one run, on the same cores.

    python -m benchmarks.rewriting_speed --dialogues runs/canard/held.jsonl

The competitors take turns on each dialogue, so other load on the machine affects all of them equally:

- the bundled model in int8, through `Rewriter.rewrite`: text in, text out;
- the same model in eager torch, its weights read back from the graphs, with the same encoding and decoding;
- T5-base, greedy, in eager torch and in onnxruntime int8 (see `t5.py`): it reads as many pieces as our model does and
  writes 14, one by one, with cached keys and values. Tokenization is not timed;
- with `--llm`, a language model in llama.cpp that condenses the question, as in chat frameworks
  (`retrieval/condense.py`): the same dialogues as T5, text in, text out.

Taking turns fills the CPU caches with the others' weights, so the first two also answer ten dialogues in a row, like a
model that runs alone. There, and for throughput, the best of several rounds counts, because virtual machines lose their
cores to others for seconds at a time. Then follow start-up, memory, and dialogues of growing length; with `--long`,
chats that fill the window.
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
import torch  # noqa: TID251 - a competitor
import transformers
from benchmarks.measuring import seconds_of, show, show_header
from benchmarks.retrieval.condense import language_model, prompt
from benchmarks.t5 import OnnxT5, TorchT5, random_t5

from utterly import Dialogue, Rewriter
from utterly.dialogues.jsonl import read_jsonl
from utterly.networks.torch_model import TorchModel

PIECES_OUT = 14
PAUSE = 0.05  # seconds between competitors, whose threads may still spin
WARM_UP = 3
PROCESSES = 7
IN_A_ROW = 10
ROUNDS = 5
FEW_TURNS, MANY_TURNS = 100, 10_000
LONG_WORDS = 500  # of context; more than a window of 384 pieces holds
OURS, TORCH = "bundled model, int8", "the same model, eager torch"
T5_TORCH, T5_INT8 = "T5-base, eager torch, greedy", "T5-base, onnxruntime int8, greedy"
LLM = "language model in llama.cpp, condense prompt"

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
for _ in rewriter.rewrite_many(dialogues) if many == "many" else map(rewriter.rewrite, dialogues):
    pass
print(int(Path("/proc/self/status").read_text(encoding="utf-8").split("VmHWM:")[1].split()[0]) / 1024)  # peak, MiB
"""

Way = Callable[[Dialogue], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dialogues", type=Path, required=True, help="JSON lines, not compressed")
    parser.add_argument("--model", default="en", help="a bundled model or an exported model's folder")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--inputs", type=int, default=100, help="dialogues for latency and throughput")
    parser.add_argument("--t5-inputs", type=int, default=10, help="how many of them T5 and the language model read")
    parser.add_argument("--long", type=Path, help="JSON lines of long chats, which fill the window")
    parser.add_argument("--llm", type=Path, help="GGUF file of an instruction-tuned model; needs llama-cpp-python")
    parser.add_argument("--memory-inputs", type=int, default=300)
    wanted = parser.parse_args()
    torch.set_num_threads(wanted.threads)
    transformers.logging.set_verbosity_error()
    logging.getLogger().setLevel(logging.ERROR)  # onnxruntime's quantiser warns there
    dialogues = list(islice(read_jsonl(wanted.dialogues), wanted.inputs))
    rewriter = Rewriter.load(wanted.model, threads=wanted.threads)
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("onnxruntime", "torch", "transformers")]
    words = statistics.median(sum(len(turn.words) for turn in (*each.context, each.source)) for each in dialogues)
    cpu = Path("/proc/cpuinfo").read_text(encoding="utf-8").partition("model name")[2].partition("\n")[0].strip("\t: ")
    show_header(
        f"{cpu or platform.machine()}, {os.cpu_count()} CPUs, {wanted.threads} threads; "
        f"{platform.system()}, Python {platform.python_version()}, {', '.join(versions)}. {len(dialogues)} dialogues "
        f"of {wanted.dialogues.name}, median {words:g} words; T5 reads {wanted.t5_inputs} of them. Model {wanted.model}"
    )
    latency(rewriter, dialogues, wanted)
    throughput(rewriter, dialogues, wanted)
    start()
    memory(wanted)
    growth(rewriter, dialogues)
    if wanted.long:
        full_window(rewriter, dialogues, list(read_jsonl(wanted.long)))


def latency(rewriter: Rewriter, dialogues: Sequence[Dialogue], wanted: argparse.Namespace) -> None:
    """One dialogue at a time. A ratio compares medians over the dialogues that both answered."""
    same_model = TorchModel.from_pretrained(wanted.model)

    def in_torch(dialogue: Dialogue) -> str:
        return same_model.scripts(dialogue)[0].script.apply()

    t5 = random_t5()
    torch_t5, onnx_t5 = TorchT5(t5, PIECES_OUT), OnnxT5(t5, PIECES_OUT, threads=wanted.threads)
    ways: dict[str, Way] = {
        OURS: lambda dialogue: rewriter.rewrite(dialogue).text,
        TORCH: in_torch,
        T5_TORCH: lambda dialogue: torch_t5.generate(same_model.encoder.encode(dialogue).ids),
        T5_INT8: lambda dialogue: onnx_t5.generate(same_model.encoder.encode(dialogue).ids),
    }
    if wanted.llm:
        ask = language_model(wanted.llm, wanted.threads)
        ways[LLM] = lambda dialogue: ask(prompt((turn.text for turn in dialogue.context), dialogue.source.text))
    times = in_turn(ways, dialogues, every=max(1, len(dialogues) // wanted.t5_inputs))
    for name, seconds in times.items():
        show(f"one dialogue, median of {len(seconds)}: {name}", milliseconds(list(seconds.values())))
    for name in list(ways)[1:]:
        theirs, ours = (statistics.median(times[each][i] for i in times[name]) for each in (name, OURS))
        show(f"faster than {name}", f"{theirs / ours:.1f}x")
    rows = in_a_row({name: ways[name] for name in (OURS, TORCH)}, dialogues)
    for name, best in rows.items():
        show(f"{IN_A_ROW} in a row, best of {ROUNDS} rounds, median of {len(best)}: {name}", milliseconds(best))
    theirs, ours = (statistics.median(rows[name]) for name in (TORCH, OURS))
    show(f"faster than {TORCH}, both in a row", f"{theirs / ours:.1f}x")
    alike = sum(rewriter.rewrite(each, preset="eager").text == in_torch(each) for each in dialogues)
    show("rewrites that are the same in torch", f"{alike} of {len(dialogues)}")


def in_turn(ways: Mapping[str, Way], dialogues: Sequence[Dialogue], every: int) -> dict[str, dict[int, float]]:
    """Seconds by way and number of the dialogue; T5 and the language model read one in `every`. Ways take turns."""
    for way, dialogue in product(ways.values(), dialogues[-WARM_UP:]):
        way(dialogue)
    times: dict[str, dict[int, float]] = {name: {} for name in ways}
    for i, dialogue in enumerate(dialogues):
        names = [name for name in ways if name in (OURS, TORCH) or i % every == every // 2]
        for name in [*names[i % len(names) :], *names[: i % len(names)]]:
            time.sleep(PAUSE)
            times[name][i] = seconds_of(ways[name], dialogue)
    return times


def in_a_row(ways: Mapping[str, Way], dialogues: Sequence[Dialogue]) -> dict[str, list[float]]:
    """Each dialogue's best time by way. One way answers several in a row, then the next way answers the same ones."""
    rounds: dict[str, list[list[float]]] = {name: [[] for _ in range(ROUNDS)] for name in ways}
    for i, begin in product(range(ROUNDS), range(0, len(dialogues), IN_A_ROW)):
        for name in list(ways)[:: -1 if i % 2 else 1]:
            time.sleep(PAUSE)
            ways[name](dialogues[begin - 1])  # fills the caches
            rounds[name][i] += [seconds_of(ways[name], dialogue) for dialogue in dialogues[begin : begin + IN_A_ROW]]
    return {name: list(map(min, *each)) for name, each in rounds.items()}


def throughput(rewriter: Rewriter, dialogues: Sequence[Dialogue], wanted: argparse.Namespace) -> None:
    """`rewrite` and `rewrite_many` alternating on the same dialogues and cores; the best round of each."""

    def one_by_one() -> None:
        for dialogue in dialogues:
            rewriter.rewrite(dialogue)

    def many() -> None:
        for _ in rewriter.rewrite_many(dialogues, workers=wanted.threads):
            pass

    many()  # loads the model for one core each
    pairs = [(seconds_of(one_by_one), seconds_of(many)) for _ in range(ROUNDS)]
    one, together = (len(dialogues) / min(each) for each in zip(*pairs, strict=True))
    show("dialogues a second, one at a time", f"{one:.1f}")
    show("dialogues a second, `rewrite_many`", f"{together:.1f}")
    show(f"its gain, best of {ROUNDS} rounds", f"{together / one:.2f}x")


def start() -> None:
    """New processes, one after another, with the files already in the disk cache."""
    answers = [in_new_process(IMPORTING).split() for _ in range(PROCESSES)]
    importing = statistics.median(float(seconds) for seconds, *_ in answers)
    heavy = sorted({name for _, *names in answers for name in names})
    show(f"`import utterly`, median of {PROCESSES} processes", f"{importing:.3f} s", "< 0.3 s", importing < 0.3)
    show("torch or onnxruntime loaded by that", ", ".join(heavy) or "none", "none", not heavy)
    first = statistics.median(seconds_of(in_new_process, FIRST_REWRITE) for _ in range(PROCESSES))
    show(f"interpreter, load and first rewrite, median of {PROCESSES}", f"{first:.2f} s", "< 1.5 s", first < 1.5)


def memory(wanted: argparse.Namespace) -> None:
    """Peak memory of a separate process; Linux only."""
    for how, kind in (("one at a time", "one"), ("`rewrite_many`", "many")):
        told = (wanted.model, wanted.threads, wanted.memory_inputs, kind, wanted.dialogues)
        peak = float(in_new_process(MEMORY, *map(str, told)))
        show(f"peak memory, {wanted.memory_inputs} dialogues, {how}", f"{peak:.0f} MiB", "< 350 MiB", peak < 350)


def growth(rewriter: Rewriter, dialogues: Sequence[Dialogue]) -> None:
    """Two long dialogues made of other dialogues' turns, with the same source and the same turns right before it."""
    said = list(islice(cycle(turn.text for each in dialogues for turn in each.context), MANY_TURNS - 1))
    source = dialogues[-1].source.text
    few, many = [*said[-FEW_TURNS + 1 :], source], [*said, source]
    pairs = [(seconds_of(rewriter.rewrite, few), seconds_of(rewriter.rewrite, many)) for _ in range(30)]
    short, long = (statistics.median(each) for each in zip(*pairs, strict=True))
    for count, seconds in ((FEW_TURNS, short), (MANY_TURNS, long)):
        show(f"a dialogue of {count:,} turns", f"{1000 * seconds:.1f} ms")
    show(f"{MANY_TURNS:,} turns over {FEW_TURNS}", f"{long / short:.2f}x", "<= 1.5x", long / short <= 1.5)


def full_window(rewriter: Rewriter, dialogues: Sequence[Dialogue], chats: Sequence[Dialogue]) -> None:
    """Chats too long for the window of any bundled model, compared with the dialogues; the best of three times each."""
    long = [each for each in chats if sum(len(turn.words) for turn in each.context) > LONG_WORDS][: len(dialogues)]
    if not long:
        sys.exit(f"--long must have chats of over {LONG_WORDS} words, got none")
    short_time, long_time = (
        statistics.median(min(seconds_of(rewriter.rewrite, each) for _ in range(3)) for each in some)
        for some in (dialogues, long)
    )
    show(f"a chat of over {LONG_WORDS} words, median of {len(long)}", f"{1000 * long_time:.1f} ms")
    ratio = long_time / short_time
    show("that over one of the dialogues", f"{ratio:.2f}x", "<= 2.5x", ratio <= 2.5)


def in_new_process(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def milliseconds(seconds: Sequence[float]) -> str:
    late = float(np.quantile(seconds, 0.9))
    return f"{1000 * statistics.median(seconds):.1f} ms (90 % under {1000 * late:.1f})"


if __name__ == "__main__":
    main()
