"""The server as a process: it says when it cannot start, and stops without losing a request."""

import http.client
import json
import os
import platform
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import FEDERER
from tests.server.stand_in import StandIn
from utterly.errors import ModelError, ServerError
from utterly.server.serve import serve
from utterly.server.settings import ServerSettings

ROOT = Path(__file__).parent.parent.parent
BODY = json.dumps({"turns": FEDERER})


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return int(held.getsockname()[1])


@contextmanager
def process(*command: str, **variables: str) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A server process that is ready, and its port; killed in the end, if it still runs."""
    port = free_port()
    environment = {**os.environ, "UTTERLY_PORT": str(port), **variables}
    running = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        wait_until_ready(port, running)
        yield running, port
    finally:
        running.kill()
        running.communicate()


def wait_until_ready(port: int, running: "subprocess.Popen[str]") -> None:
    for _ in range(600):
        assert running.poll() is None, running.communicate()[1]
        try:
            if asked(port, "GET", "/readyz")[0] == 200:
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


def asked(port: int, method: str, path: str, body: str | None = None) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


class Asker(threading.Thread):
    """Asks on a connection that it keeps open, until it is told that the server closes."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.port, self.answered, self.lost = port, 0, 0

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            while self._is_to_go_on(connection):
                self.answered += 1
        except (OSError, http.client.HTTPException, ValueError):
            self.lost += 1

    def _is_to_go_on(self, connection: http.client.HTTPConnection) -> bool:
        connection.request("POST", "/v1/rewrite", BODY, {"Content-Type": "application/json"})
        response = connection.getresponse()
        assert json.loads(response.read())["changed"]
        return not response.will_close


class Regular(Asker):
    """Connects again when told that the server closes, until `leave` is set."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.leave = threading.Event()

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while not self.leave.is_set():
            try:
                if not self._is_to_go_on(connection):
                    connection.close()
                self.answered += 1
            except (OSError, http.client.HTTPException, ValueError):
                self.lost += 1
                connection.close()
        connection.close()


def test_told_to_stop_under_load_it_answers_all_that_it_accepted() -> None:
    slow = {"STAND_IN_SECONDS_EACH": "0.005", "UTTERLY_DRAIN": "0.6"}
    with process("-m", "tests.server.stand_in", **slow) as (running, port):
        askers = [Asker(port) for _ in range(16)]
        for asker in askers:
            asker.start()
        time.sleep(1)
        running.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        assert asked(port, "GET", "/readyz")[0] == 503
        log = running.communicate(timeout=30)[1]
        for asker in askers:
            asker.join(timeout=20)
        assert running.returncode == 0
    assert sum(asker.answered for asker in askers) > 50
    assert sum(asker.lost for asker in askers) == 0
    assert "Traceback" not in log
    assert json.loads(log.splitlines()[-1])["level"] == "info"


def test_a_second_signal_stops_it_at_once() -> None:
    with process("-m", "tests.server.stand_in", UTTERLY_DRAIN="60") as (running, _):
        running.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        running.send_signal(signal.SIGTERM)
        running.wait(timeout=20)  # and not 60
        assert running.returncode == 0


def test_several_workers_share_a_port_and_show_their_figures_together() -> None:
    program = "from utterly.server.serve import serve; serve()"
    variables = {"UTTERLY_WORKERS": "2", "UTTERLY_MODEL": "en", "UTTERLY_DRAIN": "0.1"}
    with process("-c", program, **variables) as (running, port):
        statuses = [asked(port, "POST", "/v1/rewrite", BODY)[0] for _ in range(20)]
        assert statuses == [200] * 20
        wait_until(lambda: counted(port) == 20)  # a request is counted after its answer is sent
        running.send_signal(signal.SIGTERM)
        running.wait(timeout=30)
        assert running.returncode == 0


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="workers are found in /proc")
def test_a_rolling_restart_under_load_loses_no_request_and_no_figure() -> None:
    program = "from utterly.server.serve import serve; serve()"
    settings = {"UTTERLY_WORKERS": "2", "UTTERLY_MODEL": "en", "UTTERLY_DRAIN": "0.2", "UTTERLY_LOG_LEVEL": "warning"}
    with process("-c", program, **settings) as (running, port):
        first = workers_of(running.pid)
        askers = [Regular(port) for _ in range(4)]
        for asker in askers:
            asker.start()
        running.send_signal(signal.SIGHUP)
        wait_until(lambda: len(now := workers_of(running.pid)) == 2 and not first & now)
        for asker in askers:
            asker.leave.set()
            asker.join(timeout=60)
        answered = sum(asker.answered for asker in askers)
        wait_until(lambda: counted(port) == answered)
        running.send_signal(signal.SIGTERM)
        log = running.communicate(timeout=60)[1]
    assert (running.returncode, log) == (0, "")
    assert sum(asker.lost for asker in askers) == 0
    assert answered > 8


def counted(port: int) -> float:
    """How many rewrites the metrics say all workers have answered."""
    figures: str = asked(port, "GET", "/metrics")[1].decode()
    line = re.escape('utterly_requests_total{method="POST",route="/v1/rewrite",status="200"} ')
    return sum(map(float, re.findall(f"^{line}(.+)$", figures, re.MULTILINE)))


def workers_of(parent: int) -> set[int]:
    """The processes of uvicorn's workers; multiprocessing starts one more that is none."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return {int(each) for each in children if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()}


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(1200):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it does not happen")


