"""`Rewrite`: the answer of a rewriter, with what was done, how sure it is, and why where nothing was done."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from utterly.edits import EditScript
from utterly.errors import UtterlyError
from utterly.views import EditView, edit_views, explain, script_to_json


@dataclass(frozen=True)
class Alternative:
    """Another way to rewrite the turn."""

    text: str
    confidence: float


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """A turn as it reads on its own, beside the turn as it came.

    `abstained` says that the confidence was under the one asked for: then `text` is the source, and the rewrite
    that was held back leads the alternatives. `reason` says why a source stayed as it is without, or against, the
    model's word. `script` is None where no model was asked.
    """

    text: str
    source: str
    confidence: float  # 0 to 1; 1 where there is nothing to rewrite, 0 where the turn could not be read
    model: str
    script: EditScript | None = None
    alternatives: tuple[Alternative, ...] = ()
    abstained: bool = False
    reason: str | None = None
    error: UtterlyError | None = None

    @property
    def changed(self) -> bool:
        return self.text != self.source

    @cached_property
    def edits(self) -> tuple[EditView, ...]:
        """What was done to the source, in order; nothing where it is unchanged."""
        return edit_views(self.script) if self.script else ()

    def explain(self) -> str:
        """The edits for people, a line each, or why there is none."""
        if self.reason or self.error:
            return f"no change: {self.reason or self.error}"
        return explain(self.script) if self.script else "no change"

    def to_json(self) -> dict[str, Any]:
        """Everything, for programs; the edits as `utterly.views` describes them."""
        return {
            "text": self.text,
            "source": self.source,
            "changed": self.changed,
            "confidence": round(self.confidence, 4),
            "abstained": self.abstained,
            "edits": script_to_json(self.script) if self.script else [],
            "alternatives": [{"text": way.text, "confidence": round(way.confidence, 4)} for way in self.alternatives],
            "model": self.model,
            "reason": self.reason,
            "error": None if self.error is None else {"type": type(self.error).__name__, "message": str(self.error)},
        }
