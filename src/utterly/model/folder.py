"""A model's folder without what computes it: `config.json`, its version, and the checksums of the other files."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from utterly.errors import ModelError
from utterly.files import written_whole

FORMAT: Final = "utterly tagger"
FORMAT_VERSION: Final = 1
CONFIG: Final = "config.json"


def read_config(folder: Path) -> dict[str, Any]:
    """What `config.json` says, if it is of a format that can be read here."""
    path = folder / CONFIG
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except OSError as failure:
        raise ModelError(f"{folder}: a model's folder needs {CONFIG}, but {failure.strerror}; save it again") from None
    except ValueError as wrong:
        raise ModelError(f"{path}: must be JSON, but {wrong}") from None
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        raise ModelError(f'{path}: must have "format": "{FORMAT}", but it has not; give a folder that Utterly saved')
    if config.get("version") != FORMAT_VERSION:
        raise ModelError(
            f"{path}: a model must be of format version {FORMAT_VERSION}, but {config.get('version')!r} came; "
            "install the release of Utterly that wrote it, or train it again"
        )
    return config


def write_config(folder: Path, config: Mapping[str, Any]) -> None:
    """Write `config.json`; do so last, for with it the folder is a model."""
    with written_whole(folder / CONFIG) as file:
        json.dump(config, file, ensure_ascii=False, indent=2, sort_keys=True)
        file.write("\n")


def checksums(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each file, by its name."""
    return {name: _sha256(folder / name) for name in names}


def check_files(folder: Path, config: Mapping[str, Any]) -> None:
    """Refuse a folder in which a file that `config.json` names is missing or was altered."""
    files = config.get("files", {})
    if not isinstance(files, dict):
        raise ModelError(f'{folder / CONFIG}: "files" must be an object of names and checksums, but it is not')
    for name, expected in files.items():
        if _sha256(folder / name) != expected:
            raise ModelError(
                f"{folder / name}: must have the checksum that {CONFIG} names, but it was altered; "
                "copy or install the whole folder again"
            )


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as failure:
        raise ModelError(
            f"{path}: a model needs this file, but {failure.strerror}; copy or install the whole folder again"
        ) from None
