"""The server beside the rewriter itself: overhead, throughput, overload, stopping, memory. All on loopback.

    python -m benchmarks.server                                                    # a short run
    python -m benchmarks.server --dialogues runs/canard/test.jsonl --minutes 10    # a long run for memory

Clients are threads of this process with persistent connections, the server is a separate process; they share the cores.
With ten times more requests than it can serve, the rest must get quick 503s; when stopped under load, it must answer
every request it has accepted.
"""

import argparse
import http.client
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from benchmarks.measuring import seconds_of, show, show_header

from utterly import Rewriter
from utterly.dialogues.jsonl import read_jsonl

CLIENTS = 32
BLOCK = 25  # direct calls, then requests
ROUNDS = 3
EXAMPLES = Path(__file__).parent.parent / "examples" / "dialogues.jsonl"
Turns = list[str]


@dataclass
class Load:
    """What clients saw: seconds of each answer by status, and the number of requests without an answer."""

    seconds: dict[int, list[float]] = field(default_factory=dict)
    lost: int = 0
    wall: float = 0.0

    def add(self, other: "Load") -> None:
        for status, times in other.seconds.items():
            self.seconds.setdefault(status, []).extend(times)
        self.lost += other.lost

    def count(self, status: int) -> int:
        return len(self.seconds.get(status, ()))

    def failed(self, *expected: int) -> int:
        """Requests without an answer, or with a status that was not expected."""
        return self.lost + sum(len(times) for status, times in self.seconds.items() if status not in expected)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="en", help="a bundled model or a model's folder")
    parser.add_argument("--dialogues", type=Path, default=EXAMPLES, help="JSON lines; the first 200 are sent")
    parser.add_argument("--part", action="append", choices=PARTS, help="measure only this; may be repeated")
    parser.add_argument("--seconds", type=float, default=10, help="for each part under load")
    parser.add_argument("--minutes", type=float, default=0.5, help="for the memory run; the goal is for 10")
    arguments = parser.parse_args()
    texts = [[turn.text for turn in (*each.context, each.source)] for each in read_jsonl(arguments.dialogues)]
    dialogues = list(islice(cycle(texts), 200))
    show_header(f"{arguments.dialogues.name}, model {arguments.model}, {os.cpu_count()} cores, loopback")
    for part in arguments.part or PARTS:
        PARTS[part](dialogues, arguments)


def overhead(dialogues: Sequence[Turns], arguments: argparse.Namespace) -> None:
    """Direct calls and requests in alternating blocks, so both see the same machine."""
    rewriter = Rewriter.load(arguments.model)
    direct: list[float] = []
    asked: list[float] = []
    with running(arguments) as (port, _):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for start in range(0, len(dialogues), BLOCK):
            block = dialogues[start : start + BLOCK]
            direct += [seconds_of(rewriter.rewrite, turns) for turns in block]
            time.sleep(0.1)  # the model's threads may still spin
            asked += [seconds_of(ask, connection, turns) for turns in block]
            time.sleep(0.1)
    both = zip(direct, asked, strict=True)
    extra = 1000 * statistics.median(request - call for call, request in both)
    show("direct call, median", f"{1000 * statistics.median(direct):.1f} ms")
    show("a request at one client over that, median", f"{extra:.2f} ms", "< 3 ms", extra < 3)


def throughput(dialogues: Sequence[Turns], arguments: argparse.Namespace) -> None:
    """`rewrite_many` and the server in turn; the median of the rounds, as the machine may be busy with other things."""
    rewriter = Rewriter.load(arguments.model)
    direct: list[float] = []
    served: list[float] = []
    whole = Load()
    with running(arguments) as (port, _):
        under_load(port, dialogues, clients=CLIENTS, seconds=2)
        for _ in range(ROUNDS):
            direct.append(len(dialogues) / seconds_of(lambda: list(rewriter.rewrite_many(dialogues))))
            load = under_load(port, dialogues, clients=CLIENTS, seconds=arguments.seconds)
            served.append(load.count(200) / load.wall)
            whole.add(load)
    share = statistics.median(after / before for before, after in zip(direct, served, strict=True))
    times = sorted(whole.seconds[200])
    median, last = statistics.median(times), times[int(len(times) * 0.99)]
    errors = whole.failed(200)
    show("rewrite_many, a second", f"{statistics.median(direct):.1f}")
    show(f"{CLIENTS} clients, a second", f"{statistics.median(served):.1f}")
    show(f"share of rewrite_many, median of {ROUNDS} rounds", f"{share:.2f}", ">= 0.8", share >= 0.8)
    show("errors", str(errors), "0", errors == 0)
    show("median", f"{1000 * median:.0f} ms")
    show("99th percentile over the median", f"{last / median:.1f}", "< 10", last / median < 10)


def overload(dialogues: Sequence[Turns], arguments: argparse.Namespace) -> None:
    """Ten times as many requests per second as it can serve, with a short queue."""
    with running(arguments, UTTERLY_MAX_QUEUE="16", UTTERLY_MAX_BATCH="8", UTTERLY_MODEL_BATCH="8") as (port, _):
        usual = under_load(port, dialogues, clients=8, seconds=2)
        clients = 100
        pause = clients / (10 * usual.count(200) / usual.wall)
        load = under_load(port, dialogues, clients=clients, seconds=arguments.seconds, pause=pause)
        connection = http.client.HTTPConnection("127.0.0.1", port)
        after = seconds_of(ask, connection, dialogues[0])
    refused = sorted(load.seconds.get(503, [0.0]))
    others = load.failed(200, 503)
    show("served a second with 8 clients", f"{usual.count(200) / usual.wall:.1f}")
    show("asked ten times as much: served a second", f"{load.count(200) / load.wall:.1f}")
    show("answered 503 a second", f"{load.count(503) / load.wall:.1f}")
    show("anything else, or lost", str(others), "0", others == 0)
    show("median of a 503", f"{1000 * statistics.median(refused):.1f} ms", "quickly")
    show("99th percentile of a 503", f"{1000 * refused[int(len(refused) * 0.99)]:.0f} ms", "quickly")
    show("first request afterwards", f"{1000 * after:.0f} ms", "at once", after < 1)


