"""Rewrite the last turn of a dialogue so that it stands on its own.

Importing this is light: nothing beyond the standard library. What rewrites is imported when it is first asked for.
"""

from typing import TYPE_CHECKING, Any

from utterly.dialogues import Dialogue, Turn, dialogue_from_messages
from utterly.edits import Edit, EditScript, Rule, Span
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
from utterly.views import explain

if TYPE_CHECKING:
    from utterly.rewrite import Rewrite
    from utterly.rewriter import Rewriter

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
    from importlib import import_module

    return getattr(import_module(f"utterly.{name.lower()}"), name)


def __dir__() -> list[str]:
    return __all__
