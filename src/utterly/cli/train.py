"""`utterly train`, `calibrate` and `predict`: what needs torch, from a recipe to predictions."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from utterly.cli.options import Device, Out, require_all
from utterly.errors import ModelError
from utterly.model.bundled import bundled


def train(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="Every setting of the run, as TOML.")],
    variant: Annotated[
        str, typer.Option(metavar="NAME", help="Train this variant; `--list-variants` shows those of the recipe.")
    ] = "",
    list_variants: Annotated[
        bool, typer.Option("--list-variants", help="Show the recipe's variants and exit.")
    ] = False,
) -> None:
    """Train a tagger as a recipe says, and keep the model that scores best on dev.

    The recipe's `out` is the folder of the run: `model`, `log.jsonl` and a checkpoint. A variant's run is in a folder
    of that, by its name. If training is stopped, the same command continues from the checkpoint to the same result.
    With several processes: `accelerate launch -m utterly.training RECIPE [VARIANT]`. Needs the extra `train`:
    `pip install 'utterly[train]'`.

    Example: `utterly train recipes/canard.toml --variant mpnet-rdrop`
    """
    from utterly.training.recipe import Recipe, read_variants

    if list_variants:
        variants = read_variants(recipe)
        width = max(map(len, (*variants, "(default)"))) + 2
        for name, (about, _) in variants.items():
            typer.echo(f"{name or '(default)':{width}}{about}".rstrip())
        return
    settings = Recipe.read(recipe, variant)
    require_all("torch", "transformers", "accelerate", extra="train")
    from utterly.terminal.training import training_progress
    from utterly.training import loop

    with training_progress() as report:
        loop.train(settings, report=report)
    typer.echo(f"the best model is in {Path(settings.out) / 'model'}")


def calibrate(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="The folder of a model; it is changed.")],
    held_out: Annotated[
        Path, typer.Argument(metavar="HELD_OUT", help="JSON lines with `rewrite` that training has not seen.")
    ],
    device: Device = "cpu",
    jobs: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
    least_bleu: Annotated[
        float | None, typer.Option(min=0, max=100, help="Take the most exact rewrites that still have so much BLEU-4.")
    ] = None,
) -> None:
    """Fit to held-out dialogues how a model chooses scripts and how sure it is, and save that into the model.

    Tried are the bias against inserting nothing, the price of an empty deletion, when a turn stays as it is, and
    weighing candidates against each other; the best mean of BLEU-4 and exact match wins, or, with `--least-bleu`,
    the most exact matches. Shows the best trials. Needs the extra `train`: `pip install 'utterly[train]'`.

    Example: `utterly calibrate runs/canard/hct/model runs/canard/held.jsonl --jobs 2`
    """
    require_all("torch", "transformers", extra="train")
    from utterly.dialogues.jsonl import read_jsonl
    from utterly.networks.model import TaggerModel
    from utterly.terminal.progress import busy
    from utterly.terminal.training import show_trials
    from utterly.training.calibrate import fit_confidence, fit_decode, most_exact

    folder = _own_folder(model)
    loaded, dialogues = TaggerModel.from_pretrained(folder), list(read_jsonl(held_out))
    with busy(f"fitting to {held_out.name}"):
        trials = fit_decode(loaded, dialogues, device=device, workers=jobs)
        chosen = trials[0] if least_bleu is None else most_exact(trials, least_bleu4=least_bleu)
        fitted = loaded.with_decode(chosen.settings)
        confidence = fit_confidence(fitted, dialogues, device=device)
    replace(fitted, confidence=confidence).save_calibration(folder)
    others = [trial for trial in trials if trial is not chosen]
    show_trials([chosen, *others], len(dialogues))


def _own_folder(model: str) -> Path:
    """A folder that may be changed."""
    folder, folders = Path(model), bundled()
    if model in folders or folder.resolve() in {each.resolve() for each in folders.values()}:
        raise ModelError(
            f"{model}: a model must be your own to be changed, but this one is bundled; "
            f"make it yours with `utterly export {model} FOLDER`, and calibrate that"
        )
    if not folder.is_dir():
        raise ModelError(f"{model}: there is no such folder; give the folder of a model, which is changed")
    return folder


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
    from utterly.terminal.progress import counted

    dialogues = counted(read_jsonl(file), f"rewriting {file.name}")
    answers = TaggerModel.from_pretrained(model).predict(dialogues, device=device, batch_size=batch_size, n=n_best)
    count = write_predictions(out, answers)
    typer.echo(f"wrote the rewrites of {count:,} dialogues to {out}")
