"""Run the server with uvicorn, in one process or several."""

import ctypes
import ipaddress
import logging
import logging.config
import os
import sys
import tempfile
from contextlib import suppress
from typing import Any, Final

from utterly.errors import ServerError
from utterly.extras import require
from utterly.rewriter import Rewriter
from utterly.server.settings import ServerSettings

_NEEDED: Final = ("fastapi", "httptools", "prometheus_client", "uvicorn")
_ARENAS: Final = "MALLOC_ARENA_MAX"
_MOST_ARENAS: Final = "2"
_WORKER_SECONDS: Final = 60  # for one of several workers to load its model, on a machine that may be busy


def serve(settings: ServerSettings | None = None, *, rewriter: Rewriter | None = None) -> None:
    """Listen until SIGTERM or SIGINT; then answer what was accepted, and return.

    A `rewriter` of your own serves one worker; several workers load the model that the settings name.
    """
    settings = settings or ServerSettings.read()
    for package in _NEEDED:
        require(package, extra="serve")
    if rewriter and settings.workers > 1:
        raise ServerError(f"a rewriter of your own can serve one worker only, got workers={settings.workers}")
    _limit_memory_arenas()
    # With several workers it is loaded here too, so that a wrong model fails before anything listens.
    rewriter = rewriter or Rewriter.load(settings.model, threads=settings.threads)
    if settings.workers == 1:
        from utterly.server.app import create_app

        _run(create_app(settings, rewriter=rewriter), settings)
        return
    with tempfile.TemporaryDirectory(prefix="utterly-metrics-") as folder:
        os.environ |= settings.to_environment() | {"PROMETHEUS_MULTIPROC_DIR": folder}
        _run("utterly.server.app:create_app", settings, factory=True, workers=settings.workers)


def _limit_memory_arenas() -> None:
    """Let threads share heaps: by default glibc gives each its own, and other threads cannot use what is free in it.

    The operator's own setting wins. Child processes inherit ours from the environment.
    """
    if sys.platform == "linux" and _ARENAS not in os.environ:
        os.environ[_ARENAS] = _MOST_ARENAS
        with suppress(AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(-8, int(_MOST_ARENAS))  # M_ARENA_MAX of malloc.h


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return host == "localhost"


def _run(app: Any, settings: ServerSettings, **more: Any) -> None:
    import uvicorn

    from utterly.server.observability import log, logging_config
    from utterly.server.protocol import GuardedProtocol
    from utterly.server.shutdown import exit_on_sigterm

    if not settings.api_keys and not _is_this_machine(settings.host):
        logging.config.dictConfig(logging_config(settings.log_level))  # as uvicorn does later
        advice = "everyone who reaches this address can use the server; give it keys with --api-key-file"
        log(logging.WARNING, "open to everyone", host=settings.host, advice=advice)
    try:
        with exit_on_sigterm():
            uvicorn.run(
                app,
                host=settings.host,
                port=settings.port,
                log_config=logging_config(settings.log_level),
                http=GuardedProtocol,
                ws="none",
                access_log=False,  # ours says more, and no path
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=30,
                timeout_worker_healthcheck=_WORKER_SECONDS,
                timeout_graceful_shutdown=int(settings.shutdown_timeout),
                **more,
            )
    except SystemExit as left:
        if left.code:
            raise ServerError(
                f"cannot listen on {settings.host} port {settings.port}; see the log, and choose another --port if "
                "it is taken"
            ) from None
