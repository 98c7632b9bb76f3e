"""Work in threads and processes: results in order, a few things at a time, and errors come through."""

import os
import pickle
import threading
from collections.abc import Callable, Iterator

import pytest

from utterly.errors import FileError, MissingExtraError, UtterlyError
from utterly.parallel import in_processes, in_threads, usable_cores


def squared(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def failing(number: int) -> int:
    raise FileError("talk.jsonl", "bad", line=number)


def dying(number: int) -> int:
    os._exit(1)


def test_the_cores_to_use_are_some_of_those_of_the_machine() -> None:
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_order_and_few_things_are_taken_ahead(workers: int) -> None:
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(30):
            taken.append(number)
            yield number

    results = []
    for result, process in in_processes(squared, numbers(), workers=workers):
        results.append(result)
        assert len(taken) <= len(results) + 4
        assert (process == os.getpid()) == (workers == 1)
    assert results == [number * number for number in range(30)]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_in_a_process_is_raised_here(workers: int) -> None:
    with pytest.raises(FileError, match=r"talk\.jsonl, line 7: bad") as caught:
        list(in_processes(failing, [7, 8], workers=workers))
    assert (caught.value.path, caught.value.line) == ("talk.jsonl", 7)


def test_a_process_that_dies_is_an_error() -> None:
    with pytest.raises(UtterlyError, match=r"a worker process died.*fewer workers"):
        list(in_processes(dying, [1], workers=2))


def test_threads_work_side_by_side_a_few_things_ahead_and_give_results_in_order() -> None:
    taken: list[int] = []
    meet = threading.Barrier(3, timeout=20)

    def numbers() -> Iterator[int]:
        for number in range(30):
            taken.append(number)
            yield number

    def squared_together(number: int) -> int:
        meet.wait()  # passes only if three work at once
        return number * number

    results: list[int] = []
    for result in in_threads(squared_together, numbers(), workers=3, ahead=2):
        results.append(result)
        assert len(taken) <= len(results) + 6
    assert results == [number * number for number in range(30)]


def test_an_error_in_a_thread_is_raised_after_the_results_before_it() -> None:
    results = in_threads(lambda number: 6 // number, [1, 2, 0, 3], workers=2)
    assert [next(results), next(results)] == [6, 3]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_an_error_in_the_things_is_raised_after_the_results_before_it() -> None:
    def things() -> Iterator[int]:
        yield from range(5)
        raise FileError("talk.jsonl", "bad", line=6)

    results = in_threads(lambda number: number * number, things(), workers=4)
    assert [next(results) for _ in range(5)] == [0, 1, 4, 9, 16]
    with pytest.raises(FileError, match=r"talk\.jsonl, line 6: bad"):
        next(results)


def test_work_not_asked_for_any_more_is_not_begun() -> None:
    done: list[int] = []
    hold = threading.Event()
    others = set(threading.enumerate())

    def work(number: int) -> int:
        if number > 0:
            hold.wait(20)
        done.append(number)
        return number

    results = in_threads(work, range(50), workers=1, ahead=8)
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]  # a generator
    hold.set()
    for thread in set(threading.enumerate()) - others:
        thread.join(20)
    assert len(done) <= 2


def test_a_thread_of_the_pool_may_be_the_one_that_closes_it() -> None:
    taken, asked, closed = threading.Event(), threading.Event(), threading.Event()

    def things() -> Iterator[int]:
        yield 0
        taken.set()
        yield 1

    def work(number: int) -> int:
        if number == 0:
            taken.wait(20)  # so that the other is in the pool too
        else:
            asked.wait(20)
            results.close()  # type: ignore[attr-defined]  # as when the last reference goes there
            closed.set()
        return number

    results = in_threads(work, things(), workers=1)
    assert next(results) == 0
    asked.set()
    assert closed.wait(20)


@pytest.mark.parametrize("pool", [in_processes, in_threads])
def test_no_workers_are_refused(pool: Callable[..., Iterator[object]]) -> None:
    with pytest.raises(UtterlyError, match="workers must be from 1 to 256, got 0"):
        pool(squared, [1], workers=0)


@pytest.mark.parametrize("error", [FileError("f", "bad"), FileError("f", "bad", line=3), MissingExtraError("a", "b")])
def test_errors_with_more_than_a_message_survive_the_journey(error: UtterlyError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (str(again), vars(again)) == (str(error), vars(error))
