"""Rows of the corpora as they were released."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a gzip file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def plain(text: str) -> str:
    """The text in one line, with single blanks."""
    return " ".join(text.split())
