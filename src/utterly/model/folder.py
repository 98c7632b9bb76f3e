"""Model folders: how one is found by name, read, checked and written.

config.json          format version, tagger, language, encoder, decoding, confidence, notes; other files' checksums
rules.json           the rule book
tokenizer.json       the tokenizer that splits words into pieces
tagger.onnx, spans.onnx    the weights for onnxruntime (see `utterly.model.onnx_scorer`), or
model.safetensors    the weights for torch
README.md            the model card
"""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from utterly.errors import ModelError
from utterly.extras import require
from utterly.files import written_whole
from utterly.model.encode import PieceEncoder
from utterly.model.model import ModelConfig
from utterly.rules.book import RuleBook

CONFIG: Final = "config.json"
RULES: Final = "rules.json"
TOKENIZER: Final = "tokenizer.json"
CARD: Final = "README.md"
TAGGER_GRAPH: Final = "tagger.onnx"
SPANS_GRAPH: Final = "spans.onnx"
WEIGHTS: Final = "model.safetensors"

_BUNDLED: Final = Path(__file__).parent / "bundled"
_FILE_NAME: Final = re.compile(r"[\w-][\w.-]*")  # not in a folder or on a drive, not hidden
_HUB_NAME: Final = re.compile(r"[\w-][\w.-]*/[\w.-]+")  # owner/name
_HUB_FILES: Final = ["*.json", "*.safetensors", "*.md", TAGGER_GRAPH, SPANS_GRAPH]  # nothing that would be unpickled


@dataclass(frozen=True)
class ModelFolder:
    """A model on disk, not loaded yet."""

    name: str
    path: Path
    config: ModelConfig
    files: Mapping[str, str] = field(default_factory=dict)  # checksums by name; early releases wrote none

    @classmethod
    def find(cls, name: Path | str) -> Self:
        """A bundled model by its name (`"en"`, `"zh"`), a folder, or a model on the Hugging Face hub (`owner/name`)."""
        known = bundled_folders()
        if isinstance(name, str) and name in known:
            return cls.read(name, known[name])
        path = local_folder(name, also=f", or a bundled model: {', '.join(known)}")
        return cls.read(path.resolve().name, path.absolute())

    @classmethod
    def read(cls, name: str, path: Path) -> Self:
        try:
            data = json.loads((path / CONFIG).read_text(encoding="utf-8"))
            config, files = ModelConfig.from_json(data), data.get("files", {})
        except OSError as failure:
            raise ModelError(
                f"{path}: a model's folder needs {CONFIG}, but reading it failed: {failure.strerror}"
            ) from None
        except (ValueError, RecursionError) as wrong:
            raise ModelError(f"{path / CONFIG}: must be JSON, but {wrong}") from None
        except ModelError as wrong:
            raise ModelError(f"{path / CONFIG}: {wrong}") from None
        if not isinstance(files, dict) or not all(isinstance(checksum, str) for checksum in files.values()):
            raise ModelError(f'{path / CONFIG}: "files" must be an object of names and checksums')
        for file in files:
            if not _FILE_NAME.fullmatch(file):
                raise ModelError(f'{path / CONFIG}: "files" must name files in the same folder, got {file!r}')
        return cls(name, path, config, files)

    def __reduce__(self) -> tuple[Any, ...]:
        """A bundled model is pickled by name: its path differs between installations."""
        if self.path == bundled_folders().get(self.name):
            return ModelFolder.find, (self.name,)
        return ModelFolder, (self.name, self.path, self.config, self.files)

    @property
    def language(self) -> str:
        return self.config.language

    @property
    def has_graphs(self) -> bool:
        """Whether it can run on onnxruntime."""
        return (self.path / TAGGER_GRAPH).is_file()

    @property
    def has_weights(self) -> bool:
        return (self.path / WEIGHTS).is_file()

    def book(self) -> RuleBook:
        return RuleBook.load(self.path / RULES)

    def encoder(self) -> PieceEncoder:
        config = self.config
        return PieceEncoder.from_folder(
            self.path, max_length=config.max_length, topic_turns=config.topic_turns, window=config.window
        )

    def check_files(self) -> None:
        """Raise an error if a file named in the config is missing, altered, or a link out of the folder."""
        inside = [self.path.resolve()]
        if self.path.parent.name == "snapshots":  # the hub's cache: links to files shared by several versions
            inside.append(self.path.parent.parent.resolve() / "blobs")
        for name, expected in self.files.items():
            if (self.path / name).resolve().parent not in inside:
                raise ModelError(
                    f"{self.path / name}: a model's files must be in its folder, but this is a link to elsewhere; "
                    "copy the file into the folder"
                )
            if _sha256(self.path / name) != expected:
                raise ModelError(
                    f"{self.path / name}: the file was altered: its checksum is not the one in {CONFIG}; "
                    "copy or install the whole folder again"
                )


