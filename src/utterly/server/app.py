"""The server as an ASGI application."""

import asyncio
import logging
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from types import FrameType
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from utterly import __version__
from utterly.rewriter import Rewriter
from utterly.server.description import ABOUT, SUMMARY, describe
from utterly.server.logs import log
from utterly.server.metrics import Metrics
from utterly.server.middleware import Door, State
from utterly.server.pages import page_routes
from utterly.server.refusals import answer_problem
from utterly.server.routes import health_routes, rewrite_routes
from utterly.server.service import Service
from utterly.server.settings import ServerSettings


def create_app(settings: ServerSettings | None = None, *, rewriter: Rewriter | None = None) -> FastAPI:
    """An application for any ASGI server. Without settings, the environment's; models are loaded when it starts."""
    settings = settings or ServerSettings.read()
    rewriter = rewriter or Rewriter.load(settings.model, threads=settings.threads)
    state, metrics = State(), Metrics()
    service = Service(rewriter, settings, metrics)
    app = FastAPI(
        title="Utterly",
        summary=SUMMARY,
        description=ABOUT,
        version=__version__,
        lifespan=_lifespan(service, state, settings),
        docs_url=None,  # they load from elsewhere; ours is at /docs
        redoc_url=None,
        redirect_slashes=False,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
    )
    for kind in (RequestValidationError, HTTPException):
        app.add_exception_handler(kind, answer_problem)
    for router in (rewrite_routes(service), health_routes(state, metrics), page_routes()):
        app.include_router(router)
    app.add_middleware(Door, settings=settings, state=state, batcher=service.batcher, metrics=metrics)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type", "X-API-Key", "X-Request-ID"],
            expose_headers=["Retry-After", "Server-Timing", "X-Request-ID"],
        )
    app.openapi = cache(lambda: describe(app, rewriter, settings))  # type: ignore[method-assign]
    return app


def _lifespan(service: Service, state: State, settings: ServerSettings) -> Callable[[FastAPI], Any]:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(service.warm_up)
        service.batcher.start()
        state.ready = True
        with _draining(state, settings.drain):
            log(logging.INFO, "ready", models=[info.name for info in service.rewriter.models], version=__version__)
            yield
        await service.batcher.close()
        log(logging.INFO, "stopped")

    return lifespan


@contextmanager
def _draining(state: State, seconds: float) -> Iterator[None]:
    """Put `seconds` between SIGTERM and what the server does about it.

    In them requests are still answered, each with `Connection: close`, and `/readyz` says that there will be no more.
    So a client that keeps its connection open is told before it is closed, and no request is lost on the way. A second
    signal goes through at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    theirs = signal.getsignal(signal.SIGTERM)

    def drain(number: int, frame: FrameType | None) -> None:
        if not callable(theirs):
            return
        if state.draining:
            theirs(number, frame)
            return
        state.draining = True
        loop.call_soon_threadsafe(lambda: loop.call_later(seconds, theirs, number, frame))

    if not callable(theirs):  # nobody stops on it in a way of their own
        yield
        return
    signal.signal(signal.SIGTERM, drain)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, theirs)
