"""All commands, and how they report errors."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Final

import typer

from utterly import __version__
from utterly.cli.calibrate import calibrate
from utterly.cli.compare import compare
from utterly.cli.convert import convert
from utterly.cli.evaluate import evaluate
from utterly.cli.export import export
from utterly.cli.label import label
from utterly.cli.mcp import mcp
from utterly.cli.models import models
from utterly.cli.rewrite import rewrite
from utterly.cli.rules import rules
from utterly.cli.serve import serve
from utterly.cli.train import train
from utterly.errors import UtterlyError

BAD_INPUT: Final = 2
"""The exit status of every `UtterlyError`."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    *(rewrite, models, serve, mcp),
    *(convert, label, rules, train, calibrate, export, evaluate, compare),
):
    app.command(no_args_is_help=command not in (models, serve, mcp))(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program `utterly`."""
    try:
        try:
            app(args=arguments, prog_name="utterly")
        except UtterlyError as error:
            _fail(str(error))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output is gone: `utterly ... | head`
        _drop_output()
        sys.exit(1)
    except OSError as failure:  # of the output stream or the system; files raise FileError
        _drop_output()
        _fail(f"cannot read or write: {failure}; check disk and permissions")


def _fail(problem: str) -> None:
    typer.secho(f"error: {' '.join(problem.splitlines())}", err=True, fg="red")
    sys.exit(BAD_INPUT)


def _drop_output() -> None:
    """Python flushes standard output again when it exits: let that succeed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"utterly {__version__}")
        raise typer.Exit


@app.callback()
def utterly(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Rewrite the last turn of a dialogue so that it stands on its own.

    `utterly COMMAND --help` explains a command, with an example.
    """
