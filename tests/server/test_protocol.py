"""What a connection may cost before anyone is authenticated: the bytes of a request's head, and the time it takes."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvicorn

from tests.server.conftest import FEDERER
from tests.server.stand_in import StandIn
from utterly.server.app import create_app
from utterly.server.protocol import MOST_HEAD_BYTES, GuardedProtocol
from utterly.server.settings import ServerSettings

GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"


class Impatient(GuardedProtocol):
    head_seconds = 0.3


@contextmanager
def guarded(protocol: type[GuardedProtocol] = GuardedProtocol) -> Iterator[int]:
    """The port of a server with this protocol, which asks for a key."""
    app = create_app(ServerSettings(api_keys=("hush",)), rewriter=StandIn())
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, access_log=False, http=protocol)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(timeout=6)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with guarded() as here:
        yield here


@pytest.fixture(scope="module")
def impatient() -> Iterator[int]:
    with guarded(Impatient) as here:
        yield here


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=6)


def answer_to(line: socket.socket) -> bytes:
    """All that comes until the server closes."""
    answer = b""
    try:
        while got := line.recv(65_536):
            answer += got
    except ConnectionResetError:  # it closed while we were still sending
        pass
    return answer


def send_until_closed(line: socket.socket, piece: bytes, times: int) -> int:
    """How many bytes went out."""
    sent = 0
    try:
        for _ in range(times):
            line.sendall(piece)
            sent += len(piece)
    except OSError:
        pass
    return sent


HEADS = {
    "header": GET + b"X-Long: ",
    "name of a header": GET + b"X-",
    "address": b"GET /",
    "trailer": b"POST /v1/rewrite HTTP/1.1\r\nContent-Type: application/json\r\nX-API-Key: hush\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\nX-Trailer: ",
}


@pytest.mark.parametrize("start", HEADS.values(), ids=HEADS)
def test_a_head_without_end_is_cut_off(port: int, start: bytes) -> None:
    with connect(port) as line:
        line.sendall(start)
        assert send_until_closed(line, b"a" * 65_536, 400) < 20_000_000


def test_many_short_headers_are_cut_off_too(port: int) -> None:
    with connect(port) as line:
        line.sendall(GET)
        assert send_until_closed(line, b"X-Short: 1\r\n" * 5_000, 400) < 20_000_000


def test_a_head_that_is_too_large_is_answered_with_a_problem(port: int) -> None:
    with connect(port) as line:
        line.sendall(GET + b"X-Long: " + b"a" * MOST_HEAD_BYTES + b"\r\n\r\n")
        head, _, body = answer_to(line).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 ")
    assert b"content-type: application/problem+json" in head
    problem = json.loads(body)
    assert problem["code"] == "head-too-large"
    assert problem["detail"] == "the address and headers must have at most 65536 bytes, got more; send fewer or shorter"


def test_a_head_within_the_limit_is_read_whatever_pieces_it_comes_in(port: int) -> None:
    value = b"a" * (MOST_HEAD_BYTES - 200)
    with connect(port) as line:
        for piece in (GET, b"X-Long: ", value[:30_000], value[30_000:], b"\r\nConnection: close\r\n\r\n"):
            line.sendall(piece)
            time.sleep(0.02)
        assert answer_to(line).startswith(b"HTTP/1.1 200 ")


def test_a_large_body_is_no_head_even_before_the_next_request(port: int) -> None:
    body = json.dumps({"turns": [*FEDERER, "a" * 90_000]}).encode()
    headers = {"Content-Type": "application/json", "X-API-Key": "hush"}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=6)
    for _ in range(5):
        connection.request("POST", "/v1/rewrite", body, headers)
        response = connection.getresponse()
        assert (response.status, bool(response.read())) == (200, True)
    connection.close()


def test_while_one_sends_a_head_without_end_others_are_answered(port: int) -> None:
    with connect(port) as line:
        line.sendall(GET + b"X-Long: ")
        flood = threading.Thread(target=send_until_closed, args=(line, b"a" * 1_000_000, 300), daemon=True)
        flood.start()
        for _ in range(20):
            began = time.perf_counter()
            with connect(port) as other:
                other.sendall(GET + b"Connection: close\r\n\r\n")
                assert answer_to(other).startswith(b"HTTP/1.1 200 ")
            assert time.perf_counter() - began < 2
        flood.join(timeout=6)


@pytest.mark.parametrize("start", [b"", GET, b"G"], ids=["nothing", "half a head", "a letter"])
def test_a_head_that_does_not_come_is_given_up(impatient: int, start: bytes) -> None:
    with connect(impatient) as line:
        line.sendall(start)
        began = time.perf_counter()
        answer = answer_to(line)
    assert time.perf_counter() - began < 5
    assert answer.startswith(b"HTTP/1.1 408 ") if start else answer == b""
    assert (b"the headers must arrive within 0.3 s" in answer) == bool(start)


def test_a_head_that_drips_is_given_up_also_after_an_answer(impatient: int) -> None:
    with connect(impatient) as line:
        line.sendall(GET + b"\r\n")
        assert line.recv(65_536).startswith(b"HTTP/1.1 200 ")
        line.sendall(GET + b"X: ")
        began = time.perf_counter()
        for _ in range(100):
            time.sleep(0.05)
            if not send_until_closed(line, b"a", 1):
                break
    assert time.perf_counter() - began < 3


def test_a_body_that_nobody_reads_does_not_hold_the_connection(impatient: int) -> None:
    with connect(impatient) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\na")
        began = time.perf_counter()
        assert answer_to(line).startswith(b"HTTP/1.1 200 ")
    assert time.perf_counter() - began < 5


def test_a_connection_between_requests_is_kept(impatient: int) -> None:
    with connect(impatient) as line:
        for _ in range(2):
            line.sendall(GET + b"\r\n")
            assert line.recv(65_536).startswith(b"HTTP/1.1 200 ")
            time.sleep(0.6)