def bundled_folders() -> dict[str, Path]:
    """The folder of each bundled model, by language."""
    return {path.parent.name: path.parent for path in sorted(_BUNDLED.glob(f"*/{CONFIG}"))}


def find_book(name: Path | str) -> RuleBook:
    """The rule book in a file, or of a bundled model (`"en"`, `"zh"`)."""
    folder = bundled_folders().get(name) if isinstance(name, str) else None
    return RuleBook.load(folder / RULES if folder else name)


def local_folder(name: Path | str, *, also: str = "") -> Path:
    """The folder of a model or an encoder: a local one, or one downloaded once from the hub (`owner/name`).

    `also` names other choices in the error message.
    """
    wanted = f"give a model's folder, or its name on the hub{also}"
    given: object = name  # whatever it is
    if not isinstance(given, str | os.PathLike) or not str(given).strip():
        raise ModelError(f"a model must be named by a string or a path, got {name!r}; {wanted}")
    folder = Path(name)
    if os.path.isdir(folder):  # noqa: PTH112 - never raises, however odd the name
        return folder
    if os.path.exists(folder):  # noqa: PTH110 - likewise
        raise ModelError(f"{name}: a model must be a folder, but this is a file; give the folder it is in")
    if not _HUB_NAME.fullmatch(str(name)):
        raise ModelError(f"{name}: there is no such folder; {wanted}")
    hub = require("huggingface_hub", extra="train")
    errors = require("huggingface_hub.errors", extra="train")
    try:
        return Path(hub.snapshot_download(str(name), allow_patterns=_HUB_FILES))
    except (errors.HfHubHTTPError, errors.LocalEntryNotFoundError) as failure:
        reason = str(failure).strip().splitlines()[0]
        raise ModelError(f"{name}: there is no such folder, and the hub does not have it: {reason}") from None


def model_card(config: ModelConfig, book: RuleBook, *, form: str = "", tags: tuple[str, ...] = ()) -> str:
    """The README.md of a model; `form` says how the model is stored, `tags` are for the hub."""
    title = ", ".join(filter(None, (f"{config.tagger.upper()} tagger", form)))
    notes = "\n".join(f"- {name}: {value}" for name, value in config.notes.items())
    return (
        f"---\nlanguage: {config.language}\nlibrary_name: utterly\n"
        f"tags: [{', '.join(('utterance-rewriting', *tags))}]\n---\n\n# {title}\n\n"
        "Rewrites the last turn of a dialogue so that it stands on its own, with "
        f"{len(book) - 1} rules. Load it with `Rewriter.load(folder)`.\n\n{notes}\n"
    )


def write_folder(
    folder: Path, config: ModelConfig, book: RuleBook, encoder: PieceEncoder, card: str, *, weights: tuple[str, ...]
) -> None:
    """Write all files but the weights, which must already be there. `config.json` comes last: it makes this a model."""
    book.save(folder / RULES)
    with written_whole(folder / TOKENIZER) as file:
        file.write(encoder.tokenizer.to_str())
    write_card_and_config(folder, config, card, files=(*weights, RULES, TOKENIZER))


def write_card_and_config(folder: Path, config: ModelConfig, card: str, *, files: tuple[str, ...] = ()) -> None:
    """Write the files that even a baseline has; `files` are the others in the folder."""
    with written_whole(folder / CARD) as file:
        file.write(card)
    write_config(folder, config, files={name: _sha256(folder / name) for name in (*files, CARD)})


def write_config(folder: Path, config: ModelConfig, *, files: Mapping[str, str] | None = None) -> None:
    """Write `config.json`; without `files`, keep the checksums in it."""
    files = ModelFolder.read("", folder).files if files is None else files
    with written_whole(folder / CONFIG) as file:
        json.dump(config.to_json() | {"files": dict(files)}, file, ensure_ascii=False, indent=2, sort_keys=True)
        file.write("\n")


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as failure:
        raise ModelError(
            f"{path}: a model needs this file, but reading it failed: {failure.strerror}; "
            "copy or install the whole folder again"
        ) from None
