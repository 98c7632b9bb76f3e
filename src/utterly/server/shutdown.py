"""Stop the server without losing a request."""

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def draining(seconds: float, begin: Callable[[], bool]) -> Iterator[None]:
    """Delay the effect of SIGTERM by `seconds`.

    Meanwhile the server still answers requests, with `Connection: close`, and `/readyz` fails: clients that keep
    connections open learn that they must leave. `begin` starts this and returns False if it had already started: a
    second signal takes effect at once.
    """
    stop = signal.getsignal(signal.SIGTERM)
    if threading.current_thread() is not threading.main_thread() or not callable(stop):
        yield
        return
    loop = asyncio.get_running_loop()

    def drain(number: int, frame: FrameType | None) -> None:
        if begin():
            loop.call_soon_threadsafe(lambda: loop.call_later(seconds, stop, number, frame))
        else:
            stop(number, frame)

    signal.signal(signal.SIGTERM, drain)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, stop)


@contextmanager
def exit_on_sigterm() -> Iterator[None]:
    """Exit with status 0 on SIGTERM: after its shutdown uvicorn sends itself the signal again."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
