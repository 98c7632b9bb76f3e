"""Rewrite the last turn of a dialogue so that it stands on its own.

Importing this is fast: it needs only the standard library. `Rewriter` and its dependencies are imported on first use.
"""

from typing import TYPE_CHECKING, Any

from utterly.dialogues.conversation import dialogue_from_messages
from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.errors import (
    DialogueError,
    EditError,
    FileError,
    LabelError,
    MetricsError,
    MissingExtraError,
    ModelError,
    PiecesError,
    RecipeError,
    RewriterError,
    RuleBookError,
    ServerError,
    TrainingError,
    UtterlyError,
)
from utterly.rules.book import RuleBook
from utterly.scripts.edits import Edit, EditScript, Rule, Span
from utterly.scripts.explain import explain

if TYPE_CHECKING:
    from utterly.rewriter import Rewrite, Rewriter

__version__ = "0.1.0"

__all__ = [
    "Dialogue",
    "DialogueError",
    "Edit",
    "EditError",
    "EditScript",
    "FileError",
    "LabelError",
    "MetricsError",
    "MissingExtraError",
    "ModelError",
    "PiecesError",
    "RecipeError",
    "Rewrite",
    "Rewriter",
    "RewriterError",
    "Rule",
    "RuleBook",
    "RuleBookError",
    "ServerError",
    "Span",
    "TrainingError",
    "Turn",
    "UtterlyError",
    "__version__",
    "dialogue_from_messages",
    "explain",
]


def __getattr__(name: str) -> Any:
    if name not in ("Rewrite", "Rewriter"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from utterly import rewriter

    return getattr(rewriter, name)


def __dir__() -> list[str]:
    return __all__
