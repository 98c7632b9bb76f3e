"""Rows of all kinds, good and bad, and what becomes of them."""

from typing import Any

import pytest

from utterly.fleets import RewriteBatch
from utterly.model.folder import bundled_folders

DUNE = ["Who wrote Dune?", "Frank Herbert."]
LONG = "word " * 200_000
ROWS: list[dict[str, Any]] = [
    {"id": 0, "history": DUNE, "utterance": "When was it published?"},
    {"id": 1, "history": [], "utterance": "Who is Federer?"},
    {"id": 2, "history": None, "utterance": "Is he Swiss?"},
    {"id": 3, "history": DUNE, "utterance": None},
    {"id": 4, "history": ["谁写了三体？", "刘慈欣。"], "utterance": "它是哪年出版的？"},
    {"id": 5, "history": [*DUNE, None], "utterance": "Is it long?"},
    {"id": 2**53 + 1, "history": DUNE, "utterance": ""},
    {"id": None, "history": DUNE, "utterance": "Did he write others?"},
]


@pytest.fixture(scope="session")
def expected() -> list[dict[str, Any]]:
    """`ROWS` with what is added to them. That it is right is tested with `RewriteBatch` itself."""
    if "en" not in bundled_folders():
        pytest.skip("no English model is bundled with this checkout")
    columns = RewriteBatch()({name: [row[name] for row in ROWS] for name in ROWS[0]})
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For an engine that does not keep the order of a table."""
    return sorted(rows, key=lambda row: (row["id"] is None, row["id"] or 0))
