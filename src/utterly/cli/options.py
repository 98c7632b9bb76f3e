"""Options shared by several commands."""

from pathlib import Path
from typing import Annotated

import typer

from utterly.parallel import MOST_WORKERS
from utterly.presets import Preset

Device = Annotated[str, typer.Option(help="The device to run the model on, as in torch: cpu, cuda, mps.")]
Jobs = Annotated[int, typer.Option(min=1, max=MOST_WORKERS, help="Number of processes.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Skip bad records and report them.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the output if it exists.")]
Out = Annotated[Path, typer.Argument(metavar="OUT", help="The file to write, gzipped if .gz.")]
Language = Annotated[str | None, typer.Option(help="en or zh. Default: as in the references, else detected.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FOLDER",
        help="A bundled model (see `utterly models`) or a model's folder. Default: the bundled model for the language.",
    ),
]
PresetName = Annotated[
    Preset | None,
    typer.Option("--preset", help="How readily to rewrite. With --min-confidence, the higher counts."),
]
MinConfidence = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="Hold back rewrites below this confidence; 0: none. Default: the model's own threshold.",
    ),
]
Threads = Annotated[int | None, typer.Option(min=1, max=MOST_WORKERS, help="Maximum number of cores to use.")]
