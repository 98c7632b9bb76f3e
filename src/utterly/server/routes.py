"""The routes: the API, what operators ask for, and the page."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Coroutine
from importlib.resources import files
from typing import Any, Final, TypeVar

from fastapi import APIRouter, Request
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from utterly import __version__
from utterly.server.middleware import EXCHANGE, ServerState
from utterly.server.observability import Metrics
from utterly.server.openapi import READING, REWRITING, problems
from utterly.server.problems import Problem
from utterly.server.schemas import (
    BatchRequest,
    BatchResponse,
    HealthResponse,
    ModelResponse,
    ModelsResponse,
    RewriteRequest,
    RewriteResponse,
)
from utterly.server.service import Service

PAGES: Final = {"/": "index.html", "/docs": "docs.html"}
_PAGE_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_Result = TypeVar("_Result")


def rewrite_routes(service: Service) -> APIRouter:
    """The API."""
    router = APIRouter(prefix="/v1", tags=["rewrite"])

    @router.post("/rewrite", responses=problems(REWRITING), summary="Rewrite one turn")
    async def rewrite(body: RewriteRequest, request: Request) -> RewriteResponse:
        """Rewrite the last turn of a dialogue. Requests that arrive together are rewritten together."""
        return await _while_connected(request, service.rewrite(body, request.scope[EXCHANGE]))

    batch_problems = problems([*REWRITING, "batch-too-large"])

    @router.post("/rewrite/batch", responses=batch_problems, summary="Rewrite many turns")
    async def rewrite_batch(body: BatchRequest, request: Request) -> BatchResponse:
        """Rewrite the last turn of each dialogue. If one is not a dialogue, it is named, and none is answered."""
        answers = await _while_connected(request, service.rewrite_batch(body, request.scope[EXCHANGE]))
        return BatchResponse(answers=answers)

    @router.get("/models", responses=problems(READING), summary="List the models")
    async def models() -> ModelsResponse:
        """The names that `model` may have."""
        known = [
            ModelResponse(name=info.name, language=info.language, tagger=info.config.tagger)
            for info in service.rewriter.models
        ]
        return ModelsResponse(models=known, version=__version__)

    return router


def operation_routes(state: ServerState, metrics: Metrics) -> APIRouter:
    """For those who run the server."""
    router = APIRouter(tags=["operation"])

    @router.head("/healthz", include_in_schema=False)
    @router.get("/healthz", responses=problems([]), summary="Alive?")
    async def healthz() -> HealthResponse:
        """`ok` as long as the process runs."""
        return HealthResponse(status="ok")

    @router.head("/readyz", include_in_schema=False)
    @router.get("/readyz", responses=problems(["not-ready"]), summary="Ready for traffic?")
    async def readyz() -> HealthResponse:
        """`ok` once the models are loaded, until the server is told to stop."""
        if state.draining or not state.ready:
            raise Problem(
                "not-ready",
                f"the server is {'stopping' if state.draining else 'starting'}; try again, or use another server",
                headers={"Retry-After": "1"},
            )
        return HealthResponse(status="ok")

    @router.get(
        "/metrics",
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **problems(READING)},
        response_class=Response,
        summary="Figures for Prometheus",
    )
    async def show_metrics() -> Response:
        """Requests, times, queue, batches and rewrites; no text that users wrote."""
        return metrics.response()

    return router


def page_routes() -> APIRouter:
    """`/`, `/docs`, and what they are made of under `/page/`, held in memory."""
    router = APIRouter(include_in_schema=False)
    held = {file.name: file.read_bytes() for file in (files(__package__) / "page").iterdir() if file.is_file()}
    paths = {f"/page/{name}": name for name in held if not name.endswith(".html")}
    for path, name in (paths | PAGES).items():
        media_type = _PAGE_TYPES.get(name.rpartition(".")[2], "application/octet-stream")
        router.add_api_route(path, _file(held[name], media_type), methods=["GET", "HEAD"], response_class=Response)
    return router


def _file(content: bytes, media_type: str) -> Callable[[Request], Awaitable[Response]]:
    headers = {"ETag": f'"{hashlib.sha256(content).hexdigest()[:16]}"', "Cache-Control": "no-cache"}

    async def file(request: Request) -> Response:
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type=media_type)

    return file


async def _while_connected(request: Request, work: Coroutine[Any, Any, _Result]) -> _Result:
    """The result of `work`, which is cancelled, and `ClientDisconnect` raised, if the client goes away."""
    working = asyncio.create_task(work)
    leaving = asyncio.ensure_future(request.receive())  # after the body nothing else can come
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
