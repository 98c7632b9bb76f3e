"""Dialogues that arrive together are rewritten together, and one that arrives alone does not wait for others.

One thread asks the rewriter. While it does, what arrives waits; then it takes the oldest of those, and after it others
that wish for the same, up to a batch. An answer goes out as soon as it is there.
"""

import asyncio
import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from utterly.dialogues.dialogue import Dialogue
from utterly.rewriter import Rewrite

_FADING: Final = 0.2  # weight of the newest batch in the mean time of a dialogue
_IN_TIME: Final = 0.5  # share of the timeout that dialogues may spend waiting


@dataclass(frozen=True)
class Wish:
    """How a dialogue is to be rewritten. Only dialogues with the same wish are rewritten together."""

    n_best: int = 1
    min_confidence: float = 0.0


RewriteMany = Callable[[Sequence[Dialogue], Wish], Iterable[Rewrite]]
"""Rewrites in the order of the dialogues, as they come."""


class QueueFullError(Exception):
    """More dialogues wait than can be answered in time."""

    def __init__(self, retry_after: int) -> None:
        self.retry_after = retry_after
        super().__init__(f"ask again in {retry_after} s")


class RewriteFailedError(Exception):
    """A dialogue that the rewriter failed at, by a fault that is not the dialogue's. The cause is in `__cause__`."""


@dataclass(eq=False)
class _Waiting:
    """A dialogue on its way, and where its rewrite is awaited."""

    dialogue: Dialogue
    wish: Wish
    answer: "asyncio.Future[Rewrite]"


class Batcher:
    """Takes dialogues from an event loop to one thread, and rewrites back. `watch` hears of every batch."""

    def __init__(
        self,
        rewrite_many: RewriteMany,
        *,
        model_batch: int,
        max_queue: int,
        timeout: float,
        watch: Callable[[int, float], None],
    ) -> None:
        self._rewrite_many, self._watch = rewrite_many, watch
        self._model_batch, self._max_queue, self._timeout = model_batch, max_queue, timeout
        self._waiting: list[_Waiting] = []
        self._arrived = threading.Condition()
        self._closing = False
        self._seconds_each = 0.0  # a dialogue's mean time lately
        self._thread = threading.Thread()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def start(self) -> None:
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="utterly-batches", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Rewrite what still waits, then stop."""
        with self._arrived:
            self._closing = True
            self._arrived.notify()
        await asyncio.to_thread(self._thread.join)

    def check_room(self, dialogues: int = 1) -> None:
        """Raise `QueueFullError` unless so many more can be answered in time."""
        ahead = len(self._waiting)
        seconds = ahead * self._seconds_each
        if ahead + dialogues > self._max_queue or seconds > self._timeout * _IN_TIME:
            raise QueueFullError(max(1, math.ceil(seconds)))

    async def rewrite(self, dialogues: Sequence[Dialogue], wish: Wish) -> list[Rewrite]:
        """The rewrites, or the first failure. Cancelled, dialogues that still wait are dropped."""
        self.check_room(len(dialogues))
        loop = asyncio.get_running_loop()
        new = [_Waiting(dialogue, wish, loop.create_future()) for dialogue in dialogues]
        with self._arrived:
            self._waiting += new
            self._arrived.notify()
        return list(await asyncio.gather(*(each.answer for each in new)))

    def _work(self) -> None:
        while batch := self._next_batch():
            began = time.perf_counter()
            self._run(batch)
            seconds = time.perf_counter() - began
            mean = self._seconds_each
            self._seconds_each += (seconds / len(batch) - mean) * (_FADING if mean else 1)
            self._watch(len(batch), seconds)

    def _next_batch(self) -> list[_Waiting]:
        """What to rewrite next; nothing once all is done and the batcher closes."""
        with self._arrived:
            while True:
                self._waiting = [each for each in self._waiting if not each.answer.cancelled()]
                if self._waiting:
                    break
                if self._closing:
                    return []
                self._arrived.wait()
            wish = self._waiting[0].wish
            batch = [each for each in self._waiting if each.wish == wish][: self._model_batch]
            taken = set(batch)
            self._waiting = [each for each in self._waiting if each not in taken]
            return batch

    def _run(self, batch: Sequence[_Waiting]) -> None:
        done = 0
        try:
            for rewrite in self._rewrite_many([each.dialogue for each in batch], batch[0].wish):
                _deliver(batch[done], rewrite)
                done += 1
        except Exception as failure:  # noqa: BLE001 - whatever it is, those who wait must hear of it
            if len(batch) == 1:
                _deliver(batch[0], failure)
            else:  # one must not fail them all
                for each in batch[done:]:
                    self._run([each])


def _deliver(to: _Waiting, answer: Rewrite | Exception) -> None:
    """To the event loop in which it is awaited."""
    to.answer.get_loop().call_soon_threadsafe(_settle, to.answer, answer)


def _settle(future: "asyncio.Future[Rewrite]", answer: Rewrite | Exception) -> None:
    if future.done():
        return  # given up meanwhile
    if isinstance(answer, Exception):
        failure = RewriteFailedError()
        failure.__cause__ = answer
        future.set_exception(failure)
    else:
        future.set_result(answer)
