"""`utterly predict`: dialogues rewritten with torch."""

from pathlib import Path
from typing import Annotated

import typer

from utterly.cli.console import counted
from utterly.cli.options import Device, Out
from utterly.extras import require_all


def predict(
    model: Annotated[
        str,
        typer.Argument(metavar="MODEL", help="The folder of a model, its name on the hub, or that of a bundled one."),
    ],
    file: Annotated[Path, typer.Argument(metavar="IN", help="JSON lines, plain or gzip.")],
    out: Out,
    batch_size: Annotated[int, typer.Option(min=1, help="Dialogues that are read together.")] = 32,
    device: Device = "cpu",
    n_best: Annotated[int, typer.Option(min=1, help="How many rewrites of each dialogue, best first.")] = 1,
) -> None:
    """Rewrite dialogues with a model.

    Each line of `OUT` is the dialogue with `rewrite`, its `log_probability` and its `edits`; a rewrite that `IN` knows
    is there as `target`. So `utterly evaluate --predictions OUT --references IN` scores it.
    Needs the extra `train`: `pip install 'utterly[train]'`; for a bundled or exported model `export` too.

    Example: `utterly predict runs/canard/hct/model test.jsonl predictions.jsonl --batch-size 64`
    """
    require_all("torch", "transformers", extra="train")
    from utterly.cli.predictions import write_predictions
    from utterly.dialogues.jsonl import read_jsonl
    from utterly.networks.model import TaggerModel

    dialogues = counted(read_jsonl(file), f"rewriting {file.name}")
    answers = TaggerModel.from_pretrained(model).predict(dialogues, device=device, batch_size=batch_size, n=n_best)
    count = write_predictions(out, answers)
    typer.echo(f"wrote the rewrites of {count:,} dialogues to {out}")
