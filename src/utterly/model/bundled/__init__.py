"""The models that come with the package, a folder each, named by language."""

from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent


def bundled() -> dict[str, Path]:
    """The folder of each bundled model, by its language."""
    return {path.parent.name: path.parent for path in sorted(_HERE.glob("*/config.json"))}


def bundled_folder(name: Path | str) -> Path | None:
    """The folder of the bundled model of this name; None where none has it, and for a path, even one of that name."""
    return bundled().get(name) if isinstance(name, str) else None
