"""Run the server with uvicorn, in one process or several."""

import ctypes
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from utterly.errors import ServerError
from utterly.extras import require
from utterly.rewriter import Rewriter
from utterly.server.settings import ServerSettings

_EXTRA: Final = "serve"
_NEEDS: Final = ("fastapi", "httptools", "prometheus_client", "uvicorn")
_ARENAS: Final = "MALLOC_ARENA_MAX"
_MOST_ARENAS: Final = "2"


def serve(settings: ServerSettings | None = None, *, rewriter: Rewriter | None = None) -> None:
    """Listen until SIGTERM or SIGINT; then answer what was accepted, and return.

    A `rewriter` of one's own serves one worker; several load the model that the settings name.
    """
    settings = settings or ServerSettings.read()
    for package in _NEEDS:
        require(package, extra=_EXTRA)
    if rewriter and settings.workers > 1:
        raise ServerError("a rewriter of your own must serve one worker, but several are asked for; set workers=1")
    _share_memory_between_threads()
    # Read here too where there are several workers: a wrong model is said before anything listens.
    rewriter = rewriter or Rewriter.load(settings.model, threads=settings.threads)
    if settings.workers == 1:
        from utterly.server.app import create_app

        _run(create_app(settings, rewriter=rewriter), settings)
        return
    with tempfile.TemporaryDirectory(prefix="utterly-metrics-") as folder:
        os.environ |= settings.to_environment() | {"PROMETHEUS_MULTIPROC_DIR": folder}
        _run("utterly.server.app:create_app", settings, factory=True, workers=settings.workers)


def _share_memory_between_threads() -> None:
    """By default glibc gives each thread a heap, and what a thread leaves in its own is of no use to the others.

    The operator's own choice stays. Processes that are started from here find ours in the environment.
    """
    if sys.platform == "linux" and _ARENAS not in os.environ:
        os.environ[_ARENAS] = _MOST_ARENAS
        with suppress(AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(-8, int(_MOST_ARENAS))  # M_ARENA_MAX of malloc.h


def _run(app: Any, settings: ServerSettings, **more: Any) -> None:
    import uvicorn

    from utterly.server.logs import logging_config
    from utterly.server.protocol import PatientProtocol

    try:
        with _leaving_on_sigterm():
            uvicorn.run(
                app,
                host=settings.host,
                port=settings.port,
                log_config=logging_config(settings.log_level),
                http=PatientProtocol,
                ws="none",
                access_log=False,  # ours says more, and no path
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=int(settings.shutdown_timeout),
                **more,
            )
    except SystemExit as left:
        if left.code:
            raise ServerError(
                f"a server must be able to listen on {settings.host} port {settings.port}, but it could not start; "
                "see its log, and give another --port if something listens there already"
            ) from None


@contextmanager
def _leaving_on_sigterm() -> Iterator[None]:
    """Once it has stopped, uvicorn sends itself the signal again; that must end it well, not kill it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
