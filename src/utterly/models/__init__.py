"""The models that come with the package, a folder each, named by language."""

from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent


def bundled() -> dict[str, Path]:
    """The folder of each bundled model, by its language."""
    return {path.parent.name: path.parent for path in sorted(_HERE.glob("*/config.json"))}
