"""What FastAPI and pydantic find wrong with a request, as problems of ours."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from utterly.dialogues.fields import json_name
from utterly.server.middleware import EXCHANGE
from utterly.server.problems import FieldError, Problem, failed

_MOST_ERRORS: Final = 10  # more help nobody
_MOST_CHARACTERS: Final = 80  # of a field's name
_MUST: Final = {
    "missing": "be there",
    "extra_forbidden": "not be there, as no such field is known",
    "string_type": "be a string",
    "string_unicode": "be valid Unicode",
    "list_type": "be a list",
    "dict_type": "be an object",
    "model_attributes_type": "be an object",
    "model_type": "be an object",
    "int_type": "be a whole number",
    "int_from_float": "be a whole number",
    "float_type": "be a number",
}
_SEE: Final = "see /docs for what each field must be"


def answer_problem(request: Request, problem: Exception) -> Response:
    """Any exception of a request that we or FastAPI raise on purpose."""
    if isinstance(problem.__cause__, ClientDisconnect):  # half a body, which FastAPI takes for a wrong one
        raise problem.__cause__
    exchange = request.scope[EXCHANGE]
    ours = _as_problem(problem)
    exchange.code = ours.code
    return ours.response(exchange.id)


def _as_problem(problem: Exception) -> Problem:
    if isinstance(problem, Problem):
        return problem
    if isinstance(problem, RequestValidationError):
        return _from_errors(problem.errors())
    if not isinstance(problem, HTTPException):
        return failed()
    if problem.status_code == HTTPStatus.NOT_FOUND:
        return Problem("not-found", "a path must be one of this server's, but another came; see /docs for them")
    if problem.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = (problem.headers or {}).get("Allow", "")
        said = f"the method must be one of this path's ({allowed}), but another came; see /docs"
        return Problem("wrong-method", said, more_headers={"Allow": allowed})
    return _unreadable(problem.__cause__)


def _unreadable(cause: BaseException | None) -> Problem:
    """A body that did not even become JSON."""
    must, came = "a body must be one JSON object", "it cannot be read as one"
    if isinstance(cause, UnicodeDecodeError):
        must, came = "a body must be UTF-8", f"byte {cause.start} is not"
    elif isinstance(cause, RecursionError):
        came = "it is nested too deeply"
    return Problem("invalid-json", f"{must}, but {came}; send the JSON that /docs describes")


def _from_errors(errors: Sequence[Mapping[str, Any]]) -> Problem:
    first = errors[0]
    if first["type"] == "json_invalid":
        at, what = first["loc"][-1], first["ctx"]["error"]
        return Problem(
            "invalid-json", f"a body must be one JSON object, but at character {at}: {what}; send valid JSON"
        )
    wrong = [FieldError(_place(each["loc"]), _must(each), _came(each)) for each in errors[:_MOST_ERRORS]]
    said = f"{wrong[0].at} must {wrong[0].must}, but {wrong[0].came} came; {_SEE}"
    return Problem("invalid-request", said, errors=wrong)


def _place(where: Sequence[str | int]) -> str:
    return ".".join(str(part)[:_MOST_CHARACTERS] for part in where[1:]) or "the body"


def _must(error: Mapping[str, Any]) -> str:
    if error["type"] in _MUST:
        return _MUST[error["type"]]
    if error["type"] == "too_short":
        return f"have at least {error['ctx']['min_length']} entry"
    return str(error["msg"]).removeprefix("Input should ")


def _came(error: Mapping[str, Any]) -> str:
    value = error.get("input")
    if error["type"] == "missing":
        return "nothing"
    if error["type"] == "one_of_both":
        return str(error["ctx"]["came"])
    if str(error["type"]).startswith(("greater", "less")):
        return f"{value!r:.20}"
    if error["type"] == "too_short":
        return "an empty list"
    return json_name(value)
