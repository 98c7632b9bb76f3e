"""The server as an ASGI application."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from utterly import __version__
from utterly.rewriter import Rewriter
from utterly.server.middleware import RequestMiddleware, ServerState, answer_problem
from utterly.server.observability import Metrics, log
from utterly.server.openapi import DESCRIPTION, SUMMARY, openapi
from utterly.server.routes import operation_routes, page_routes, rewrite_routes
from utterly.server.service import Service
from utterly.server.settings import ServerSettings
from utterly.server.shutdown import draining


def create_app(settings: ServerSettings | None = None, *, rewriter: Rewriter | None = None) -> FastAPI:
    """An application for any ASGI server, by default with settings from the environment. It loads models on startup."""
    settings = settings or ServerSettings.read()
    rewriter = rewriter or Rewriter.load(settings.model, threads=settings.threads)
    state, metrics = ServerState(), Metrics()
    service = Service(rewriter, settings, metrics)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(service.warm_up)
        service.queue.start()
        state.ready = True
        with draining(settings.drain, state.begin_draining):
            log(logging.INFO, "ready", models=[info.name for info in rewriter.models], version=__version__)
            yield
        await service.queue.close()
        log(logging.INFO, "stopped")

    app = FastAPI(
        title="Utterly",
        summary=SUMMARY,
        description=DESCRIPTION,
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # FastAPI's page loads scripts from other hosts; ours is at /docs
        redoc_url=None,
        redirect_slashes=False,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
    )
    for error in (RequestValidationError, HTTPException):
        app.add_exception_handler(error, answer_problem)
    for router in (rewrite_routes(service), operation_routes(state, metrics), page_routes()):
        app.include_router(router)
    app.add_middleware(RequestMiddleware, settings=settings, state=state, queue=service.queue, metrics=metrics)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type", "X-API-Key", "X-Request-ID"],
            expose_headers=["Retry-After", "Server-Timing", "X-Request-ID"],
        )
    app.openapi = cache(lambda: openapi(app, rewriter, settings))  # type: ignore[method-assign]
    return app
