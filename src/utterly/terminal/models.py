"""Models as a table: what they are, how large, how good, and learned from what."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from utterly.model.folder import read_config
from utterly.model.model import ModelInfo
from utterly.terminal.tables import output_console, plain_table

_NOT_SHOWN: Final = ("encoder", "recipe")


def described(info: ModelInfo) -> dict[str, Any]:
    """What is known of a model without loading it, for programs."""
    return {
        "name": info.name,
        "language": info.language,
        "tagger": info.tagger,
        "encoder": _encoder(info),
        "bytes": sum(file.stat().st_size for file in info.folder.iterdir() if file.is_file()),
        "folder": str(info.folder),
        "notes": info.notes,
    }


def show_models(models: Sequence[dict[str, Any]]) -> None:
    """Print a line a model, and beneath them their data and scores."""
    console = output_console()
    console.print(models_table(models))
    for model in models:
        notes = {name: value for name, value in model["notes"].items() if name not in _NOT_SHOWN}
        for name, value in notes.items():
            console.print(Text(f"{model['name']}, {name}: {said(value)}", style="dim"), soft_wrap=True)


def models_table(models: Sequence[dict[str, Any]]) -> Table:
    table = plain_table("model", "language", "tagger", "encoder", "size")
    for model in models:
        names = [Text(str(model[name])) for name in ("name", "language", "tagger", "encoder")]
        table.add_row(*names, f"{model['bytes'] / 1e6:.1f} MB")
    return table


def said(value: object) -> str:
    """A note in one line.

    >>> said({"CANARD test": {"BLEU-4": 57.3, "EM": 29}, "by": ["us", "you"]})
    'CANARD test (BLEU-4 57.3, EM 29), by us, you'
    """
    if isinstance(value, dict):
        inner = {name: f"({said(each)})" if isinstance(each, dict) else said(each) for name, each in value.items()}
        return ", ".join(f"{name} {each}" for name, each in inner.items())
    return ", ".join(map(said, value)) if isinstance(value, list) else str(value)


def _encoder(info: ModelInfo) -> str:
    """As the notes name it, or by its family and shape."""
    recipe = info.notes.get("recipe")  # of training, or where it is written
    tagger = recipe.get("tagger", {}) if isinstance(recipe, dict) else {}
    if name := info.notes.get("encoder") or tagger.get("encoder"):
        return PurePath(name).name
    shape = read_config(info.folder).get("encoder", {})
    return f"{shape.get('model_type', 'unknown')}, width {shape.get('hidden_size', 'unknown')}"
