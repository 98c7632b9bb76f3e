"""How a server that is told to stop does so without losing a request."""

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def draining(seconds: float, begin: Callable[[], bool]) -> Iterator[None]:
    """Put `seconds` between SIGTERM and what the server does about it.

    Meanwhile requests are still answered, each with `Connection: close`, and `/readyz` says that there will be no more,
    so that a client which keeps its connection open is told before it is closed. `begin` starts this, and tells
    whether it had not begun before: a second signal takes effect at once.
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
