"""What every request passes: an id, the API key, the limits that need no body, and the log of how it went."""

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

EXCHANGE: Final = "utterly.exchange"  # where a request's scope carries its `Exchange`
REWRITING: Final = ("/v1/rewrite", "/v1/rewrite/batch")
_CLIENT_GONE: Final = 499  # as nginx logs it; nobody is left to answer
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
        """Say from now on that the server is stopping; whether it had not said so before."""
        was_draining, self.draining = self.draining, True
        return not was_draining


@dataclass
class Exchange:
    """A request and how it was answered. `notes` go into the log."""

    id: str
    began: float = field(default_factory=time.perf_counter)
    status: int = 0
    problem: str = ""  # the code of one
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def milliseconds(self) -> float:
        return (time.perf_counter() - self.began) * 1000


def answer_problem(request: Request, error: Exception) -> Response:
    """The response to an exception that we or FastAPI raise on purpose."""
    if isinstance(error.__cause__, ClientDisconnect):  # half a body, which FastAPI takes for a wrong one
        raise error.__cause__
    exchange: Exchange = request.scope[EXCHANGE]
    problem = problem_from(error)
    exchange.problem = problem.type.code
    return problem.response(exchange.id)


class RequestMiddleware:
    """ASGI middleware. Whatever fails behind it is answered with a problem."""

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
        exchange = scope[EXCHANGE] = Exchange(own_id if _PLAIN_ID.fullmatch(own_id) else uuid.uuid4().hex)
        answer = self._answering(exchange, send)
        with self._metrics.running.track_inprogress():
            try:
                self._check(scope, headers)
                await self._app(scope, self._body(receive), answer)
            except ClientDisconnect:
                exchange.status, exchange.problem = _CLIENT_GONE, "client-gone"
            except Exception as error:  # noqa: BLE001 - the last handler; nothing of it may get out
                if not isinstance(error, Problem):
                    log(logging.ERROR, "failed", request_id=exchange.id, **failure_fields(error))
                if not exchange.status:
                    await answer_problem(Request(scope), error)(scope, receive, answer)
            finally:
                self._record(scope, exchange)

    def _check(self, scope: Scope, headers: Headers) -> None:
        path = scope["path"]
        if self._keys and (path.startswith("/v1/") or path == "/metrics"):
            self._check_key(headers)
        if path not in REWRITING or scope["method"] != "POST":
            return
        self._check_body(headers)
        self._queue.check_room()

    def _check_key(self, headers: Headers) -> None:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        given = headers.get("x-api-key") or (token.strip() if scheme.lower() == "bearer" else "")
        # Every key is compared, in constant time.
        if not sum(hmac.compare_digest(_digest(given), key) for key in self._keys):
            raise Problem(
                "invalid-key",
                f"an API key of this server is needed, got {'another' if given else 'none'}; "
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

    def _body(self, receive: Receive) -> Receive:
        """`receive`, within the limits of bytes and seconds for a body."""
        read, is_whole, deadline = 0, False, time.monotonic() + self._settings.body_timeout

        async def limited() -> Message:
            nonlocal read, is_whole
            if is_whole:  # after it comes only that the client went away, at any time
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

    def _answering(self, exchange: Exchange, send: Send) -> Send:
        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start":
                exchange.status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = exchange.id
                headers["Server-Timing"] = f"total;dur={exchange.milliseconds:.1f}"
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if self._state.draining:
                    headers["Connection"] = "close"
            await send(message)

        return answering

    def _record(self, scope: Scope, exchange: Exchange) -> None:
        route = getattr(scope.get("route"), "path", "other" if scope["path"] not in REWRITING else scope["path"])
        method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "OPTIONS") else "other"
        self._metrics.requests.labels(method, route, exchange.status).inc()
        self._metrics.seconds.labels(route).observe(exchange.milliseconds / 1000)
        if exchange.problem:
            self._metrics.problems.labels(exchange.problem).inc()
            exchange.notes = {"problem": exchange.problem, **exchange.notes}
        level = logging.DEBUG if route in ("/healthz", "/readyz", "/metrics") else logging.INFO
        log(
            level,
            "request",
            request_id=exchange.id,
            method=method,
            route=route,
            status=exchange.status,
            ms=round(exchange.milliseconds, 1),
            **exchange.notes,
        )


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
