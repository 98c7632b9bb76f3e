"""What the server answers if it does not rewrite: a problem (RFC 9457) of one of a few types.

A problem says what must hold, what was given and what to do. It never repeats a text, a path or a line of our code.
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
_MOST_CHARACTERS: Final = 500  # of a detail, which may name a role from the request
_MOST_NAME_CHARACTERS: Final = 80  # of a field's name
_MOST_ERRORS: Final = 10


class ProblemType(NamedTuple):
    """A cause, the HTTP status it is answered with, and what it means for readers of the API's description."""

    code: str
    status: int
    title: str
    meaning: str


_TYPES: Final[tuple[tuple[str, int, str, str], ...]] = (
    ("invalid-json", 400, "The body is not JSON", "The body must be one JSON object in UTF-8."),
    ("invalid-key", 401, "An API key is needed", "The request has none of this server's API keys."),
    ("not-found", 404, "Not found", "No such path."),
    ("wrong-method", 405, "Wrong method", "The path takes other methods."),
    ("head-too-slow", 408, "The headers came too slowly", "Address and headers must arrive within the server's time."),
    ("body-too-slow", 408, "The body came too slowly", "The body must arrive within the server's time for it."),
    ("body-too-large", 413, "The body is too large", "Refused before it is read."),
    ("too-many-turns", 413, "The dialogue has too many turns", "Leave out the oldest turns or messages."),
    ("too-many-characters", 413, "The dialogue is too long", "Counted over all turns. Leave out the oldest."),
    ("batch-too-large", 413, "The batch has too many dialogues", "Send several batches."),
    (
        "wrong-media-type",
        415,
        "The body must be sent as JSON",
        "Content-Type must be application/json, and the body not compressed.",
    ),
    (
        "invalid-request",
        422,
        "The request does not fit its description",
        "A field is missing, unknown, of the wrong type or out of range; `errors` says which.",
    ),
    (
        "invalid-dialogue",
        422,
        "The turns or messages are not a dialogue",
        "There must be a turn to rewrite: the last turn, or the last user message.",
    ),
    ("unknown-model", 422, "Unknown model", "`model` must be a name that GET /v1/models lists."),
    ("head-too-large", 431, "The headers are too large", "Counted with the address. Refused before a key is checked."),
    (
        "failed",
        500,
        "The server failed",
        "The request is fine, the server is not. Its log has more under the request id.",
    ),
    (
        "overloaded",
        503,
        "The server is busy",
        "More dialogues are waiting than can be answered in time. `Retry-After` says when to try again.",
    ),
    (
        "not-ready",
        503,
        "The server is starting or stopping",
        "It answers what it has accepted. Try again, or use another server.",
    ),
    ("timed-out", 504, "The rewrite took too long", "The server gave up after its time for a request."),
)
PROBLEM_TYPES: Final[Mapping[str, ProblemType]] = {row[0]: ProblemType(*row) for row in _TYPES}


class Problem(HTTPException):
    """A request that is not answered as asked. `code` is one of `PROBLEM_TYPES`, `detail` a sentence."""

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
        body = json.dumps(shown.model_dump())  # in ASCII: what was given may not be valid Unicode
        return Response(body, self.type.status, self.headers, MEDIA_TYPE)


def problem_from(error: Exception) -> Problem:
    """Whatever we, FastAPI or pydantic raise about a request, as a problem."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RequestValidationError):
        return _from_validation(error.errors())
    if not isinstance(error, StarletteHTTPException):
        detail = "the server failed; try again, and if it fails again give the operator the request id"
        return Problem("failed", detail)
    if error.status_code == HTTPStatus.NOT_FOUND:
        return Problem("not-found", "there is nothing at this path; see /docs for the paths")
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "")
        return Problem("wrong-method", f"this path takes {allowed}; see /docs", headers={"Allow": allowed})
    must = "the body must be one JSON object"  # but FastAPI could not even parse it
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
