"""`utterly calibrate`: tune decoding and confidence on held-out dialogues."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from utterly.cli.console import busy, show, show_table
from utterly.cli.options import Device, Jobs
from utterly.errors import ModelError, TrainingError
from utterly.extras import require_all

if TYPE_CHECKING:
    from utterly.training.calibrate import Trial

_TRIALS_SHOWN: Final = 10


def calibrate(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="The model's folder, which is updated.")],
    held_out: Annotated[
        Path, typer.Argument(metavar="HELD_OUT", help="JSON lines with `rewrite`, not used in training.")
    ],
    device: Device = "cpu",
    jobs: Jobs = 1,
    least_bleu: Annotated[
        float | None, typer.Option(min=0, max=100, help="Maximise exact match subject to BLEU-4 at or above this.")
    ] = None,
    keep_decoding: Annotated[bool, typer.Option(help="Fit confidence only; leave decoding unchanged.")] = False,
    min_confidence: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, help="The model's threshold, below which it holds rewrites back; 0: none. Default: as it is."
        ),
    ] = None,
) -> None:
    """Tune decoding and confidence on held-out dialogues, and save them with the model.

    Tries values for the bias against inserting nothing, the cost of an empty deletion, when to leave a turn unchanged,
    and weighing candidates against each other. Keeps the best mean of BLEU-4 and exact match or, with `--least-bleu`,
    the best exact match; shows the best trials. Fits confidence to how often a rewrite helps (adds words of the given
    rewrite) rather than harms (adds others). Needs the extra `train`: `pip install 'utterly[train]'`.

    Example: `utterly calibrate runs/canard/hct/model runs/canard/held.jsonl --jobs 2`
    """
    require_all("torch", "transformers", extra="train")
    from utterly.dialogues.jsonl import read_jsonl
    from utterly.networks.torch_model import TorchModel
    from utterly.training.calibrate import fit_confidence, fit_decode, most_exact

    folder = _writable_folder(model)
    loaded, dialogues = TorchModel.from_pretrained(folder, device=device), list(read_jsonl(held_out))
    trials: list[Trial] = []
    with busy(f"fitting to {held_out.name}"):
        if not keep_decoding:
            trials = fit_decode(loaded, dialogues, workers=jobs)
            chosen = trials[0] if least_bleu is None else most_exact(trials, least_bleu4=least_bleu)
            trials = [chosen, *(trial for trial in trials if trial is not chosen)]
            loaded = loaded.with_decode(chosen.settings)
        confidence = fit_confidence(loaded, dialogues)
    threshold = loaded.config.min_confidence if min_confidence is None else min_confidence
    loaded.with_config(confidence=confidence, min_confidence=threshold if confidence else 0.0).save_calibration(folder)
    if trials:
        _show(trials, len(dialogues))
    if threshold and not confidence:
        raise TrainingError(
            f"a threshold needs a fitted confidence, but of the rewrites of {held_out} none helps or none harms; "
            "the model is saved without a threshold: give more dialogues"
        )
    if confidence:
        numbers = {"slope": confidence.slope, "offset": confidence.offset, **confidence.weights}
        show("confidence: " + ", ".join(f"{name} {number:.2f}" for name, number in numbers.items()), "dim")


def _writable_folder(model: str) -> Path:
    from utterly.model.folder import bundled_folders

    folder, folders = Path(model), bundled_folders()
    if model in folders or folder.resolve() in {each.resolve() for each in folders.values()}:
        raise ModelError(
            f"{model}: a bundled model cannot be changed; copy it with `utterly export {model} FOLDER` "
            "and calibrate the copy"
        )
    if not folder.is_dir():
        raise ModelError(f"{model}: no such folder; give a model's folder")
    return folder


def _show(trials: Sequence["Trial"], dialogues: int) -> None:
    names = ("null_bias", "empty_delete_cost", "stay_probability", "candidates", "temperature")
    rows = [
        (
            *(f"{getattr(trial.settings, name):g}" for name in names),
            *(f"{score:.2f}" for score in (trial.bleu4, trial.exact, trial.value)),
        )
        for trial in trials[:_TRIALS_SHOWN]
    ]
    show_table([*(name.replace("_", " ") for name in names), "BLEU-4", "EM", "mean"], rows)
    show(f"best of {len(trials)} settings on {dialogues:,} dialogues; our words, case:folded|smooth:none", "dim")
