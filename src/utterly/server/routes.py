"""The routes: the API, health and metrics, and the page."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Coroutine
from importlib.resources import files
from typing import Any, Final, TypeVar

from fastapi import APIRouter, Request
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from utterly import __version__
from utterly.server.middleware import RECORD, ServerState
from utterly.server.observability import Metrics
from utterly.server.openapi import READ_PROBLEMS, REWRITE_PROBLEMS, problem_responses
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
    router = APIRouter(prefix="/v1", tags=["rewrite"])

    @router.post("/rewrite", responses=problem_responses(REWRITE_PROBLEMS), summary="Rewrite one turn")
    async def rewrite(body: RewriteRequest, request: Request) -> RewriteResponse:
        """Rewrite the last turn of a dialogue. Requests that arrive together are rewritten together."""
        return await _while_connected(request, service.rewrite(body, request.scope[RECORD]))

    batch_problems = problem_responses([*REWRITE_PROBLEMS, "batch-too-large"])

    @router.post("/rewrite/batch", responses=batch_problems, summary="Rewrite many turns")
    async def rewrite_batch(body: BatchRequest, request: Request) -> BatchResponse:
        """Rewrite the last turn of each dialogue. If one is invalid, the problem names it, and none is rewritten."""
        answers = await _while_connected(request, service.rewrite_batch(body, request.scope[RECORD]))
        return BatchResponse(answers=answers)

    @router.get("/models", responses=problem_responses(READ_PROBLEMS), summary="List the models")
    async def models() -> ModelsResponse:
        """The names that `model` accepts."""
        known = [
            ModelResponse(
                name=info.name,
                language=info.language,
                tagger=info.config.tagger,
                min_confidence=info.config.min_confidence,
            )
            for info in service.rewriter.models
        ]
        return ModelsResponse(models=known, version=__version__)

    return router


def operation_routes(state: ServerState, metrics: Metrics) -> APIRouter:
    router = APIRouter(tags=["operation"])

    @router.head("/healthz", include_in_schema=False)
    @router.get("/healthz", responses=problem_responses([]), summary="Alive?")
    async def healthz() -> HealthResponse:
        """`ok` while the process runs."""
        return HealthResponse(status="ok")

    @router.head("/readyz", include_in_schema=False)
    @router.get("/readyz", responses=problem_responses(["not-ready"]), summary="Ready for traffic?")
    async def readyz() -> HealthResponse:
        """`ok` once the models are loaded, until the server is told to stop."""
        if state.draining or not state.ready:
            detail = f"the server is {'stopping' if state.draining else 'starting'}; try again, or use another server"
            raise Problem("not-ready", detail, headers={"Retry-After": "1"})
        return HealthResponse(status="ok")

    @router.get(
        "/metrics",
        responses={
            200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
            **problem_responses(READ_PROBLEMS),
        },
        response_class=Response,
        summary="Metrics for Prometheus",
    )
    async def show_metrics() -> Response:
        """Requests, times, queue, batches and rewrites; no text of users."""
        return metrics.response()

    return router


def page_routes() -> APIRouter:
    """`/`, `/docs`, and their files under `/page/`, held in memory."""
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
    """The result of `work`; if the client disconnects, cancels it and raises `ClientDisconnect`."""
    working = asyncio.create_task(work)
    leaving = asyncio.ensure_future(request.receive())  # after the body, only a disconnect can come
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
