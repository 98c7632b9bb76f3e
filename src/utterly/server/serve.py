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
from utterly.extras import require_all
from utterly.rewriter import Rewriter
from utterly.server.settings import ServerSettings

_ARENAS: Final = "MALLOC_ARENA_MAX"
_MOST_ARENAS: Final = "2"
_WORKER_SECONDS: Final = 60  # for a worker to load its model, on a machine that may be busy


def serve(settings: ServerSettings | None = None, *, rewriter: Rewriter | None = None) -> None:
    """Listen until SIGTERM or SIGINT; then answer the accepted requests and return.

    With a `rewriter` of your own there is one worker; several workers each load the model that the settings name.
    """
    settings = settings or ServerSettings.read()
    require_all("fastapi", "httptools", "prometheus_client", "uvicorn", extra="serve")
    if rewriter and settings.workers > 1:
        raise ServerError(f"workers must be 1 with a rewriter of your own, got {settings.workers}")
    _limit_memory_arenas()
    # Workers load their own, but a wrong model should fail here, before the server listens.
    rewriter = rewriter or Rewriter.load(settings.model, threads=settings.threads)
    if settings.workers == 1:
        from utterly.server.app import create_app

        _run(create_app(settings, rewriter=rewriter), settings)
        return
    with tempfile.TemporaryDirectory(prefix="utterly-metrics-") as folder:
        os.environ |= settings.to_environment() | {"PROMETHEUS_MULTIPROC_DIR": folder}
        _run("utterly.server.app:create_app", settings, factory=True, workers=settings.workers)


def _limit_memory_arenas() -> None:
    """Let threads share heaps: by default each has its own in glibc, whose free memory other threads cannot use.

    The operator's own setting takes precedence. Child processes inherit ours from the environment.
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
        advice = "anyone who can reach this address can use the server; require keys with --api-key-file"
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
                access_log=False,  # ours has more details, and no paths
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=30,
                timeout_worker_healthcheck=_WORKER_SECONDS,
                timeout_graceful_shutdown=int(settings.shutdown_timeout),
                **more,
            )
    except SystemExit as exited:
        if exited.code:
            raise ServerError(
                f"cannot listen on {settings.host} port {settings.port}; see the log, or choose another --port"
            ) from None
