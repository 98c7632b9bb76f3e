"""Every exception that Utterly raises on purpose.

A message says what must hold, what was given and, if that is not obvious, what to do. The command line prints it on one
line and exits with status 2.
"""

from functools import partial
from pathlib import Path
from typing import Any


class UtterlyError(Exception):
    """The base class: catch it to catch everything Utterly raises on purpose."""


class DialogueError(UtterlyError):
    """Turns or messages that do not make a dialogue."""


class EditError(UtterlyError):
    """A span, rule, edit or script that does not fit."""


class FileError(UtterlyError):
    """A file that cannot be read or written, or has a bad line."""

    def __init__(self, path: Path | str, problem: str, *, line: int | None = None) -> None:
        self.path, self.line, self.problem = str(path), line, problem
        where = self.path if line is None else f"{self.path}, line {line}"
        super().__init__(f"{where}: {problem}")

    def __reduce__(self) -> tuple[Any, ...]:  # to arrive complete from another process
        return partial(type(self), line=self.line), (self.path, self.problem)


class LabelError(UtterlyError):
    """A dialogue that cannot be labelled."""


class MetricsError(UtterlyError):
    """Predictions and references that cannot be compared."""


class ModelError(UtterlyError):
    """A model folder or checkpoint that cannot be used."""


class PiecesError(UtterlyError):
    """A dialogue or tokenizer that does not fit an encoder."""


class RecipeError(UtterlyError):
    """A recipe with a wrong, unknown or missing setting."""


class RewriterError(UtterlyError):
    """A rewrite requested with an option out of range."""


class ServerError(UtterlyError):
    """A server that cannot be started or reached, or that answers with an error.

    In a client, `status` and `code` are those of the response, if there was one; `retry_after` is in seconds.
    """

    def __init__(
        self, message: str, *, status: int | None = None, code: str | None = None, retry_after: float | None = None
    ) -> None:
        self.status, self.code, self.retry_after = status, code, retry_after
        super().__init__(message)


class TrainingError(UtterlyError):
    """Training that cannot continue."""


class RuleBookError(UtterlyError):
    """A rule book that is incomplete or of an unknown version."""


class MissingExtraError(UtterlyError, ImportError):
    """An optional dependency that is not installed."""

    def __init__(self, module: str, extra: str) -> None:
        self.module, self.extra = module, extra
        super().__init__(
            f"this needs the package {module!r}, which is not installed; "
            f"install it with: pip install 'utterly[{extra}]'"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.module, self.extra)
