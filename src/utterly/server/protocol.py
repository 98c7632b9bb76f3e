"""uvicorn's HTTP protocol, with limits on what a client may send before it is authenticated.

The head of a request (its address and headers) is limited in size and time; the middleware limits the body. Bytes that
belong to neither, such as trailers, count towards the head.
"""

import asyncio
import logging
import uuid
from typing import Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from utterly.server.observability import log
from utterly.server.problems import Problem

MOST_HEAD_BYTES: Final = 65_536
_CLOSE_DELAY: Final = 0.25  # seconds


class GuardedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with limits. On shutdown, it closes an idle connection a moment later."""

    head_seconds = 10.0

    _in_head = _in_request = False
    _unread = 0  # bytes after the last complete head or part of a body
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        super().connection_made(transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unread += len(data)
        super().data_received(data)
        if self._unread > MOST_HEAD_BYTES:
            self._refuse_size()
        elif self._in_head:
            self._start_timer()

    def on_message_begin(self) -> None:
        self._in_head = self._in_request = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._stop_timer()
        # `_unread` may include other requests, so measure this head itself.
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MOST_HEAD_BYTES:
            self._refuse_size()
            return
        self._in_head, self._unread = False, 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_request = False
        self._stop_timer()
        if not self.transport.is_closing():
            super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._in_request:  # nobody reads the rest of the body
            self._start_timer()

    def shutdown(self) -> None:
        if self._is_answering():
            super().shutdown()
        else:  # a request may be in transit
            self.loop.call_later(_CLOSE_DELAY, super().shutdown)

    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        return cycle is not None and not cycle.response_complete

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self.head_seconds, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_out(self) -> None:
        self._timer = None
        if self._is_answering():  # we are not waiting for the client
            self._start_timer()
        else:
            detail = f"the headers must arrive within {self.head_seconds:g} s; send them again"
            self._refuse(Problem("head-too-slow", detail))

    def _refuse_size(self) -> None:
        detail = f"the address and headers must have at most {MOST_HEAD_BYTES} bytes, got more; send fewer or shorter"
        self._refuse(Problem("head-too-large", detail))

    def _refuse(self, problem: Problem) -> None:
        """Close the connection; if a head has begun and no response is under way, first send the problem."""
        if self.transport.is_closing():
            return
        if self._in_head and not self._is_answering():
            log(logging.INFO, "refused", problem=problem.type.code)
            response = problem.response(uuid.uuid4().hex)
            headers = [*response.raw_headers, (b"connection", b"close")]
            head = b"".join(b"%b: %b\r\n" % header for header in headers)
            self.transport.write(STATUS_LINE[response.status_code] + head + b"\r\n" + bytes(response.body))
        self.transport.close()
