"""The API's description (OpenAPI): what is the same for all routes, and this server's own limits."""

from collections.abc import Iterable
from typing import Any, Final

from fastapi import FastAPI

from utterly.rewriter import Rewriter
from utterly.server.problems import KINDS, MEDIA_TYPE
from utterly.server.schemas import ProblemAnswer
from utterly.server.settings import ServerSettings

SUMMARY: Final = "Rewrites the last turn of a dialogue so that it stands on its own."
ABOUT: Final = """\
Send a dialogue, and the last turn comes back as it reads without the others, with every edit explained: which words
were deleted, which were inserted by a rule, and which were copied from where in the dialogue. A turn that needs nothing
comes back as it is. The same request gives the same answer.

Whatever goes wrong is answered as `application/problem+json`, one kind of problem a cause; each says what must hold,
what came and what to do. Requests may name themselves with `X-Request-ID`; the answer and the server's log repeat it.
"""
_EVERYWHERE: Final = ("failed",)
READING: Final = ("invalid-key",)
REWRITING: Final = (
    "invalid-json",
    "invalid-key",
    "body-too-slow",
    "body-too-large",
    "too-many-turns",
    "too-many-characters",
    "wrong-media-type",
    "invalid-request",
    "invalid-dialogue",
    "unknown-model",
    "overloaded",
    "timed-out",
)


def problems(codes: Iterable[str]) -> dict[int | str, dict[str, Any]]:
    """The answers of a route that are problems, for FastAPI, by status."""
    described: dict[int | str, dict[str, Any]] = {}
    for kind in (KINDS[code] for code in (*codes, *_EVERYWHERE)):
        said = f"`{kind.code}`: {kind.meaning}"
        here = described.setdefault(int(kind.status), {"model": ProblemAnswer, "description": ""})
        here["description"] = f"{here['description']}\n\n{said}".strip()
        if kind.code in ("overloaded", "not-ready"):
            here["headers"] = {
                "Retry-After": {"description": "Seconds to wait.", "required": True, "schema": {"type": "integer"}}
            }
    return described


def describe(app: FastAPI, rewriter: Rewriter, settings: ServerSettings) -> dict[str, Any]:
    """FastAPI's description, with problems in their media type and this server's limits, models and keys."""
    described = FastAPI.openapi(app)
    for path in described["paths"].values():
        for operation in path.values():
            for status, answer in operation["responses"].items():
                if int(status) >= 400 and "application/json" in answer.get("content", {}):
                    answer["content"] = {MEDIA_TYPE: answer["content"]["application/json"]}
    schemas = described["components"]["schemas"]
    for name in ("DialogueRequest", "RewriteRequest"):
        for field in ("turns", "messages"):
            schemas[name]["properties"][field]["maxItems"] = settings.max_turns
    schemas["BatchRequest"]["properties"]["dialogues"]["maxItems"] = settings.max_batch
    for name in ("BatchRequest", "RewriteRequest"):
        schemas[name]["properties"]["n_best"]["maximum"] = settings.max_n_best
        text, nothing = schemas[name]["properties"]["model"]["anyOf"]
        schemas[name]["properties"]["model"]["anyOf"] = [
            text | {"enum": [info.name for info in rewriter.models]},
            nothing,
        ]
    schemas.pop("HTTPValidationError", None)
    schemas.pop("ValidationError", None)
    if settings.api_keys:
        _ask_for_keys(described)
    described["x-problems"] = {
        kind.code: {"status": int(kind.status), "title": kind.title, "meaning": kind.meaning} for kind in KINDS.values()
    }
    return described


def _ask_for_keys(described: dict[str, Any]) -> None:
    described["components"]["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer"},
        "header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    }
    for path, operations in described["paths"].items():
        if path.startswith("/v1/") or path == "/metrics":
            for operation in operations.values():
                operation["security"] = [{"bearer": []}, {"header": []}]
