"""The paper's baselines behind the same call as its taggers: a dialogue in, edit scripts out.

A baseline is a `ScriptModel` in its own module, with a function `load(folder, device)`. `BASELINES` maps the kind in a
folder's config to that module, so `Rewriter.load` finds baselines as it finds taggers.
"""

from importlib import import_module
from typing import Final

from utterly.extras import require_all
from utterly.model.folder import ModelFolder
from utterly.model.model import ScriptModel

BASELINES: Final = {
    "pro-sub": "utterly.baselines.pro_sub",
    "ptr-gen": "utterly.baselines.ptr_gen.model",
    "run": "utterly.baselines.run.model",
}


def load_baseline(folder: ModelFolder, device: str = "cpu") -> ScriptModel:
    """The baseline in a folder whose config names one."""
    folder.check_files()
    if folder.config.tagger != "pro-sub":  # which has no network
        require_all("torch", "safetensors", "scipy", extra="train")
    loaded: ScriptModel = import_module(BASELINES[folder.config.tagger]).load(folder, device)
    return loaded
