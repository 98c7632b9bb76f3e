"""Ray Data: `rewrite_dataset` adds rewrites to a dataset, in actors that load the model once each."""

from typing import Any

from utterly.extras import require
from utterly.fleets.batch import ROWS, RewriteBatch


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

    `concurrency` is how many actors, or the fewest and most; each reserves `num_cpus` cores, of which it uses one, and
    `memory` bytes. An actor that dies is started again and repeats its batch. Ray may reorder blocks, unless its
    `preserve_order` is set.
    """
    data = require("ray.data", extra="ray")
    RewriteBatch(**settings)  # a wrong setting is refused here and not in an actor
    fewest, most = (concurrency, concurrency) if isinstance(concurrency, int) else concurrency
    return dataset.map_batches(
        RewriteBatch,
        fn_constructor_kwargs=settings,
        batch_size=batch_size,
        batch_format="pyarrow",
        compute=data.ActorPoolStrategy(min_size=fewest, max_size=most),
        num_cpus=num_cpus,
        memory=memory,
    )
