"""Dialogues waiting to be rewritten: those that arrive together are rewritten together; one alone does not wait.

One thread calls the rewriter. What arrives meanwhile waits; then the thread takes the oldest, and with it others with
the same options, up to a batch. Each result is delivered as soon as it is there.
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

_NEWEST_WEIGHT: Final = 0.2  # of the newest batch in the mean time per dialogue
_SHARE_WAITING: Final = 0.5  # of the timeout, for waiting

RewriteMany = Callable[[Sequence[Dialogue], RewriteOptions], Iterable[Rewrite]]
"""Rewrites in the order of the dialogues, one by one."""


class QueueFullError(Problem):
    """More dialogues are waiting than can be answered in time."""

    def __init__(self, retry_after: int) -> None:
        self.retry_after = retry_after
        detail = f"more dialogues are waiting than can be answered in time; try again in {retry_after} s or later"
        super().__init__("overloaded", detail, headers={"Retry-After": str(retry_after)})


class RewriteFailedError(Exception):
    """The rewriter failed at a dialogue, through no fault of the dialogue. The cause is in `__cause__`."""


@dataclass(eq=False)
class _Waiting:
    """A dialogue in the queue, and where its rewrite is awaited."""

    dialogue: Dialogue
    options: RewriteOptions
    rewrite: "asyncio.Future[Rewrite]"


class RewriteQueue:
    """Passes dialogues from an event loop to one thread, and rewrites back. `on_batch` gets each size and time."""

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
        self._seconds_each = 0.0  # a running mean
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
        """Raise `QueueFullError` unless this many more can be answered in time."""
        ahead = len(self._waiting)
        seconds = ahead * self._seconds_each
        if ahead + dialogues > self._max_queue or seconds > self._timeout * _SHARE_WAITING:
            raise QueueFullError(max(1, math.ceil(seconds)))

    async def rewrite(self, dialogues: Sequence[Dialogue], options: RewriteOptions) -> list[Rewrite]:
        """The rewrites, or the first failure. If cancelled, dialogues still waiting are dropped."""
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
        """What to rewrite next; empty once the queue is closing and all is done."""
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
        except Exception as failure:  # noqa: BLE001 - whatever it is, those who wait must hear of it
            if len(batch) == 1:
                _deliver(batch[0], failure)
            else:  # one must not fail them all
                for each in batch[done:]:
                    self._run([each])


def _deliver(to: _Waiting, outcome: Rewrite | Exception) -> None:
    """To the event loop in which it is awaited."""
    to.rewrite.get_loop().call_soon_threadsafe(_settle, to.rewrite, outcome)


def _settle(future: "asyncio.Future[Rewrite]", outcome: Rewrite | Exception) -> None:
    if future.done():
        return  # given up meanwhile
    if isinstance(outcome, Exception):
        failure = RewriteFailedError()
        failure.__cause__ = outcome
        future.set_exception(failure)
    else:
        future.set_result(outcome)
