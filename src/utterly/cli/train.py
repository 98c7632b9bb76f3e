"""`utterly train`: train a tagger, a baseline or a role labeller from a recipe."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from utterly.cli.console import show

_DEV_SCORES: Final = {
    "dev_bleu4": "BLEU-4",
    "dev_em": "EM",
    "dev_roles": "F1 of roles",
    "dev_predicates": "of predicates",
}


def train(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="All settings of the run, as TOML.")],
    variant: Annotated[
        str, typer.Option(metavar="NAME", help="Train this variant of the recipe; see `--list-variants`.")
    ] = "",
    seed: Annotated[
        int | None, typer.Option(min=0, help="Replace the recipe's seed; writes to a subfolder `seed-N`.")
    ] = None,
    list_variants: Annotated[bool, typer.Option("--list-variants", help="List the variants and exit.")] = False,
) -> None:
    """Train a tagger, a baseline or a role labeller from a recipe and keep the model that scores best on dev.

    Writes `model`, `log.jsonl` and a checkpoint to the folder `out` of the recipe; a variant, to a subfolder with its
    name. If interrupted, run the same command again: it continues from the checkpoint, to the same result. On several
    GPUs: `accelerate launch -m utterly.training RECIPE [VARIANT]`. Needs the extra `train`:
    `pip install 'utterly[train]'`.

    Example: `utterly train recipes/canard.toml --variant mpnet-rdrop`
    """
    from utterly.training.recipe import Recipe, read_variants
    from utterly.training.train import train as run

    if list_variants:
        variants = read_variants(recipe)
        width = max(map(len, (*variants, "(default)"))) + 2
        for name, (about, _) in variants.items():
            typer.echo(f"{name or '(default)':{width}}{about}".rstrip())
        return
    settings = Recipe.read(recipe, variant, seed)
    with _progress() as report:
        run(settings, report=report)
    typer.echo(f"the best model is in {Path(settings.out) / 'model'}")


@contextmanager
def _progress() -> Iterator[Callable[[dict[str, Any]], None]]:
    """A function that shows training events: a progress bar on standard error, a line per epoch on standard output."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)

        def report(event: dict[str, Any]) -> None:
            if "examples" in event:
                show(data_line(event))
                return
            progress.update(task, completed=event["step"], total=event["steps"], description=_state(event))
            if "epoch" in event:
                show(epoch_line(event))

        yield report


def data_line(event: dict[str, Any]) -> str:
    """
    >>> data_line({"examples": 31526, "too_long": 2, "inexact": 1810, "dev": 400})
    'training on 31,526 labels (skipped: 2 too long, 1,810 inexact), dev has 400 dialogues'
    """
    skipped = f"{event['too_long']:,} too long, {event['inexact']:,} inexact"
    return f"training on {event['examples']:,} labels (skipped: {skipped}), dev has {event['dev']:,} dialogues"


def epoch_line(event: dict[str, Any]) -> str:
    """
    >>> scores = {"dev_bleu4": 57.28, "dev_em": 33.77}
    >>> epoch_line({"epoch": 2, "loss": 1.25, "action": 0.5, "rule": 0.25, "span": 0.5, "seconds": 72.0, **scores})
    'epoch 2: loss 1.2500 (action 0.5000, rule 0.2500, span 0.5000), dev BLEU-4 57.28, EM 33.77, 72.0 s'
    """
    others = ("epoch", "step", "steps", "loss", "seconds", "rate")
    parts = [name for name in event if name not in others and not name.startswith("dev_")]
    losses = ", ".join(f"{name} {event[name]:.4f}" for name in parts)
    loss = f"loss {event['loss']:.4f}" + (f" ({losses})" if losses else "")
    return f"epoch {event['epoch']}: {loss}{_dev(event)}, {event['seconds']:.1f} s"


def _state(event: dict[str, Any]) -> str:
    rate = f", rate {event['rate']:.1e}" if "rate" in event else ""
    return f"loss {event['loss']:.3f}{rate}{_dev(event)}"


def _dev(event: dict[str, Any]) -> str:
    scores = ", ".join(f"{name} {event[key]:.2f}" for key, name in _DEV_SCORES.items() if key in event)
    return f", dev {scores}" if scores else ""
