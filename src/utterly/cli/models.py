"""`utterly models`: the bundled models, with size, training data and scores."""

import json
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from utterly.cli.console import show, show_table
from utterly.cli.options import AsJson

if TYPE_CHECKING:
    from utterly.model.folder import ModelFolder
    from utterly.model.model import ModelConfig

_NOTES_NOT_SHOWN: Final = ("encoder", "recipe")


def models(
    folders: Annotated[list[Path] | None, typer.Argument(metavar="FOLDER", help="Show these models instead.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the bundled models: language, tagger, encoder, size, and notes on data and scores.

    Example: `utterly models --json`
    """
    from utterly.model.folder import ModelFolder, bundled_folders

    named = [(folder.resolve().name, folder) for folder in folders] if folders else bundled_folders().items()
    found = [_described(ModelFolder.read(name, folder)) for name, folder in named]
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
    elif found:
        _show(found)
    else:
        typer.echo("no model is bundled with this installation; use your own with `--model FOLDER`", err=True)


def _described(model: "ModelFolder") -> dict[str, Any]:
    """What we can tell about a model without loading it."""
    return {
        "name": model.name,
        "language": model.language,
        "tagger": model.config.tagger,
        "min_confidence": model.config.min_confidence,
        "encoder": _encoder(model.config),
        "bytes": sum(file.stat().st_size for file in model.path.iterdir() if file.is_file()),
        "folder": str(model.path),
        "notes": model.config.notes,
    }


def _encoder(config: "ModelConfig") -> str:
    """The name in the notes, or the encoder's type and width."""
    recipe = config.notes.get("recipe")  # the training recipe, or its path
    tagger = recipe.get("tagger", {}) if isinstance(recipe, dict) else {}
    if name := config.notes.get("encoder") or tagger.get("encoder"):
        return PurePath(name).name
    shape = config.encoder
    return f"{shape['model_type']}, width {shape.get('hidden_size', 'unknown')}" if "model_type" in shape else "none"


def _show(models: list[dict[str, Any]]) -> None:
    names = ("name", "language", "tagger", "encoder", "min_confidence")
    rows = [[*(str(model[name]) for name in names), f"{model['bytes'] / 1e6:.1f} MB"] for model in models]
    show_table(("model", "language", "tagger", "encoder", "min confidence", "size"), rows, text_columns=range(4))
    for model in models:
        for name, value in model["notes"].items():
            if name not in _NOTES_NOT_SHOWN:
                show(f"{model['name']}, {name}: {_in_one_line(value)}", "dim")


def _in_one_line(value: object) -> str:
    """
    >>> _in_one_line({"CANARD test": {"BLEU-4": 57.3, "EM": 29}, "by": ["us", "you"]})
    'CANARD test (BLEU-4 57.3, EM 29), by us, you'
    """
    if isinstance(value, dict):
        lines = {name: _in_one_line(each) for name, each in value.items()}
        return ", ".join(
            f"{name} ({line})" if isinstance(value[name], dict) else f"{name} {line}" for name, line in lines.items()
        )
    return ", ".join(map(_in_one_line, value)) if isinstance(value, list) else str(value)
