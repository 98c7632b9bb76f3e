"""Rewrite the last turn of a dialogue so that it stands on its own.

Importing this is light: nothing beyond the standard library.
"""

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
    RuleBookError,
    TrainingError,
    UtterlyError,
)
from utterly.rules.book import RuleBook
from utterly.views import explain

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
    "Rule",
    "RuleBook",
    "RuleBookError",
    "Span",
    "TrainingError",
    "Turn",
    "UtterlyError",
    "__version__",
    "dialogue_from_messages",
    "explain",
]
