"""How long labelling takes, and how much memory it and its processes take together.

All of CANARD train, with guessed titles, by `utterly label`. Goals: under 60 s without syntax, under 8 minutes
with the small spaCy pipeline and an empty cache, and under 2 GiB.

    python -m benchmarks.labels_speed --data FOLDER --jobs 2    # with canard/train.jsonl.gz; Linux only
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = ("none", "spacy, empty cache", "spacy, full cache")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time labelling of CANARD train.")
    parser.add_argument("--data", type=Path, required=True, help="folder with canard/train.jsonl.gz")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("runs"), help="folder for the label files")
    options = parser.parse_args()
    options.out.mkdir(exist_ok=True)
    dialogues = options.out / "canard-train.jsonl"
    corpus = options.data / "canard" / "train.jsonl.gz"
    run("convert", "canard", corpus, dialogues, "--guessed-titles")
    with tempfile.TemporaryDirectory() as cache:
        for name in RUNS:
            syntax = name.split(",")[0]
            out = options.out / f"canard-train.labels-{syntax}.jsonl"
            seconds, peak = run("label", dialogues, out, "--syntax", syntax, "--jobs", options.jobs, cache=cache)
            print(f"{name:20} --jobs {options.jobs}  {seconds:6.1f} s  at most {peak / 2**20:6.0f} MiB", flush=True)


def run(*arguments: object, cache: str = "") -> tuple[float, int]:
    """Run a command of utterly; returns its seconds and the most bytes that it and its processes held at a time."""
    start = time.perf_counter()
    program = str(Path(sys.executable).with_name("utterly"))
    process = subprocess.Popen(
        [program, *map(str, arguments)],
        env={**os.environ, "UTTERLY_CACHE": cache},
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    peak = 0
    while process.poll() is None:
        peak = max(peak, resident_bytes(session=process.pid))
        time.sleep(0.2)
    if process.returncode:
        sys.exit(process.returncode)
    return time.perf_counter() - start, peak


def resident_bytes(session: int) -> int:
    """The resident memory of all processes of a session; pages they share count for each."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(fields[3]) == session:
            total += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    return total


if __name__ == "__main__":
    main()
