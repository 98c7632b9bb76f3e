"""Stop the server without losing a request."""

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FrameType


def draining(seconds: float, begin: Callable[[], bool]) -> AbstractContextManager[None]:
    """Delay the effect of SIGTERM by `seconds`.

    Meanwhile the server still answers requests, with `Connection: close`, and `/readyz` fails: clients that keep
    connections open learn that they must leave. `begin` starts this and returns False if it had already started: a
    second signal takes effect at once.
    """
    stop = signal.getsignal(signal.SIGTERM)
    if not callable(stop):
        return nullcontext()
    loop = asyncio.get_running_loop()

    def drain(number: int, frame: FrameType | None) -> None:
        if begin():
            loop.call_soon_threadsafe(lambda: loop.call_later(seconds, stop, number, frame))
        else:
            stop(number, frame)

    return _on_sigterm(drain)


def exit_on_sigterm() -> AbstractContextManager[None]:
    """Exit with status 0 on SIGTERM: after its shutdown uvicorn sends itself the signal again."""
    return _on_sigterm(lambda *_: sys.exit(0))


@contextmanager
def _on_sigterm(handle: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Handle SIGTERM in this way; has no effect outside the main thread, where Python does not allow it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
