"""What every request passes: a name for it, the key, the limits that need no body, and the log of how it went."""

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
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from utterly.server.batching import Batcher, QueueFullError
from utterly.server.logs import failure_fields, log
from utterly.server.metrics import Metrics
from utterly.server.problems import Problem, failed, overloaded
from utterly.server.settings import ServerSettings

EXCHANGE: Final = "utterly.exchange"  # where a request's scope carries its `Exchange`
REWRITING: Final = ("/v1/rewrite", "/v1/rewrite/batch")
_GONE: Final = 499  # as nginx logs it; nobody is there to be answered
_OWN_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HEADERS: Final = {
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
class State:
    """Whether the server is to be asked."""

    ready: bool = False
    draining: bool = False


@dataclass
class Exchange:
    """A request and how it is answered. `notes` go into the log."""

    id: str
    began: float = field(default_factory=time.perf_counter)
    status: int = 0
    code: str = ""
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def milliseconds(self) -> float:
        return (time.perf_counter() - self.began) * 1000


class Door:
    """ASGI middleware. Nothing that fails behind it gets out but as a problem."""

    def __init__(
        self, app: ASGIApp, *, settings: ServerSettings, state: State, batcher: Batcher, metrics: Metrics
    ) -> None:
        self._app, self._settings, self._state = app, settings, state
        self._batcher, self._metrics = batcher, metrics
        self._keys = [_digest(key) for key in settings.api_keys]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        exchange = scope[EXCHANGE] = Exchange(_request_id(headers))
        answer = self._answering(exchange, send)
        self._metrics.running.inc()
        try:
            self._check(scope, headers)
            await self._app(scope, self._body(receive), answer)
        except Problem as problem:
            exchange.code = problem.code
            await problem.response(exchange.id)(scope, receive, answer)
        except ClientDisconnect:
            exchange.status, exchange.code = _GONE, "client-gone"
        except Exception as failure:  # noqa: BLE001 - the last to catch; nothing of it may get out
            log(logging.ERROR, "failed", request_id=exchange.id, **failure_fields(failure))
            if not exchange.status:
                exchange.code = failed().code
                await failed().response(exchange.id)(scope, receive, answer)
        finally:
            self._metrics.running.dec()
            self._record(scope, exchange)

    def _check(self, scope: Scope, headers: Headers) -> None:
        path = scope["path"]
        if self._keys and (path.startswith("/v1/") or path == "/metrics"):
            self._check_key(headers)
        if path not in REWRITING or scope["method"] != "POST":
            return
        self._check_body(headers)
        try:
            self._batcher.check_room()
        except QueueFullError as full:
            raise overloaded(full.retry_after) from None

    def _check_key(self, headers: Headers) -> None:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        given = headers.get("x-api-key") or (token.strip() if scheme.lower() == "bearer" else "")
        # Each key is compared, in a time that says nothing of how much of it is right.
        if not sum(hmac.compare_digest(_digest(given), key) for key in self._keys):
            raise Problem(
                "invalid-key",
                f"a request must bring a key of this server, but {'another' if given else 'none'} came; "
                "send it as 'Authorization: Bearer KEY' or 'X-API-Key: KEY'",
                more_headers={"WWW-Authenticate": 'Bearer realm="utterly"'},
            )

    def _check_body(self, headers: Headers) -> None:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise _wrong_media("Content-Type must be application/json", "another" if kind else "none")
        if headers.get("content-encoding", "identity").lower() != "identity":
            raise _wrong_media("a body must not be compressed", "a Content-Encoding")
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > self._settings.max_body_bytes:
            raise self._too_large(f"{length[:20]} bytes came")

    def _too_large(self, came: str) -> Problem:
        return Problem(
            "body-too-large",
            f"a body must have at most {self._settings.max_body_bytes} bytes, but {came}; "
            "send fewer or shorter dialogues",
            more_headers={"Connection": "close"},
        )

    def _body(self, receive: Receive) -> Receive:
        """`receive`, but not for more bytes or seconds than a body may have."""
        read, is_whole, deadline = 0, False, time.monotonic() + self._settings.body_timeout

        async def limited() -> Message:
            nonlocal read, is_whole
            if is_whole:  # only that the client goes away can still come, whenever it does
                return await receive()
            try:
                async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                    message = await receive()
            except TimeoutError:
                raise self._too_slow() from None
            read += len(message.get("body", b""))
            if read > self._settings.max_body_bytes:
                raise self._too_large("more came")
            is_whole = not message.get("more_body", False)
            return message

        return limited

    def _too_slow(self) -> Problem:
        return Problem(
            "body-too-slow",
            f"a body must arrive within {self._settings.body_timeout:g} s, but it did not; "
            "send it again, on a better line",
            more_headers={"Connection": "close"},
        )

    def _answering(self, exchange: Exchange, send: Send) -> Send:
        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start":
                exchange.status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = exchange.id
                headers["Server-Timing"] = f"total;dur={exchange.milliseconds:.1f}"
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
                if self._state.draining:
                    headers["Connection"] = "close"
            await send(message)

        return answering

    def _record(self, scope: Scope, exchange: Exchange) -> None:
        route = getattr(scope.get("route"), "path", "other" if scope["path"] not in REWRITING else scope["path"])
        method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "OPTIONS") else "other"
        self._metrics.requests.labels(method, route, exchange.status).inc()
        self._metrics.seconds.labels(route).observe(exchange.milliseconds / 1000)
        if exchange.code:
            self._metrics.refused.labels(exchange.code).inc()
            exchange.notes = {"problem": exchange.code, **exchange.notes}
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


def _request_id(headers: Headers) -> str:
    """The caller's own, where it is a plain word, or a new one."""
    given = headers.get("x-request-id", "")
    return given if _OWN_ID.fullmatch(given) else uuid.uuid4().hex


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()


def _wrong_media(must: str, came: str) -> Problem:
    return Problem(
        "wrong-media-type", f"{must}, but {came} came; send JSON as it is, with 'Content-Type: application/json'"
    )
