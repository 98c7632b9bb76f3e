"""Work on many things in several processes, with the results in order and few of them in memory."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Any, Final, TypeVar

from utterly.errors import UtterlyError

_T = TypeVar("_T")
_R = TypeVar("_R")

_AHEAD: Final = 2  # things under way for each process, so that none waits for the next


def in_order(work: Callable[[_T], _R], things: Iterable[_T], *, jobs: int) -> Iterator[_R]:
    """The result of `work` for each thing, in order. With one job all is done in this process.

    With more, `work` is pickled to each process once, and things and results travel each time. Processes are
    started afresh, not forked: a program that asks for several jobs needs `if __name__ == "__main__":`.
    """
    if jobs < 1:
        raise UtterlyError(f"work needs at least one job, but {jobs} came; give 1 or more")
    if jobs == 1:
        yield from map(work, things)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (work,))
    try:
        under_way: deque[Future[_R]] = deque()
        for thing in things:
            under_way.append(pool.submit(_work_on, thing))
            if len(under_way) == _AHEAD * jobs:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    except BrokenProcessPool:
        raise UtterlyError(
            "a process ended before its work was done, perhaps for want of memory; try again with fewer jobs"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


_work: Callable[[Any], Any]  # of a process that was started for it


def _begin(work: Callable[[Any], Any]) -> None:
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent too, and that ends us
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    """A parent that was killed cannot tell its pool, whose processes would wait for work forever."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _work_on(thing: Any) -> Any:
    return _work(thing)
