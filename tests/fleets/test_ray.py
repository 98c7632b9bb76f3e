"""Ray Data: a dataset comes back with its rewrites, whole even if a worker is killed."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fleets.conftest import ROWS, in_order
from utterly import ModelError
from utterly.fleets.ray import rewrite_dataset

ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")
pytestmark = pytest.mark.filterwarnings(
    "ignore:::ray",
    "ignore::pytest.PytestUnraisableExceptionWarning",  # Ray leaves files of its own open
)


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


def test_a_dataset_comes_back_with_its_rewrites(expected: list[dict[str, Any]]) -> None:
    made = rewrite_dataset(ray.data.from_items(ROWS), concurrency=2, batch_size=3)
    assert in_order(made.take_all()) == in_order(expected)


def test_one_large_block_is_the_work_of_all_actors() -> None:
    made = rewrite_dataset(ray.data.from_items(ROWS, override_num_blocks=1), concurrency=2, batch_size=4).materialize()
    assert (made.num_blocks(), made.count()) == (2, len(ROWS))


def test_a_worker_killed_in_the_middle_costs_nothing(expected: list[dict[str, Any]]) -> None:
    numbered = [{**ROWS[0], "id": number} for number in range(400)]
    made = rewrite_dataset(ray.data.from_items(numbered, override_num_blocks=20), concurrency=2, batch_size=20)
    rows: list[dict[str, Any]] = []
    for batch in made.iter_batches(batch_size=20, batch_format="pyarrow", prefetch_batches=0):
        if not rows:
            os.kill(workers()[0], signal.SIGKILL)
        rows += batch.to_pylist()
    assert in_order(rows) == [{**expected[0], "id": number} for number in range(400)]


def workers() -> list[int]:
    """The actors' processes, of this test's cluster only."""
    titles = {
        int(path.parent.name): path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()
    }
    return [process for process, title in titles.items() if title.startswith(b"ray::MapWorker") and is_ours(process)]


def is_ours(process: int) -> bool:
    while process > 1 and process != os.getpid():
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return process == os.getpid()


def test_strict_stops_the_job_with_row_and_reason() -> None:
    made = rewrite_dataset(ray.data.from_items(ROWS[2:4], override_num_blocks=1), strict=True)
    with pytest.raises(Exception, match="row 2 of 2 in a batch cannot be rewritten: the field 'utterance' must be"):
        made.take_all()


def test_a_wrong_setting_is_refused_before_an_actor_starts() -> None:
    with pytest.raises(ModelError, match="there is no such folder"):
        rewrite_dataset(ray.data.from_items(ROWS), model="/nowhere")
