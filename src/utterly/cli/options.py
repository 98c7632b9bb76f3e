"""Options that mean the same in several commands."""

from pathlib import Path
from typing import Annotated

import typer

from utterly.parallel import MOST_WORKERS
from utterly.presets import Preset

Device = Annotated[str, typer.Option(help="Where the model runs, as torch names it: cpu, cuda, mps.")]
Jobs = Annotated[int, typer.Option(min=1, max=MOST_WORKERS, help="Number of processes.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Skip bad records and report how many there were.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the output if it exists.")]
Out = Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; compressed if it ends in .gz.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FOLDER",
        help="A bundled model (see `utterly models`) or a model's folder. Default: the bundled model of the language.",
    ),
]
PresetName = Annotated[
    Preset,
    typer.Option("--preset", help="How readily to rewrite: whenever the model would, or only if it is surer."),
]
MinConfidence = Annotated[float, typer.Option(min=0, max=1, help="Below this confidence, return the turn unchanged.")]
Threads = Annotated[int | None, typer.Option(min=1, max=MOST_WORKERS, help="How many cores to use at most.")]
