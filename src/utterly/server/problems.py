"""What the server answers when it does not rewrite: one kind of problem a cause, as RFC 9457 has it.

Each says what must hold, what came and what to do. None repeats a text, a path or a line of our code.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from fastapi import HTTPException
from starlette.responses import Response

MEDIA_TYPE: Final = "application/problem+json"
_MOST_CHARACTERS: Final = 500  # of a detail, which may name a role that came


@dataclass(frozen=True)
class Kind:
    """A cause, the status it is answered with, and what it means for those who read the API's description."""

    code: str
    status: HTTPStatus
    title: str
    meaning: str


_ALL: Final = (
    Kind("invalid-json", HTTPStatus.BAD_REQUEST, "The body is not JSON", "The body must be one JSON object in UTF-8."),
    Kind(
        "invalid-key",
        HTTPStatus.UNAUTHORIZED,
        "An API key is needed",
        "This server was started with API keys, and the request brings none of them.",
    ),
    Kind("not-found", HTTPStatus.NOT_FOUND, "There is nothing here", "No such path."),
    Kind("wrong-method", HTTPStatus.METHOD_NOT_ALLOWED, "Not by this method", "The path knows other methods."),
    Kind(
        "body-too-slow",
        HTTPStatus.REQUEST_TIMEOUT,
        "The body came too slowly",
        "The whole body must arrive within the server's time for it.",
    ),
    Kind(
        "body-too-large",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "The body is too large",
        "A body has a limit in bytes. It is refused before it is read.",
    ),
    Kind(
        "too-many-turns",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "The dialogue has too many turns",
        "A dialogue has a limit of turns, or of messages. The oldest matter least.",
    ),
    Kind(
        "too-many-characters",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "The dialogue is too long",
        "A dialogue has a limit of characters, all turns together. The oldest turns matter least.",
    ),
    Kind(
        "batch-too-large",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "The batch has too many dialogues",
        "A batch has a limit of dialogues. Send several batches.",
    ),
    Kind(
        "wrong-media-type",
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "The body must be sent as JSON",
        "Content-Type must be application/json, and the body not compressed.",
    ),
    Kind(
        "invalid-request",
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "The request does not fit its description",
        "A field is missing, unknown, of the wrong type or out of range; `errors` says which.",
    ),
    Kind(
        "invalid-dialogue",
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "The turns or messages make no dialogue",
        "There must be a turn to rewrite: the last turn, or the last message of the user.",
    ),
    Kind(
        "unknown-model",
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "There is no such model",
        "`model` must be the name of one that GET /v1/models lists.",
    ),
    Kind(
        "failed",
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "The server failed",
        "A fault of the server, not of the request. Its log has more under the request's id.",
    ),
    Kind(
        "overloaded",
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The server is busy",
        "More dialogues wait than can be answered in time. `Retry-After` says when to come again.",
    ),
    Kind(
        "not-ready",
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The server is starting or stopping",
        "It answers what it has accepted. Ask again, or ask another server.",
    ),
    Kind(
        "timed-out",
        HTTPStatus.GATEWAY_TIMEOUT,
        "The rewrite took too long",
        "The request was given up after the server's time for it.",
    ),
)
KINDS: Final[Mapping[str, Kind]] = {kind.code: kind for kind in _ALL}


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one field: where it stands in the body, what must hold, what came."""

    at: str
    must: str
    came: str


@dataclass(eq=False)
class Problem(HTTPException):
    """A request that is not answered as asked.

    `code` is one of `KINDS`, `said` a sentence: what must hold, but what came; what to do.
    """

    code: str
    said: str
    errors: Sequence[FieldError] = ()
    more_headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(self.kind.status, self.said, dict(self.more_headers))

    @property
    def kind(self) -> Kind:
        return KINDS[self.code]

    def to_json(self, request_id: str) -> dict[str, Any]:
        """The members of RFC 9457, then ours."""
        return {
            "type": f"/docs#{self.code}",
            "title": self.kind.title,
            "status": int(self.kind.status),
            "detail": self.said if len(self.said) <= _MOST_CHARACTERS else f"{self.said[:_MOST_CHARACTERS]} ...",
            "code": self.code,
            "errors": [vars(error) for error in self.errors],
            "request_id": request_id,
        }

    def response(self, request_id: str) -> Response:
        body = json.dumps(self.to_json(request_id))  # in ASCII: what came may not be valid Unicode
        return Response(body, self.kind.status, dict(self.more_headers), MEDIA_TYPE)


def failed() -> Problem:
    return Problem(
        "failed",
        "a request that is well-formed must be answered, but this server failed at it; "
        "try again, and if it happens again give the operator the request's id",
    )


def overloaded(seconds: int) -> Problem:
    return Problem(
        "overloaded",
        f"a dialogue must be answered in time, but more wait here than can be; ask again in {seconds} s or more",
        more_headers={"Retry-After": str(seconds)},
    )


def not_ready(state: str) -> Problem:
    return Problem(
        "not-ready",
        f"a server must have its models loaded and not be stopping, but this one is {state}; "
        "ask again in a moment, or ask another server",
        more_headers={"Retry-After": "1"},
    )
