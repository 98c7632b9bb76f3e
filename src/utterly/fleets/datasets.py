"""Hugging Face datasets: `rewrite_dataset` adds rewrites to a dataset or a stream, and caches them."""

from typing import Any

from utterly.extras import require
from utterly.fleets.batch import NEW, ROWS, RewriteBatch
from utterly.tables.rows import kept_fields


def rewrite_dataset(dataset: Any, *, num_proc: int | None = None, batch_size: int = ROWS, **settings: Any) -> Any:
    """The dataset with its rewrites; `settings` are those of `RewriteBatch`.

    With the same rows, settings and model, a second run reads the cache of `datasets`.
    """
    datasets = require("datasets", extra="datasets")
    options: dict[str, Any] = {"batched": True, "batch_size": batch_size}
    if dataset.features is not None:  # a stream may not know them
        kept = {then: dataset.features[name] for name, then in kept_fields(dataset.features, NEW).items()}
        new = zip(NEW, map(datasets.Value, ("string", "float64", "bool", "string")), strict=True)
        # Declared, because an `error` that is null in all of the first batch would be taken for a column of nulls.
        options["features"] = datasets.Features(kept | dict(new))
    if isinstance(dataset, datasets.Dataset):
        options |= {"num_proc": num_proc, "desc": "rewriting"}
    return dataset.map(RewriteBatch(**settings), **options)
