"""Middleware for every request: its id, API key, limits before and while the body arrives, log and metrics."""

import asyncio
import hashlib
import hmac
import logging
import re
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from utterly.server.observability import Metrics, failure_fields, log
from utterly.server.problems import Problem, problem_from
from utterly.server.queue import RewriteQueue
from utterly.server.settings import ServerSettings

RECORD: Final = "utterly.record"  # the key of a `RequestRecord` in a request's scope
_REWRITE_PATHS: Final = ("/v1/rewrite", "/v1/rewrite/batch")
_CLIENT_GONE: Final = 499  # as in nginx's logs; nobody receives it
_PLAIN_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
}


@dataclass
class ServerState:
    """Whether the server is ready for traffic."""

    ready: bool = False
    draining: bool = False

    def begin_draining(self) -> bool:
        """Start draining; False if it had already started."""
        was_draining, self.draining = self.draining, True
        return not was_draining


@dataclass
class RequestRecord:
    """What the log says about a request."""

    id: str
    began: float = field(default_factory=time.perf_counter)
    status: int = 0
    problem: str = ""  # its code
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def milliseconds(self) -> float:
        return (time.perf_counter() - self.began) * 1000


def answer_problem(request: Request, error: Exception) -> Response:
    if isinstance(error.__cause__, ClientDisconnect):  # which FastAPI takes for an invalid body
        raise error.__cause__
    record: RequestRecord = request.scope[RECORD]
    problem = problem_from(error)
    record.problem = problem.type.code
    return problem.response(record.id)


class RequestMiddleware:
    """ASGI middleware. Answers every exception with a problem."""

    def __init__(
        self, app: ASGIApp, *, settings: ServerSettings, state: ServerState, queue: RewriteQueue, metrics: Metrics
    ) -> None:
        self._app, self._settings, self._state = app, settings, state
        self._queue, self._metrics = queue, metrics
        self._keys = [_digest(key) for key in settings.api_keys]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        own_id = headers.get("x-request-id", "")
        record = scope[RECORD] = RequestRecord(own_id if _PLAIN_ID.fullmatch(own_id) else uuid.uuid4().hex)
        send = self._with_headers(send, record)
        with self._metrics.running.track_inprogress():
            try:
                self._check(scope, headers)
                await self._app(scope, self._with_limits(receive), send)
            except ClientDisconnect:
                record.status, record.problem = _CLIENT_GONE, "client-gone"
            except Exception as error:  # noqa: BLE001 - the last handler; no details may reach the client
                if not isinstance(error, Problem):
                    log(logging.ERROR, "failed", request_id=record.id, **failure_fields(error))
                if not record.status:
                    await answer_problem(Request(scope), error)(scope, receive, send)
            finally:
                self._finish(scope, record)

    def _check(self, scope: Scope, headers: Headers) -> None:
        path = scope["path"]
        if self._keys and (path.startswith("/v1/") or path == "/metrics"):
            self._check_key(headers)
        if path in _REWRITE_PATHS and scope["method"] == "POST":
            self._check_body(headers)
            self._queue.check_room()

    def _check_key(self, headers: Headers) -> None:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        given = headers.get("x-api-key") or (token.strip() if scheme.lower() == "bearer" else "")
        # In constant time: compares every key.
        if not sum(hmac.compare_digest(_digest(given), key) for key in self._keys):
            raise Problem(
                "invalid-key",
                f"a valid API key is required, got {'an unknown one' if given else 'none'}; "
                "send it as 'Authorization: Bearer KEY' or 'X-API-Key: KEY'",
                headers={"WWW-Authenticate": 'Bearer realm="utterly"'},
            )

    def _check_body(self, headers: Headers) -> None:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Problem(
                "wrong-media-type",
                f"Content-Type must be application/json, got {'another' if kind else 'none'}; send the body as JSON",
            )
        if headers.get("content-encoding", "identity").lower() != "identity":
            raise Problem("wrong-media-type", "the body must not be compressed; send it without Content-Encoding")
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > self._settings.max_body_bytes:
            raise self._too_large(length[:20])

    def _too_large(self, size: str) -> Problem:
        return Problem(
            "body-too-large",
            f"the body must have at most {self._settings.max_body_bytes} bytes, got {size}; "
            "send fewer or shorter dialogues",
            headers={"Connection": "close"},
        )

    def _with_limits(self, receive: Receive) -> Receive:
        """`receive`, with the body's limits on size and time."""
        read, is_whole, deadline = 0, False, time.monotonic() + self._settings.body_timeout

        async def limited() -> Message:
            nonlocal read, is_whole
            if is_whole:  # only the client's disconnect can follow, at any time
                return await receive()
            try:
                async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                    message = await receive()
            except TimeoutError:
                raise Problem(
                    "body-too-slow",
                    f"the body must arrive within {self._settings.body_timeout:g} s; send it again",
                    headers={"Connection": "close"},
                ) from None
            read += len(message.get("body", b""))
            if read > self._settings.max_body_bytes:
                raise self._too_large("more")
            is_whole = not message.get("more_body", False)
            return message

        return limited

    def _with_headers(self, send: Send, record: RequestRecord) -> Send:
        """`send`, with the headers of every response."""

        async def extended(message: Message) -> None:
            if message["type"] == "http.response.start":
                record.status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = record.id
                headers["Server-Timing"] = f"total;dur={record.milliseconds:.1f}"
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if self._state.draining:
                    headers["Connection"] = "close"
            await send(message)

        return extended

    def _finish(self, scope: Scope, record: RequestRecord) -> None:
        """Count and log a request."""
        route = getattr(scope.get("route"), "path", scope["path"] if scope["path"] in _REWRITE_PATHS else "other")
        method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "OPTIONS") else "other"
        self._metrics.requests.labels(method, route, record.status).inc()
        self._metrics.seconds.labels(route).observe(record.milliseconds / 1000)
        if record.problem:
            self._metrics.problems.labels(record.problem).inc()
            record.notes = {"problem": record.problem, **record.notes}
        level = logging.DEBUG if route in ("/healthz", "/readyz", "/metrics") else logging.INFO
        shown = {"method": method, "route": route, "status": record.status, "ms": round(record.milliseconds, 1)}
        log(level, "request", request_id=record.id, **shown, **record.notes)


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
