"""What several commands share: options that mean the same everywhere, and what to do with bad records."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from utterly.extras import require
from utterly.terminal.skipped import Skipped

Device = Annotated[str, typer.Option(help="Where the model runs, as torch names it: cpu, cuda, mps.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Pass over records that are wrong, and report their number.")]
Out = Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; a name that ends in .gz is compressed.")]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FOLDER",
        help="A bundled model (see `utterly models`), or a model's folder. Else the bundled model of the language.",
    ),
]
MinConfidence = Annotated[
    float, typer.Option(min=0, max=1, help="Under this confidence the turn comes back as it came.")
]
Threads = Annotated[int | None, typer.Option(min=1, help="The most cores to use.")]


def require_all(*modules: str, extra: str) -> None:
    """Say which extra is missing, before a module that needs it is imported."""
    for module in modules:
        require(module, extra=extra)


@contextmanager
def skipping(wanted: bool) -> Iterator[Skipped | None]:
    """What to do with bad records: nothing of our own, or pass over them and report them in the end."""
    skipped = Skipped()
    yield skipped if wanted else None
    if skipped:
        typer.echo(str(skipped), err=True)
