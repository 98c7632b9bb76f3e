"""Deterministic algorithms are on inside, and as before outside."""

import pytest
import torch

from utterly.errors import TrainingError
from utterly.training.deterministic import sums_in_order


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("wanted", [False, True])
def test_algorithms_are_as_wanted_inside_and_as_before_afterwards(
    before: bool, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":16:8")
    torch.use_deterministic_algorithms(before)
    try:
        with sums_in_order(wanted):
            assert torch.are_deterministic_algorithms_enabled() == wanted
        assert torch.are_deterministic_algorithms_enabled() == before
    finally:
        torch.use_deterministic_algorithms(False)


def test_a_step_without_a_deterministic_form_is_an_error_that_says_so() -> None:
    expected = pytest.raises(TrainingError, match=r"must have a deterministic form .* set deterministic = false")
    with expected, sums_in_order(True):
        raise RuntimeError("kthvalue CUDA does not have a deterministic implementation")
    with pytest.raises(RuntimeError, match="of another kind"), sums_in_order(True):
        raise RuntimeError("of another kind")
    assert not torch.are_deterministic_algorithms_enabled()
