"""Hugging Face datasets: processes, caching, streams."""

from pathlib import Path
from typing import Any

import pytest

from tests.fleets.conftest import ROWS
from utterly.fleets import RewriteBatch
from utterly.fleets.datasets import rewrite_dataset

datasets = pytest.importorskip("datasets")
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # from 3.12 on


@pytest.fixture
def dataset(tmp_path: Path) -> Any:
    """On disk, as only such a dataset is cached."""
    datasets.disable_progress_bars()
    datasets.Dataset.from_list(ROWS).save_to_disk(tmp_path / "rows")
    return datasets.load_from_disk(tmp_path / "rows")


def test_two_processes_give_all_rows_in_order(dataset: Any, expected: list[dict[str, Any]]) -> None:
    assert rewrite_dataset(dataset, num_proc=2, batch_size=3).to_list() == expected


def test_an_error_after_batches_without_one_is_kept(dataset: Any, expected: list[dict[str, Any]]) -> None:
    made = rewrite_dataset(dataset, batch_size=1)
    assert made["error"][:] == [row["error"] for row in expected]
    assert made.features["error"].dtype == "string"


def test_the_second_time_comes_from_the_cache_unless_something_changed(
    dataset: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rewrite_dataset(dataset)
    monkeypatch.setattr(RewriteBatch, "_rewritten", lambda *_: pytest.fail("was computed again"))
    again = rewrite_dataset(datasets.load_from_disk(str(Path(dataset.cache_files[0]["filename"]).parent)))
    assert again.to_list() == made.to_list()
    with pytest.raises(pytest.fail.Exception, match="was computed again"):
        rewrite_dataset(dataset, min_confidence=0.5)


def test_a_stream_is_rewritten_as_it_is_read(dataset: Any, expected: list[dict[str, Any]]) -> None:
    assert list(rewrite_dataset(dataset.to_iterable_dataset(), batch_size=3)) == expected


def test_an_existing_rewrite_is_kept_as_target(dataset: Any) -> None:
    made = rewrite_dataset(dataset.add_column("rewrite", ["theirs"] * len(ROWS)))
    assert made.column_names == ["id", "history", "utterance", "target", "rewrite", "confidence", "changed", "error"]
    assert made["target"][:] == ["theirs"] * len(ROWS)
