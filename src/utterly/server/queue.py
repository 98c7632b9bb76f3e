"""The queue of dialogues to rewrite: those that arrive together are rewritten together; one alone does not wait.

One thread calls the rewriter. Whatever arrives meanwhile waits; then the thread takes the oldest dialogue and others
with the same options, up to a batch. Each result is delivered as soon as it is ready.
"""

import asyncio
import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from utterly.dialogues.dialogue import Dialogue
from utterly.rewriter import Rewrite, RewriteOptions
from utterly.server.problems import Problem

_NEWEST_WEIGHT: Final = 0.2  # of the newest batch in the running mean
_SHARE_WAITING: Final = 0.5  # of the timeout

RewriteMany = Callable[[Sequence[Dialogue], RewriteOptions], Iterable[Rewrite]]
"""Rewrites in the order of the dialogues, one by one."""


class RewriteFailedError(Exception):
    """The rewriter raised an exception, which is the `__cause__`."""


@dataclass(eq=False)
class _Waiting:
    """A dialogue in the queue, and its rewrite to come."""

    dialogue: Dialogue
    options: RewriteOptions
    rewrite: "asyncio.Future[Rewrite]"


class RewriteQueue:
    """Rewrites the dialogues of an event loop in one thread. Calls `on_batch` with the size and time of each batch."""

    def __init__(
        self,
        rewrite_many: RewriteMany,
        *,
        model_batch: int,
        max_queue: int,
        timeout: float,
        on_batch: Callable[[int, float], None],
    ) -> None:
        self._rewrite_many, self._on_batch = rewrite_many, on_batch
        self._model_batch, self._max_queue, self._timeout = model_batch, max_queue, timeout
        self._waiting: list[_Waiting] = []
        self._arrived = threading.Condition()
        self._closing = False
        self._seconds_each = 0.0  # per dialogue, a running mean
        self._thread = threading.Thread()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def start(self) -> None:
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="utterly-queue", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Rewrite what is still waiting, then stop."""
        with self._arrived:
            self._closing = True
            self._arrived.notify()
        await asyncio.to_thread(self._thread.join)

    def check_room(self, dialogues: int = 1) -> None:
        """Raise a problem unless this many more can be answered in time."""
        ahead = len(self._waiting)
        seconds = ahead * self._seconds_each
        if ahead + dialogues > self._max_queue or seconds > self._timeout * _SHARE_WAITING:
            wait = max(1, math.ceil(seconds))
            detail = f"more dialogues are waiting than can be answered in time; try again in {wait} s or later"
            raise Problem("overloaded", detail, headers={"Retry-After": str(wait)})

    async def rewrite(self, dialogues: Sequence[Dialogue], options: RewriteOptions) -> list[Rewrite]:
        """The rewrites; raises the first failure. If cancelled, drops the dialogues that still wait."""
        self.check_room(len(dialogues))
        loop = asyncio.get_running_loop()
        new = [_Waiting(dialogue, options, loop.create_future()) for dialogue in dialogues]
        with self._arrived:
            self._waiting += new
            self._arrived.notify()
        return list(await asyncio.gather(*(each.rewrite for each in new)))

    def _work(self) -> None:
        while batch := self._next_batch():
            began = time.perf_counter()
            self._run(batch)
            seconds = time.perf_counter() - began
            mean = self._seconds_each
            self._seconds_each += (seconds / len(batch) - mean) * (_NEWEST_WEIGHT if mean else 1)
            self._on_batch(len(batch), seconds)

    def _next_batch(self) -> list[_Waiting]:
        """What to rewrite next; empty once the queue is closing and everything is done."""
        with self._arrived:
            while True:
                self._waiting = [each for each in self._waiting if not each.rewrite.cancelled()]
                if self._waiting:
                    break
                if self._closing:
                    return []
                self._arrived.wait()
            options = self._waiting[0].options
            batch = [each for each in self._waiting if each.options == options][: self._model_batch]
            taken = set(batch)
            self._waiting = [each for each in self._waiting if each not in taken]
            return batch

    def _run(self, batch: Sequence[_Waiting]) -> None:
        done = 0
        try:
            for rewrite in self._rewrite_many([each.dialogue for each in batch], batch[0].options):
                _deliver(batch[done], rewrite)
                done += 1
        except Exception as failure:  # noqa: BLE001 - whatever it is, the callers must learn of it
            if len(batch) == 1:
                _deliver(batch[0], failure)
            else:  # one failure must not fail the others
                for each in batch[done:]:
                    self._run([each])


def _deliver(to: _Waiting, outcome: Rewrite | Exception) -> None:
    """Settle the future, in its event loop."""

    def settle() -> None:
        if to.rewrite.done():
            return  # cancelled meanwhile
        if isinstance(outcome, Exception):
            failure = RewriteFailedError()
            failure.__cause__ = outcome
            to.rewrite.set_exception(failure)
        else:
            to.rewrite.set_result(outcome)

    to.rewrite.get_loop().call_soon_threadsafe(settle)
