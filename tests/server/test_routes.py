"""Clients that go away before they are answered."""

import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest

from tests.server.conftest import FEDERER, Listen
from tests.server.stand_in import StandIn
from utterly.rewriter import Rewrite
from utterly.server.observability import LOGGER, JsonFormatter

Found = TypeVar("Found")


class Gate(StandIn):
    """Remembers what it was asked, and answers when it may."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.may_go = threading.Event()

    def rewrite_many(self, dialogues: Iterable[Any], **wishes: Any) -> Iterator[Rewrite]:
        came = list(dialogues)
        self.asked += [dialogue.source.text for dialogue in came]
        if "first" in self.asked:  # not when it warms up
            self.may_go.wait(30)
        return super().rewrite_many(came, **wishes)


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.DEBUG, LOGGER)
    caplog.handler.setFormatter(JsonFormatter())
    return caplog


def asked(url: str, text: str, *, path: str = "/v1/rewrite", missing: int = 0) -> socket.socket:
    """A connection on which a request was sent that is named by its text; so many bytes of its body did not come."""
    dialogue = {"turns": [*FEDERER[:2], text]}
    body = json.dumps({"dialogues": [dialogue]} if path.endswith("batch") else dialogue)
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Request-ID: {text}\r\n"
    address = urlsplit(url)
    line = socket.create_connection((address.hostname, address.port), timeout=30)
    line.sendall(f"{head}Content-Length: {len(body) + missing}\r\n\r\n{body}".encode())
    return line


def soon(found: Callable[[], Found | None]) -> Found:
    """What is found once it is there."""
    for _ in range(2_000):
        if result := found():
            return result
        time.sleep(0.01)
    raise AssertionError("it does not happen")


def logged(lines: pytest.LogCaptureFixture, request: str) -> dict[str, Any] | None:
    """What the log says of a request, once it does."""
    said = (json.loads(line) for line in lines.text.splitlines())
    return next((each for each in said if each["event"] == "request" and each["request_id"] == request), None)


@pytest.mark.parametrize("path", ["/v1/rewrite", "/v1/rewrite/batch"])
def test_what_nobody_waits_for_any_more_is_not_rewritten(
    listening: Listen, lines: pytest.LogCaptureFixture, path: str
) -> None:
    gate = Gate()
    url = listening(rewriter=gate)
    with asked(url, "first") as first:
        soon(lambda: "first" in gate.asked)
        with asked(url, "stays") as stays:
            asked(url, "gone", path=path).close()
            line = soon(lambda: logged(lines, "gone"))
            gate.may_go.set()
            assert [each.recv(100)[:12] for each in (first, stays)] == [b"HTTP/1.1 200"] * 2
    assert (line["status"], line["problem"]) == (499, "client-gone")
    assert gate.asked[-2:] == ["first", "stays"]


def test_half_a_body_is_no_wrong_body(listening: Listen, lines: pytest.LogCaptureFixture) -> None:
    url = listening()
    asked(url, "half", missing=10).close()
    line = soon(lambda: logged(lines, "half"))
    assert (line["status"], line["problem"]) == (499, "client-gone")
    assert not [each for each in lines.records if each.levelno >= logging.WARNING]


def test_one_who_waits_longer_than_a_body_may_take_is_answered(listening: Listen) -> None:
    gate = Gate()
    with asked(listening(rewriter=gate, body_timeout=0.1), "first") as line:
        soon(lambda: "first" in gate.asked)
        time.sleep(0.3)
        gate.may_go.set()
        assert line.recv(100).startswith(b"HTTP/1.1 200 ")
