"""The API's routes; each only fetches, asks and shows."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from utterly import __version__
from utterly.server.description import READING, REWRITING, problems
from utterly.server.leaving import while_there
from utterly.server.metrics import Metrics
from utterly.server.middleware import EXCHANGE, Exchange, State
from utterly.server.problems import not_ready
from utterly.server.schemas import (
    BatchAnswer,
    BatchRequest,
    HealthAnswer,
    ModelAnswer,
    ModelsAnswer,
    RewriteAnswer,
    RewriteRequest,
)
from utterly.server.service import Service

_JSON = "application/json"


def rewrite_routes(service: Service) -> APIRouter:
    """What is there to be asked."""
    router = APIRouter(prefix="/v1", tags=["rewrite"])

    @router.post("/rewrite", response_model=RewriteAnswer, responses=problems(REWRITING), summary="Rewrite one turn")
    async def rewrite(body: RewriteRequest, request: Request) -> Response:
        """Rewrite the last turn of a dialogue. Requests that arrive together are read by the model together."""
        answer = await while_there(request, service.one(body, _exchange(request)))
        return Response(answer.model_dump_json(), media_type=_JSON)

    @router.post(
        "/rewrite/batch",
        response_model=BatchAnswer,
        responses=problems([*REWRITING, "batch-too-large"]),
        summary="Rewrite many turns",
    )
    async def rewrite_batch(body: BatchRequest, request: Request) -> Response:
        """Rewrite the last turn of each dialogue. If one of them is no dialogue, none is answered, and it is named."""
        answers = await while_there(request, service.batch(body, _exchange(request)))
        return Response(BatchAnswer(answers=answers).model_dump_json(), media_type=_JSON)

    @router.get("/models", responses=problems(READING), summary="The models")
    async def models() -> ModelsAnswer:
        """What may be asked for as `model`."""
        known = [
            ModelAnswer(name=info.name, language=info.language, tagger=info.config.tagger)
            for info in service.rewriter.models
        ]
        return ModelsAnswer(models=known, version=__version__)

    return router


def health_routes(state: State, metrics: Metrics) -> APIRouter:
    """For those who run the server."""
    router = APIRouter(tags=["operation"])

    @router.head("/healthz", include_in_schema=False)
    @router.get("/healthz", responses=problems([]), summary="Is it alive?")
    async def healthz() -> HealthAnswer:
        """`ok` as long as the process runs."""
        return HealthAnswer(status="ok")

    @router.head("/readyz", include_in_schema=False)
    @router.get("/readyz", responses=problems(["not-ready"]), summary="Is it to be asked?")
    async def readyz() -> HealthAnswer:
        """`ok` once the models are loaded, until the server is told to stop."""
        if state.draining or not state.ready:
            raise not_ready("stopping" if state.draining else "starting")
        return HealthAnswer(status="ok")

    @router.get(
        "/metrics",
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **problems(READING)},
        response_class=Response,
        summary="Figures for Prometheus",
    )
    async def show_metrics() -> Response:
        """Requests, times, queue, batches and rewrites; no text of anybody."""
        return metrics.response()

    return router


def _exchange(request: Request) -> Exchange:
    exchange: Exchange = request.scope[EXCHANGE]
    return exchange
