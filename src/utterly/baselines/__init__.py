"""The paper's baselines behind the same call as its taggers: a dialogue in, edit scripts out.

A baseline is a `ScriptModel` in a module of its own, with a function `load(folder, device)`. `BASELINES` names the
module by the kind in its folder's config, so `Rewriter.load`, and all that is built on it, finds it like a tagger.
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
_LEARN_NOTHING: Final = frozenset({"pro-sub"})


def load_baseline(folder: ModelFolder, device: str = "cpu") -> ScriptModel:
    """The baseline in a folder whose config names one."""
    folder.check_files()
    if folder.config.tagger not in _LEARN_NOTHING:
        require_all("torch", "safetensors", "scipy", extra="train")
    loaded: ScriptModel = import_module(BASELINES[folder.config.tagger]).load(folder, device)
    return loaded
