"""Folders of models and encoders, on this machine or on the Hugging Face hub."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
from transformers.utils import logging

from utterly.errors import ModelError
from utterly.model.bundled import bundled, bundled_folder
from utterly.model.onnx_scorer import SPANS, TAGGER

_HUB_NAME: Final = re.compile(r"[\w-][\w.-]*/[\w.-]+")  # owner/name
_FILES: Final = ["*.json", "*.safetensors", "*.md", TAGGER, SPANS]  # nothing that would be unpickled


def folder_of_model(name: Path | str) -> Path:
    """The folder of a bundled model (`"en"`, `"zh"`), or what `local_folder` finds."""
    return bundled_folder(name) or local_folder(name, also=f", or a bundled model: {', '.join(bundled())}")


def local_folder(name: Path | str, *, also: str = "") -> Path:
    """The folder itself, or what the hub has under the name `owner/name`, fetched once and kept.

    `also` is what else may be given, for the error.
    """
    folder = Path(name)
    if folder.is_dir():
        return folder
    if not _HUB_NAME.fullmatch(str(name)):
        raise ModelError(f"{name}: there is no such folder; give a model's folder, or its name on the hub{also}")
    try:
        return Path(snapshot_download(str(name), allow_patterns=_FILES))
    except (HfHubHTTPError, LocalEntryNotFoundError) as failure:
        reason = str(failure).strip().splitlines()[0]
        raise ModelError(f"{name}: there is no such folder, and the hub does not give it: {reason}") from None


def upload(folder: Path | str, repository: str, **options: Any) -> str:
    """Put a folder on the hub, for which a token must be set up; returns its address there."""
    api = HfApi()
    api.create_repo(repository, exist_ok=True)
    return str(api.upload_folder(repo_id=repository, folder_path=folder, **options))


@contextmanager
def quietly() -> Iterator[None]:
    """Without the bars and reports of transformers, which speak of poolers that nobody asked for."""
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
