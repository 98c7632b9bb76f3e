"""Parses cached on disk, one SQLite file per provider version, so that no text is parsed twice.

Several processes may share a file. It has digests of texts with their lemmas, and can be deleted at any time.
"""

import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from utterly.errors import FileError
from utterly.labels.syntax import Parse, Syntax

_ASK_AT_ONCE: Final = 500  # old builds of SQLite take at most 999 parameters
_WAIT: Final = 60.0  # seconds, while another process writes


def cache_folder() -> Path:
    """`$UTTERLY_CACHE`, by default in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("UTTERLY_CACHE") or Path(base) / "utterly")


class CachedSyntax:
    """Parses like the provider it wraps, from disk if it can."""

    def __init__(self, syntax: Syntax, folder: Path | None = None) -> None:
        self._syntax = syntax
        self.version = syntax.version
        folder = folder or cache_folder()
        self.path = folder / f"parses-{re.sub(r'[^A-Za-z0-9._-]+', '-', syntax.version)}.sqlite"
        with self._errors_explained():
            folder.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as db:
                db.execute("PRAGMA journal_mode=WAL")  # stays with the file; readers do not wait for a writer
                db.execute("CREATE TABLE IF NOT EXISTS parses (text BLOB PRIMARY KEY, parse TEXT) WITHOUT ROWID")

    def parse(self, texts: Sequence[str]) -> Iterator[Parse]:
        keys = [hashlib.sha256(text.encode()).digest()[:16] for text in texts]
        with self._errors_explained(), closing(self._connect()) as db:
            known = {key: _unpacked(packed) for key, packed in _rows(db, keys)}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            parses = dict(zip(new, self._syntax.parse(list(new.values())), strict=True))
            known |= parses
            with self._errors_explained(), closing(self._connect()) as db, db:
                rows = [(key, _packed(parse)) for key, parse in parses.items()]
                db.executemany("INSERT OR IGNORE INTO parses VALUES (?, ?)", rows)
        return (known[key] for key in keys)

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=_WAIT)
        db.execute("PRAGMA synchronous=OFF")  # what a power cut loses can be parsed again
        return db

    @contextmanager
    def _errors_explained(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error, ValueError) as failure:
            raise FileError(
                self.path,
                f"the cache of parses cannot be used: {failure}; "
                "delete it, set UTTERLY_CACHE to another folder, or use --no-cache",
            ) from None


def _rows(db: sqlite3.Connection, keys: Sequence[bytes]) -> list[tuple[bytes, str]]:
    rows: list[tuple[bytes, str]] = []
    for start in range(0, len(keys), _ASK_AT_ONCE):
        some = keys[start : start + _ASK_AT_ONCE]
        marks = ",".join("?" * len(some))
        rows += db.execute(f"SELECT text, parse FROM parses WHERE text IN ({marks})", some)  # noqa: S608 - marks only
    return rows


def _packed(parse: Parse) -> str:
    return json.dumps([parse.lemmas, parse.constituents], ensure_ascii=False, separators=(",", ":"))


def _unpacked(packed: str) -> Parse:
    lemmas, constituents = json.loads(packed)
    ranges = None if constituents is None else tuple((start, stop) for start, stop in constituents)
    return Parse(tuple(lemmas), ranges)
