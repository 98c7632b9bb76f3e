"""Parses kept on disk, one SQLite file per provider version, so that no text is parsed twice.

Several processes may share a file. It holds digests of texts with their lemmas and can be deleted at will.
"""

import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from utterly.errors import FileError
from utterly.labels.syntax import Parse, Syntax

_ASK_AT_ONCE: Final = 500  # SQLite takes at most 999 parameters in old builds


def cache_folder() -> Path:
    """$UTTERLY_CACHE, else the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("UTTERLY_CACHE") or Path(base) / "utterly")


class CachedSyntax:
    """Answers like the provider it wraps, from disk where it can."""

    def __init__(self, syntax: Syntax, folder: Path | None = None) -> None:
        self._syntax = syntax
        self.version = syntax.version
        folder = folder or cache_folder()
        self.path = folder / f"parses-{re.sub(r'[^A-Za-z0-9._-]+', '-', syntax.version)}.sqlite"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=60)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=OFF")
            self._db.execute("CREATE TABLE IF NOT EXISTS parses (text BLOB PRIMARY KEY, parse TEXT) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as failure:
            raise FileError(
                self.path,
                f"the cache of parses must be an SQLite file in a folder one can write to, but {failure}; "
                "delete the file, set UTTERLY_CACHE to another folder, or do without it (--no-cache)",
            ) from None

    def parse(self, texts: Sequence[str]) -> Iterator[Parse]:
        keys = [hashlib.sha256(text.encode()).digest()[:16] for text in texts]
        known = self._known(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        for key, parse in zip(new, self._syntax.parse(list(new.values())), strict=True):
            known[key] = _packed(parse)
        with self._db:
            rows = [(key, known[key]) for key in new]
            self._db.executemany("INSERT OR IGNORE INTO parses VALUES (?, ?)", rows)
        return (_unpacked(known[key]) for key in keys)

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, str]:
        known: dict[bytes, str] = {}
        for start in range(0, len(keys), _ASK_AT_ONCE):
            some = keys[start : start + _ASK_AT_ONCE]
            marks = ",".join("?" * len(some))
            known.update(self._db.execute(f"SELECT text, parse FROM parses WHERE text IN ({marks})", some))  # noqa: S608
        return known


def _packed(parse: Parse) -> str:
    return json.dumps([parse.lemmas, parse.constituents], ensure_ascii=False, separators=(",", ":"))


def _unpacked(packed: str) -> Parse:
    lemmas, constituents = json.loads(packed)
    ranges = None if constituents is None else tuple((start, stop) for start, stop in constituents)
    return Parse(tuple(lemmas), ranges)
