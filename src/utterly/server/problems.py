"""Problems (RFC 9457): the server's error responses.

A problem says what must hold, what was given and what to do. It never contains a text, a path or a line of our code.
"""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from fastapi import HTTPException
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.responses import Response

from utterly.dialogues.fields import json_name
from utterly.server.schemas import FieldErrorResponse, ProblemResponse

MEDIA_TYPE: Final = "application/problem+json"
_MOST_CHARACTERS: Final = 500  # of a detail, which may contain a role from the request
_MOST_NAME_CHARACTERS: Final = 80  # of a field's name
_MOST_ERRORS: Final = 10


class ProblemType(NamedTuple):
    """A cause of failure, its HTTP status, and its description in the API's documentation."""

    code: str
    status: int
    title: str
    meaning: str


_TYPES: Final = (
    ("invalid-json", 400, "The body is not JSON", "The body must be one JSON object in UTF-8."),
    ("invalid-key", 401, "An API key is required", "The request has none of this server's API keys."),
    ("not-found", 404, "Not found", "No such path."),
    ("wrong-method", 405, "Wrong method", "The path takes other methods."),
    ("head-too-slow", 408, "The headers came too slowly", "Address and headers must arrive within the time limit."),
    ("body-too-slow", 408, "The body came too slowly", "The body must arrive within its time limit."),
    ("body-too-large", 413, "The body is too large", "Refused before it is read."),
    ("too-many-turns", 413, "The dialogue has too many turns", "Leave out the oldest turns or messages."),
    ("too-many-characters", 413, "The dialogue is too long", "Counted over all turns. Leave out the oldest."),
    ("batch-too-large", 413, "The batch has too many dialogues", "Send several batches."),
    ("wrong-media-type", 415, "The body must be sent as JSON", "As application/json, and not compressed."),
    ("invalid-request", 422, "Invalid request", "A field is missing, unknown or wrong; `errors` says which."),
    ("invalid-dialogue", 422, "Invalid dialogue", "There must be a last turn, or a last user message, to rewrite."),
    ("unknown-model", 422, "Unknown model", "`model` must be a name that GET /v1/models lists."),
    ("head-too-large", 431, "The headers are too large", "Counted with the address. Refused before a key is checked."),
    ("failed", 500, "The server failed", "The request is not to blame. The log has details under the request id."),
    ("overloaded", 503, "The server is busy", "Too many dialogues are waiting. Try again after `Retry-After` seconds."),
    ("not-ready", 503, "The server is starting or stopping", "Try again, or use another server."),
    ("timed-out", 504, "The rewrite took too long", "The server gave up after its time limit for a request."),
)
PROBLEM_TYPES: Final[Mapping[str, ProblemType]] = {row[0]: ProblemType(*row) for row in _TYPES}


class Problem(HTTPException):
    """A failed request. `code` is one of `PROBLEM_TYPES`, `detail` a sentence."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        errors: Sequence[FieldErrorResponse] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.type = PROBLEM_TYPES[code]
        self.errors = errors
        super().__init__(self.type.status, detail, headers)

    def response(self, request_id: str) -> Response:
        shown = ProblemResponse(
            type=f"/docs#{self.type.code}",
            title=self.type.title,
            status=self.type.status,
            detail=self.detail if len(self.detail) <= _MOST_CHARACTERS else f"{self.detail[:_MOST_CHARACTERS]} ...",
            code=self.type.code,
            errors=list(self.errors),
            request_id=request_id,
        )
        body = json.dumps(shown.model_dump())  # in ASCII: the request may not be valid Unicode
        return Response(body, self.type.status, self.headers, MEDIA_TYPE)


def problem_from(error: Exception) -> Problem:
    """The problem for an exception of ours, FastAPI's or pydantic's."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RequestValidationError):
        return _from_validation(error.errors())
    if not isinstance(error, StarletteHTTPException):
        return Problem("failed", "the server failed; try again, or give the request id to the server's operator")
    if error.status_code == HTTPStatus.NOT_FOUND:
        return Problem("not-found", "there is nothing at this path; see /docs for the paths")
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "")
        return Problem("wrong-method", f"this path takes {allowed}; see /docs", headers={"Allow": allowed})
    must = "the body must be one JSON object"  # FastAPI could not parse it
    if isinstance(error.__cause__, UnicodeDecodeError):
        must = f"the body must be UTF-8, but byte {error.__cause__.start} is not"
    elif isinstance(error.__cause__, RecursionError):
        must += ", but it is nested too deeply"
    return Problem("invalid-json", f"{must}; see /docs for what to send")


def _from_validation(errors: Sequence[Mapping[str, Any]]) -> Problem:
    first = errors[0]
    if first["type"] == "json_invalid":
        at, what = first["loc"][-1], first["ctx"]["error"]
        return Problem("invalid-json", f"the body must be one JSON object, but at character {at}: {what}; see /docs")
    wrong = []
    for error in errors[:_MOST_ERRORS]:
        at = ".".join(str(name)[:_MOST_NAME_CHARACTERS] for name in error["loc"][1:])
        wrong.append(FieldErrorResponse(at=at or "the body", must=_must(error), came=_given(error)))
    detail = f"{wrong[0].at} must {wrong[0].must}, got {wrong[0].came}; see /docs for what each field must be"
    return Problem("invalid-request", detail, errors=wrong)


_MUST: Final = {
    "missing": "be given",
    "extra_forbidden": "not be given (there is no such field)",
    "string_type": "be a string",
    "string_unicode": "be valid Unicode",
    "list_type": "be a list",
    "dict_type": "be an object",
    "model_attributes_type": "be an object",
    "model_type": "be an object",
    "int_type": "be a whole number",
    "int_from_float": "be a whole number",
    "float_type": "be a number",
    "bool_type": "be true or false",
    "too_short": "have at least {min_length} entry",
    "greater_than_equal": "be at least {ge:g}",
    "less_than_equal": "be at most {le:g}",
}


def _must(error: Mapping[str, Any]) -> str:
    known = _MUST.get(error["type"])
    return known.format(**error.get("ctx", {})) if known else str(error["msg"]).removeprefix("Input should ")


def _given(error: Mapping[str, Any]) -> str:
    value = error.get("input")
    match error["type"]:
        case "missing":
            return "nothing"
        case "one_of_both":
            return str(error["ctx"]["came"])
        case "too_short":
            return "an empty list"
        case "greater_than_equal" | "less_than_equal":
            return f"{value!r:.20}"
        case _:
            return json_name(value)
