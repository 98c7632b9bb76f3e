"""Every exception Utterly raises on purpose.

Messages say what must hold, what was given and, if it is not obvious, what to do. The command line prints them on
one line and exits with status 2.
"""

from functools import partial
from pathlib import Path
from typing import Any


class UtterlyError(Exception):
    """The root: catch this to catch everything Utterly raises on purpose."""


class DialogueError(UtterlyError):
    """Turns or messages that do not make a dialogue."""


class EditError(UtterlyError):
    """A span, rule, edit or script that does not fit."""


class FileError(UtterlyError):
    """A file, or a line of it, that is not what it must be."""

    def __init__(self, path: Path | str, problem: str, *, line: int | None = None) -> None:
        self.path, self.line, self.problem = str(path), line, problem
        where = self.path if line is None else f"{self.path}, line {line}"
        super().__init__(f"{where}: {problem}")

    def __reduce__(self) -> tuple[Any, ...]:  # to come whole out of another process
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
    """A rewrite asked for with a setting out of range."""


class ServerError(UtterlyError):
    """A server that cannot be started, reached or made to answer.

    From a client, `status` and `code` are those of the answer, where one came; `retry_after` is in seconds.
    """

    def __init__(
        self, message: str, *, status: int | None = None, code: str | None = None, retry_after: float | None = None
    ) -> None:
        self.status, self.code, self.retry_after = status, code, retry_after
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        made = partial(type(self), status=self.status, code=self.code, retry_after=self.retry_after)
        return made, self.args


class TrainingError(UtterlyError):
    """Training that cannot go on."""


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