KILLED = """
import os
from utterly.server.observability import Metrics
Metrics().running.inc()
os._exit(1)
"""


def test_what_a_killed_worker_had_running_is_not_counted_for_ever(tmp_path: Path) -> None:
    shown = "from utterly.server.observability import Metrics; print(Metrics().response().body.decode())"
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", KILLED], env=environment, cwd=ROOT, check=False)
    assert list(tmp_path.glob("gauge_livesum_*.db"))
    figures = subprocess.run(
        [sys.executable, "-c", shown], env=environment, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    assert "utterly_requests_running 0.0" in figures


@pytest.mark.parametrize(
    ("host", "keys", "warns"),
    [("0.0.0.0", "", True), ("0.0.0.0", "hush", False), ("127.0.0.1", "", False)],  # noqa: S104 - that is tested
)
def test_a_server_that_others_can_reach_without_a_key_says_so(host: str, keys: str, warns: bool) -> None:
    variables = {"UTTERLY_HOST": host, "UTTERLY_API_KEYS": keys, "UTTERLY_DRAIN": "0"}
    with process("-m", "tests.server.stand_in", **variables) as (running, _):
        running.send_signal(signal.SIGTERM)
        lines = [json.loads(line) for line in running.communicate(timeout=30)[1].splitlines()]
    said = [line for line in lines if line["level"] == "warning"]
    assert [line["event"] for line in said] == ["open to everyone"] * warns
    assert all("--api-key-file" in line["advice"] and line["host"] == host for line in said)


def test_headers_that_are_too_large_are_refused_before_the_key_is_checked() -> None:
    with process("-m", "tests.server.stand_in", UTTERLY_API_KEYS="hush") as (_, port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", "/v1/models", headers={"X-Long": "a" * 70_000})
        assert connection.getresponse().status == 431
        connection.close()


def test_a_port_that_is_taken_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("utterly.server.observability.logging_config", lambda _level: None)  # the test's own is kept
    with (
        socket.create_server(("127.0.0.1", 0)) as held,
        pytest.raises(ServerError, match=r"cannot listen on 127\.0\.0\.1 port \d+; see the log"),
    ):
        serve(ServerSettings(port=held.getsockname()[1]), rewriter=StandIn())


def test_a_model_that_is_not_there_is_said_before_anything_listens() -> None:
    with pytest.raises(ModelError, match="there is no such folder"):
        serve(ServerSettings(model="/nowhere"))


def test_a_rewriter_of_ones_own_serves_one_worker() -> None:
    with pytest.raises(ServerError, match="workers must be 1 with a rewriter of your own, got 2"):
        serve(ServerSettings(workers=2), rewriter=StandIn())


ARENAS = """
import ctypes, threading
from utterly.server.serve import _limit_memory_arenas
_limit_memory_arenas()
together = threading.Barrier(8)
def work():
    held = bytearray(100_000)
    together.wait()
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
ctypes.CDLL(None).malloc_stats()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="heaps for each thread are glibc's")
@pytest.mark.parametrize(("chosen", "heaps"), [(None, 2), ("1", 1), ("5", 5)])
def test_threads_share_memory_unless_the_operator_chose_otherwise(chosen: str | None, heaps: int) -> None:
    others = {name: value for name, value in os.environ.items() if name != "MALLOC_ARENA_MAX"}
    environment = others if chosen is None else {**others, "MALLOC_ARENA_MAX": chosen}
    said = subprocess.run(
        [sys.executable, "-c", ARENAS], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stderr
    assert len(re.findall(r"^Arena \d", said, re.MULTILINE)) == heaps
