"""Training curves for TensorBoard, beside `log.jsonl`: `tensorboard --logdir OUT`."""

from pathlib import Path
from typing import Any, Final

from utterly.extras import require

_NO_CURVES: Final = ("step", "steps", "epoch")


class Tracker:
    """Writes the events of a run as curves. A resumed run continues at `step` and discards what came after it."""

    def __init__(self, folder: Path, *, step: int) -> None:
        require("tensorboard", extra="tensorboard")
        from torch.utils.tensorboard import SummaryWriter

        self._writer: Any = SummaryWriter(folder / "tensorboard", purge_step=step or None)

    def add(self, event: dict[str, Any]) -> None:
        for name in event.keys() - {*_NO_CURVES}:
            tag = name.replace("_", "/", 1) if name.startswith("dev_") else f"train/{name}"
            self._writer.add_scalar(tag, event[name], event["step"])
        self._writer.flush()
