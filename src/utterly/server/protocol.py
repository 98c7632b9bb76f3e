"""Connections of a server that stops: an idle one is closed a moment later, as a request may be on its way on it."""

from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

_MOMENT: Final = 0.25  # seconds


class PatientProtocol(HttpToolsProtocol):
    """uvicorn's, but for the moment."""

    def shutdown(self) -> None:
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        if cycle is None or cycle.response_complete:
            self.loop.call_later(_MOMENT, super().shutdown)
        else:
            super().shutdown()
