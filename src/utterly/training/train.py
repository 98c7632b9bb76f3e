"""`train`: what a recipe says, a tagger, a baseline or a role labeller. Imports torch only if that learns something."""

from collections.abc import Callable
from typing import Any

from utterly.baselines import BASELINES, pro_sub
from utterly.extras import require_all
from utterly.training.baselines import train_pro_sub
from utterly.training.recipe import Recipe


def train(recipe: Recipe, *, report: Callable[[dict[str, Any]], None] | None = None) -> None:
    """Train, and keep the best model in the folder `model` of the run."""
    if recipe.tagger.kind == pro_sub.KIND:
        train_pro_sub(recipe)
        return
    needed = ("safetensors", "scipy") if recipe.tagger.kind in BASELINES else ("transformers", "accelerate")
    require_all("torch", *needed, extra="train")
    match recipe.tagger.kind:
        case "run":
            from utterly.training.run import train_run

            train_run(recipe, report=report)
        case "ptr-gen":
            from utterly.training.ptr_gen import train_ptr_gen

            train_ptr_gen(recipe, report=report)
        case "roles":
            from utterly.training.roles import train_roles

            train_roles(recipe, report=report)
        case _:
            from utterly.training import loop

            loop.train(recipe, report=report)
