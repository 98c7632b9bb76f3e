"""The `utterly` command: its commands put together, and how all of them refuse."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from utterly import __version__
from utterly.cli import chat, convert, evaluate, export, label, mcp, models, rewrite, rules, serve, train
from utterly.errors import UtterlyError

BAD_INPUT = 2
"""The exit status for everything Utterly refuses on purpose."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    rewrite.rewrite,
    chat.chat,
    models.models,
    serve.serve,
    mcp.mcp,
    convert.convert,
    label.label,
    evaluate.evaluate,
    rules.rules,
    rules.restrict,
    train.train,
    train.calibrate,
    train.predict,
    export.export,
):
    app.command(no_args_is_help=command not in (chat.chat, models.models, serve.serve, mcp.mcp))(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line: what the program `utterly` calls."""
    try:
        try:
            app(args=arguments, prog_name="utterly")
        except UtterlyError as refused:
            _refuse(str(refused))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has gone, as `head` does
        _drop_output()
        sys.exit(1)
    except OSError as failure:  # files have errors of their own: this is the output stream, or the system
        _drop_output()
        _refuse(f"cannot read or write: {failure}; check disk and permissions")


def _refuse(problem: str) -> None:
    typer.secho(f"error: {' '.join(problem.splitlines())}", err=True, fg="red")
    sys.exit(BAD_INPUT)


def _drop_output() -> None:
    """Python flushes once more at its end: let it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"utterly {__version__}")
        raise typer.Exit


@app.callback()
def utterly(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version, and end.")
    ] = False,
) -> None:
    """Rewrite the last turn of a dialogue so that it stands on its own.

    Each command is one step; `utterly COMMAND --help` explains it with an example.
    """
