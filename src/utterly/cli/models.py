"""`utterly models`: what is bundled."""

import json
from pathlib import Path
from typing import Annotated

import typer


def models(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="FOLDER", help="Models of your own, shown instead.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Show the bundled models: language, tagger, encoder, size, and what is noted of data and scores.

    Example: `utterly models --json`
    """
    from utterly.model.bundled import bundled
    from utterly.model.model import ModelInfo
    from utterly.terminal.models import described, show_models

    named = [(folder.resolve().name, folder) for folder in folders] if folders else bundled().items()
    found = [described(ModelInfo.of(name, folder)) for name, folder in named]
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
    elif found:
        show_models(found)
    else:
        typer.echo("no model is bundled with this installation; `--model FOLDER` takes one of your own", err=True)
