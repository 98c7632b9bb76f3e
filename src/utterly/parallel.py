"""Parallel work in threads or processes: results in order, and only a few things in memory."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any, Final, TypeVar

from utterly.errors import UtterlyError

MOST_WORKERS: Final = 256
"""Upper limit on threads or processes: each costs memory, and more than the cores are no use."""

_T = TypeVar("_T")
_R = TypeVar("_R")


def in_threads(work: Callable[[_T], _R], things: Iterable[_T], *, workers: int, ahead: int = 2) -> Iterator[_R]:
    """The result of `work` for each thing, in order. At most `ahead` things per worker are taken in advance.

    An error in the work or in the things is raised after all earlier results.
    """
    pool = ThreadPoolExecutor(_checked(workers), thread_name_prefix="utterly")
    return _results(pool, work, things, limit=ahead * workers)


def in_processes(work: Callable[[_T], _R], things: Iterable[_T], *, workers: int) -> Iterator[_R]:
    """Like `in_threads`, in processes; a single worker is this process.

    `work` is pickled once per process, things and results each time. Processes are spawned, not forked, so a program
    that uses several needs `if __name__ == "__main__":`.
    """
    if _checked(workers) == 1:
        return map(work, things)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start_process, (work,))
    return _results(pool, _work_here, things, limit=2 * workers)


def usable_cores() -> int:
    """How many physical cores this process may use."""
    try:
        usable = os.sched_getaffinity(0)
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1
    return len({_siblings(cpu) for cpu in usable})


def _siblings(cpu: int) -> str:
    """The logical CPUs on the same core as this one."""
    try:
        return Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list").read_text(encoding="ascii")
    except OSError:
        return str(cpu)


def _checked(workers: int) -> int:
    if not 1 <= workers <= MOST_WORKERS:
        raise UtterlyError(f"workers must be from 1 to {MOST_WORKERS}, got {workers}")
    return workers


def _results(pool: Executor, work: Callable[[_T], _R], things: Iterable[_T], *, limit: int) -> Iterator[_R]:
    waiting: deque[Future[_R]] = deque()
    waits = True
    try:
        for submitted in _submitted(pool, work, things):
            waiting.append(submitted)
            while waiting and (waiting[0].done() or len(waiting) >= limit):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise UtterlyError("a worker process died, perhaps out of memory; try again with fewer workers") from None
    except GeneratorExit:  # perhaps garbage-collected in a thread of the pool, which cannot wait for itself
        waits = False
        raise
    finally:
        pool.shutdown(wait=waits, cancel_futures=True)


def _submitted(pool: Executor, work: Callable[[_T], _R], things: Iterable[_T]) -> Iterator[Future[_R]]:
    try:
        for thing in things:
            yield pool.submit(work, thing)
    except Exception as failure:  # noqa: BLE001 - whatever it is, it waits for its turn
        failed: Future[_R] = Future()
        failed.set_exception(failure)
        yield failed


_work: Callable[[Any], Any]  # in a worker process: its work


def _start_process(work: Callable[[Any], Any]) -> None:
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C also reaches the parent, which then ends us
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Without this, the workers of a killed parent would wait for work forever."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _work_here(thing: Any) -> Any:
    return _work(thing)
