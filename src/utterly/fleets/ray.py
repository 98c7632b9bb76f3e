"""Ray: `rewrite_dataset` adds rewrites to a dataset of Ray Data, `rewrite_files` rewrites one file per task."""

from collections.abc import Iterable, Iterator
from typing import Any

from utterly.errors import UtterlyError
from utterly.extras import require
from utterly.fleets.batch import ROWS, RewriteBatch
from utterly.rewriter import shared_rewriter
from utterly.tables.many_files import FileJob, FileReport


def rewrite_dataset(
    dataset: Any,
    *,
    concurrency: int | tuple[int, int] = 1,
    batch_size: int = ROWS,
    num_cpus: float = 1,
    memory: int = 400 * 2**20,
    **settings: Any,
) -> Any:
    """The dataset with its rewrites; `settings` are those of `RewriteBatch`.

    `concurrency` is the maximum number of actors, or the minimum and maximum. Each reserves `num_cpus` cores, of which
    it uses one, and `memory` bytes; reading and writing need a core of their own. Blocks are split to `batch_size`
    rows, so all actors have work; an actor that dies is restarted and repeats its block. Ray may reorder blocks unless
    its `preserve_order` is set.
    """
    data = require("ray.data", extra="ray")
    RewriteBatch(**settings)  # refuses a wrong setting here, not in an actor
    fewest, most = (1, concurrency) if isinstance(concurrency, int) else concurrency
    # Ray reads small files into one large block, which would be one actor's work, and lost with it.
    return dataset.repartition(target_num_rows_per_block=batch_size).map_batches(
        RewriteBatch,
        fn_constructor_kwargs=settings,
        batch_size=batch_size,
        batch_format="pyarrow",
        compute=data.ActorPoolStrategy(min_size=fewest, max_size=most),
        num_cpus=num_cpus,
        memory=memory,
    )


def rewrite_files(jobs: Iterable[FileJob], *, model: str | None = None, device: str = "cpu") -> Iterator[FileReport]:
    """Run jobs on the cluster at `RAY_ADDRESS`, or on this machine, one core each; yields reports as files are done.

    If a worker dies, its task is retried and continues where it stopped. All machines must see the files.
    """
    ray = require("ray", extra="ray")
    if not ray.is_initialized():
        ray.init(log_to_driver=False, logging_level="error")
    task = ray.remote(num_cpus=1, max_retries=-1)(_run)
    left = [task.remote(job, model, device) for job in jobs]
    while left:
        (done,), left = ray.wait(left)
        report = ray.get(done)
        if isinstance(report, UtterlyError):
            raise report
        yield report


def _run(job: FileJob, model: str | None, device: str) -> FileReport | UtterlyError:
    """Runs in a worker, which loads the model once. Returns an error, because Ray would wrap one that is raised."""
    try:
        return job.run(shared_rewriter(model, threads=1, device=device))
    except UtterlyError as error:
        return error
