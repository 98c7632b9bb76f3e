"""The state of a run on disk: it can be killed at any moment, and resumes to the same result.

A checkpoint is one file, replaced only when complete. It has no random state: after each checkpoint, and on resuming
from one, random generators are seeded from the recipe's seed and the step.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch

from utterly.errors import FileError, ModelError, RecipeError, TrainingError
from utterly.files import path_written_whole
from utterly.training.recipe import Recipe

FORMAT_VERSION: Final = 1
NAME: Final = "checkpoint.pt"


@dataclass
class TrainingState:
    """How far a run is, and how good its best epoch was."""

    epoch: int = 0  # epochs completed
    step: int = 0  # batches done in all
    best_dev: float = -1.0  # BLEU-4, or a role labeller's F1; 0 to 1
    epochs_without_better: int = 0

    def record_dev(self, dev: float) -> bool:
        """Whether an epoch's score on dev is the best so far; counts the epochs without a better one."""
        better = dev > self.best_dev
        self.epochs_without_better = 0 if better else self.epochs_without_better + 1
        self.best_dev = max(dev, self.best_dev)
        return better


def save_checkpoint(folder: Path, state: TrainingState, parts: dict[str, Any], recipe: Recipe) -> None:
    """Write the state of the run and of its parts: model, optimizer, schedule."""
    states = {name: part.state_dict() for name, part in parts.items()}
    saved = {"version": FORMAT_VERSION, "recipe": recipe.to_dict(), "progress": vars(state), **states}
    try:
        with path_written_whole(folder / NAME) as path:
            torch.save(saved, path)
    except (FileError, RuntimeError) as failure:
        raise TrainingError(
            f"cannot write the checkpoint: {failure}; the previous one is still there: free disk space, then run the "
            "same command to resume"
        ) from None


def append_to_log(folder: Path, event: dict[str, Any]) -> None:
    with (folder / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(event) + "\n")


def load_checkpoint(folder: Path, parts: dict[str, Any], recipe: Recipe) -> TrainingState:
    """Restore the parts from the last checkpoint, if there is one, and return the state of the run."""
    path = folder / NAME
    if not path.exists():
        return TrainingState()
    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as failure:  # noqa: BLE001 - torch raises many kinds for a broken file
        raise ModelError(f"{path}: broken checkpoint: {failure}; delete it to start over") from None
    if saved.get("version") != FORMAT_VERSION:
        raise ModelError(
            f"{path}: checkpoint format must be version {FORMAT_VERSION}, got {saved.get('version')!r}; "
            "resume with the release that wrote it, or delete it to start over"
        )
    if _with_defaults(saved["recipe"]) != recipe.to_dict():
        raise TrainingError(
            f"{path}: the recipe has changed since this checkpoint; set another `out`, or delete the folder to start "
            "over"
        )
    for name, part in parts.items():
        part.load_state_dict(saved[name])
    return TrainingState(**saved["progress"])


def _with_defaults(recipe: dict[str, Any]) -> dict[str, Any]:
    """A saved recipe, with the defaults of newer settings; unchanged if it has settings that no longer exist."""
    try:
        return Recipe.from_dict(recipe).to_dict()
    except RecipeError:
        return recipe
