"""Where training stands, kept so that it can be killed at any moment and go on to the same result.

A checkpoint is one file, written beside and renamed. It holds no random state: after each checkpoint, and when
going on from one, randomness is seeded anew from the recipe's seed and the step.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch

from utterly.errors import ModelError, RecipeError, TrainingError
from utterly.training.recipe import Recipe

FORMAT_VERSION: Final = 1
NAME: Final = "checkpoint.pt"


@dataclass
class Progress:
    """How far training has come."""

    epoch: int = 0  # epochs completed
    step: int = 0  # batches done in all
    batches_done: int = 0  # of the epoch under way
    best_dev: float = -1.0
    epochs_without_better: int = 0


def save_checkpoint(folder: Path, progress: Progress, parts: dict[str, Any], recipe: dict[str, Any]) -> None:
    """Keep the state of model, optimizer and schedule."""
    beside = folder / f".{NAME}.{os.getpid()}.part"
    states = {name: part.state_dict() for name, part in parts.items()}
    try:
        torch.save({"version": FORMAT_VERSION, "recipe": recipe, "progress": vars(progress), **states}, beside)
        beside.replace(folder / NAME)
    except (OSError, RuntimeError) as failure:
        raise TrainingError(
            f"{folder / NAME}: the checkpoint could not be written: {failure}; "
            "the one before is still there: make room on the disk and run the same command again"
        ) from None
    finally:
        beside.unlink(missing_ok=True)


def load_checkpoint(folder: Path, parts: dict[str, Any], recipe: dict[str, Any]) -> Progress:
    """Bring everything back to where the last checkpoint left it; without one, training begins."""
    path = folder / NAME
    if not path.exists():
        return Progress()
    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as failure:  # noqa: BLE001 - torch raises many kinds for a broken file
        raise ModelError(
            f"{path}: a checkpoint must be a whole file, but: {failure}; delete it to start over"
        ) from None
    if saved.get("version") != FORMAT_VERSION:
        raise ModelError(
            f"{path}: a checkpoint must be of format version {FORMAT_VERSION}, but {saved.get('version')!r} came; "
            "go on with the release that wrote it, or delete it to start over"
        )
    if _with_defaults(saved["recipe"]) != recipe:
        raise TrainingError(
            f"{path}: the checkpoint must come from the same recipe, but the recipe has changed; "
            "choose another `out`, or delete the folder to start over"
        )
    for name, part in parts.items():
        part.load_state_dict(saved[name])
    return Progress(**saved["progress"])


def _with_defaults(recipe: dict[str, Any]) -> dict[str, Any]:
    """A saved recipe with the settings that were added since then; as it is where it has others."""
    try:
        return Recipe.from_dict(recipe).to_dict()
    except RecipeError:
        return recipe
