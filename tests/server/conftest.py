"""Servers to ask: inside the test, or listening on this machine."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from tests.server.stand_in import StandIn
from utterly.rewriter import Rewriter
from utterly.server.app import create_app
from utterly.server.settings import ServerSettings

FEDERER = ["Why did Federer withdraw?", "He hurt his back.", "Did he have any other injuries?"]

MakeClient = Callable[..., TestClient]
Listen = Callable[..., str]


@pytest.fixture
def asking() -> Iterator[MakeClient]:
    """Makes a client of an application with the given settings, without a network."""
    with ExitStack() as open_clients:

        def make(
            *, rewriter: Rewriter | None = None, raise_server_exceptions: bool = False, **given: Any
        ) -> TestClient:
            app = create_app(ServerSettings(**given), rewriter=rewriter or StandIn())
            return open_clients.enter_context(TestClient(app, raise_server_exceptions=raise_server_exceptions))

        yield make


@pytest.fixture
def client(asking: MakeClient) -> TestClient:
    return asking()


@pytest.fixture
def listening() -> Iterator[Listen]:
    """Starts a server on a free port of this machine and gives its address."""
    with ExitStack() as running:

        def listen(*, rewriter: Rewriter | None = None, **given: Any) -> str:
            return running.enter_context(server(rewriter or StandIn(), **given))

        yield listen


@contextmanager
def server(rewriter: Rewriter, **given: Any) -> Iterator[str]:
    app = create_app(ServerSettings(**given), rewriter=rewriter)
    ours = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, access_log=False))
    thread = threading.Thread(target=ours.run, daemon=True)
    thread.start()
    while not ours.started:
        time.sleep(0.01)
    port = ours.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        ours.should_exit = True
        thread.join(timeout=20)
