"""Work in several processes: in order, a few things at a time, and errors come through."""

import os
import pickle
from collections.abc import Iterator

import pytest

from utterly.errors import FileError, MissingExtraError, UtterlyError
from utterly.parallel import in_order


def squared(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def failing(number: int) -> int:
    raise FileError("talk.jsonl", "bad", line=number)


def dying(number: int) -> int:
    os._exit(1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order_and_few_things_are_taken_ahead(jobs: int) -> None:
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(30):
            taken.append(number)
            yield number

    results = []
    for result, process in in_order(squared, numbers(), jobs=jobs):
        results.append(result)
        assert len(taken) <= len(results) + 4
        assert (process == os.getpid()) == (jobs == 1)
    assert results == [number * number for number in range(30)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_process_is_raised_here(jobs: int) -> None:
    with pytest.raises(FileError, match=r"talk\.jsonl, line 7: bad") as caught:
        list(in_order(failing, [7, 8], jobs=jobs))
    assert (caught.value.path, caught.value.line) == ("talk.jsonl", 7)


def test_a_process_that_dies_is_said_so() -> None:
    with pytest.raises(UtterlyError, match=r"a process ended before its work was done.*fewer jobs"):
        list(in_order(dying, [1], jobs=2))


def test_no_jobs_are_refused() -> None:
    with pytest.raises(UtterlyError, match="work needs at least one job, but 0 came; give 1 or more"):
        list(in_order(squared, [1], jobs=0))


@pytest.mark.parametrize("error", [FileError("f", "bad"), FileError("f", "bad", line=3), MissingExtraError("a", "b")])
def test_errors_with_more_than_a_message_survive_the_journey(error: UtterlyError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (str(again), vars(again)) == (str(error), vars(error))
