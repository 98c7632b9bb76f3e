"""Train what a recipe describes: a tagger, a baseline or a role labeller. Imports torch only if it is needed."""

from importlib import import_module
from typing import Final

from utterly.baselines import BASELINES, pro_sub
from utterly.extras import require_all
from utterly.training.recipe import ROLES, Recipe, Report

_MODULES: Final = {kind: kind.replace("-", "_") for kind in (*BASELINES, ROLES)}  # a tagger's is `loop`


def train(recipe: Recipe, *, report: Report | None = None) -> None:
    """Train, and keep the best model in the folder `model` of the run."""
    kind = recipe.tagger.kind
    if kind != pro_sub.KIND:
        needed = ("safetensors", "scipy") if kind in BASELINES else ("transformers", "accelerate")
        require_all("torch", *needed, extra="train")
    import_module(f"utterly.training.{_MODULES.get(kind, 'loop')}").train(recipe, report=report)
