"""The same sums in the same order, so that the same seed gives the same model on a GPU too."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from utterly.errors import TrainingError


@contextmanager
def sums_in_order(wanted: bool) -> Iterator[None]:
    """Inside, torch takes algorithms that always give the same, if that is wanted; as before afterwards."""
    before = torch.are_deterministic_algorithms_enabled()
    if wanted:
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # read when the first product is made
    torch.use_deterministic_algorithms(wanted)
    try:
        yield
    except RuntimeError as failure:
        if wanted and "deterministic" in str(failure):
            raise TrainingError(
                f"every step must have a deterministic form on this device, but: {failure}; set deterministic = false"
            ) from failure
        raise
    finally:
        torch.use_deterministic_algorithms(before)
