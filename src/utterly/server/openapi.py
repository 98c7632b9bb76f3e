"""The OpenAPI description: what FastAPI does not derive from the routes."""

from collections.abc import Iterable
from typing import Any, Final

from fastapi import FastAPI

from utterly.rewriter import Rewriter
from utterly.server.problems import MEDIA_TYPE, PROBLEM_TYPES
from utterly.server.schemas import ProblemResponse
from utterly.server.settings import ServerSettings

SUMMARY: Final = "Rewrites the last turn of a dialogue so that it stands on its own."
DESCRIPTION: Final = """\
Send a dialogue and get its last turn rewritten to stand on its own, with every edit explained: which words were
deleted, which were inserted by a rule, and which were copied from where in the dialogue. A turn that needs no rewriting
comes back unchanged. The same request gives the same response.

Errors are `application/problem+json`, with a code for each cause and a sentence that says what must hold, what was
given and what to do. A request may have an id in `X-Request-ID`, which the response and the log repeat.
"""
READ_PROBLEMS: Final = ("invalid-key",)
REWRITE_PROBLEMS: Final = (
    "invalid-json invalid-key body-too-slow body-too-large too-many-turns too-many-characters wrong-media-type "
    "invalid-request invalid-dialogue unknown-model overloaded timed-out"
).split()


def problem_responses(codes: Iterable[str]) -> dict[int | str, dict[str, Any]]:
    """The problems of a route, by status, for FastAPI."""
    described: dict[int | str, dict[str, Any]] = {}
    for problem in (PROBLEM_TYPES[code] for code in (*codes, "failed")):
        here = described.setdefault(problem.status, {"model": ProblemResponse, "description": ""})
        here["description"] = f"{here['description']}\n\n`{problem.code}`: {problem.meaning}".strip()
        if problem.code in ("overloaded", "not-ready"):
            here["headers"] = {
                "Retry-After": {"description": "Seconds to wait.", "required": True, "schema": {"type": "integer"}}
            }
    return described


def openapi(app: FastAPI, rewriter: Rewriter, settings: ServerSettings) -> dict[str, Any]:
    """FastAPI's description, with the media type of problems and this server's limits, models and keys."""
    described = FastAPI.openapi(app)
    for path in described["paths"].values():
        for operation in path.values():
            for status, response in operation["responses"].items():
                if int(status) >= 400 and "application/json" in response.get("content", {}):
                    response["content"] = {MEDIA_TYPE: response["content"]["application/json"]}
    schemas = described["components"]["schemas"]
    for name in ("DialogueRequest", "RewriteRequest"):
        for field in ("turns", "messages"):
            schemas[name]["properties"][field]["maxItems"] = settings.max_turns
    schemas["BatchRequest"]["properties"]["dialogues"]["maxItems"] = settings.max_batch
    for name in ("BatchRequest", "RewriteRequest"):
        schemas[name]["properties"]["n_best"]["maximum"] = settings.max_n_best
        schemas[name]["properties"]["model"]["anyOf"][0]["enum"] = [info.name for info in rewriter.models]
    schemas.pop("HTTPValidationError", None)
    schemas.pop("ValidationError", None)
    if settings.api_keys:
        described["components"]["securitySchemes"] = {
            "bearer": {"type": "http", "scheme": "bearer"},
            "header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        }
        for path, operations in described["paths"].items():
            if path.startswith("/v1/") or path == "/metrics":
                for operation in operations.values():
                    operation["security"] = [{"bearer": []}, {"header": []}]
    described["x-problems"] = {
        code: {"status": problem.status, "title": problem.title, "meaning": problem.meaning}
        for code, problem in PROBLEM_TYPES.items()
    }
    return described