def stopping(dialogues: Sequence[Turns], arguments: argparse.Namespace) -> None:
    with running(arguments) as (port, process), ThreadPoolExecutor(1) as pool:
        loaded = pool.submit(under_load, port, dialogues, clients=CLIENTS, seconds=30)
        time.sleep(2)
        began = time.perf_counter()
        process.send_signal(signal.SIGTERM)
        status = process.wait(timeout=60)
        took = time.perf_counter() - began
        load = loaded.result()
    show(f"SIGTERM under {CLIENTS} clients: answered", str(load.count(200)))
    show("lost or refused", str(load.failed(200)), "0", load.failed(200) == 0)
    show("exit status, after", f"{status}, {took:.1f} s", "0", status == 0)


def workers(dialogues: Sequence[Turns], arguments: argparse.Namespace) -> None:
    """One worker and two workers on one port, alternating."""
    served: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(ROUNDS):
        for number, figures in served.items():
            with running(arguments, UTTERLY_WORKERS=str(number)) as (port, _):
                under_load(port, dialogues, clients=CLIENTS, seconds=2)
                load = under_load(port, dialogues, clients=CLIENTS, seconds=arguments.seconds)
                figures.append(load.count(200) / load.wall)
    one, two = (statistics.median(figures) for figures in served.values())
    show(f"{CLIENTS} clients, a second, one worker", f"{one:.1f}")
    show("two workers behind one port", f"{two:.1f}, {two / one:.2f}x")


def restarting(dialogues: Sequence[Turns], arguments: argparse.Namespace) -> None:
    """A rolling restart of two workers by SIGHUP, with clients that reconnect when a worker closes the connection."""
    with running(arguments, UTTERLY_WORKERS="2") as (port, process), ThreadPoolExecutor(1) as pool:
        loaded = pool.submit(
            under_load, port, dialogues, clients=CLIENTS, seconds=max(30, arguments.seconds), stays=True
        )
        time.sleep(2)
        process.send_signal(signal.SIGHUP)
        load = loaded.result()
    times = sorted(load.seconds[200])
    show(f"rolling restart of two workers under {CLIENTS} clients: answered", str(load.count(200)))
    show("lost or refused", str(load.failed(200)), "0", load.failed(200) == 0)
    show("slowest answer, and the median", f"{times[-1]:.2f} s, {statistics.median(times):.2f} s")


def memory(dialogues: Sequence[Turns], arguments: argparse.Namespace) -> None:
    seconds = arguments.minutes * 60
    with running(arguments) as (port, process):
        under_load(port, dialogues, clients=8, seconds=max(5, seconds * 0.1))
        before = resident(process.pid)
        load = under_load(port, dialogues, clients=8, seconds=seconds)
        after = resident(process.pid)
    growth = 100 * (after - before) / before
    show(f"memory, after {load.count(200)} requests in {arguments.minutes:g} min", f"{after:.0f} MiB")
    show("growth since a tenth of that", f"{growth:+.1f} %", "< 5 %", growth < 5)


PARTS: Final = {each.__name__: each for each in (overhead, throughput, overload, stopping, workers, restarting, memory)}


@contextmanager
def running(arguments: argparse.Namespace, **variables: str) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """A server process that is ready; stopped at the end if it still runs."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = int(held.getsockname()[1])
    told = {"UTTERLY_PORT": str(port), "UTTERLY_MODEL": str(arguments.model), "UTTERLY_LOG_LEVEL": "warning"}
    process = subprocess.Popen(
        [sys.executable, "-c", "from utterly.server.serve import serve; serve()"],
        env={**os.environ, **told, **variables},
    )
    try:
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port)
                connection.request("GET", "/readyz")
                if connection.getresponse().status == 200:
                    break
            except OSError:
                time.sleep(0.05)
        yield port, process
    finally:
        process.terminate()  # a parent that is killed would leave its workers behind
        process.wait()


def ask(connection: http.client.HTTPConnection, turns: Turns) -> int:
    connection.request("POST", "/v1/rewrite", json.dumps({"turns": turns}), {"Content-Type": "application/json"})
    response = connection.getresponse()
    response.read()
    if response.will_close:
        connection.close()
    return response.status


def under_load(
    port: int, dialogues: Sequence[Turns], *, clients: int, seconds: float, pause: float = 0.0, stays: bool = False
) -> Load:
    """Clients that send one dialogue after another. If the server closes the connection, they leave, unless `stays`."""
    loads = [Load() for _ in range(clients)]
    began = time.perf_counter()
    threads = [
        threading.Thread(
            target=one_client,
            args=(port, islice(cycle(dialogues), i, None, clients), began + seconds, pause, stays, load),
        )
        for i, load in enumerate(loads)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = Load(wall=time.perf_counter() - began)
    for load in loads:
        whole.add(load)
    return whole


def one_client(port: int, dialogues: Iterator[Turns], until: float, pause: float, stays: bool, load: Load) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    while time.perf_counter() < until:
        began = time.perf_counter()
        try:
            status = ask(connection, next(dialogues))
        except (OSError, http.client.HTTPException):
            load.lost += 1
            return
        load.seconds.setdefault(status, []).append(time.perf_counter() - began)
        if connection.sock is None and not stays:
            return  # told to close
        if status != 200:
            time.sleep(pause)


def resident(process: int) -> float:
    """Resident memory in MiB."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
