"""A rewriter for all integrations: loads its model when first needed, and never breaks a chat."""

import asyncio
import logging
from dataclasses import dataclass
from typing import Final

from utterly.dialogues.conversation import turns_of
from utterly.dialogues.dialogue import Dialogue
from utterly.rewriter import Rewrite, RewriteOptions, shared_rewriter

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class LazyRewriter:
    """A rewriter that is only its settings: cheap to make, copy and pickle. Those with the same model share it.

    On any failure, returns the question unchanged, with the `error` in the result and a warning in the log; with
    `raise_errors`, raises it instead.
    """

    model: str | None = None  # as for `Rewriter.load`
    min_confidence: float | None = None
    raise_errors: bool = False
    search: bool = False

    def __post_init__(self) -> None:
        RewriteOptions(min_confidence=self.min_confidence, search=self.search)  # checks them

    def warm_up(self) -> None:
        """Load the model now; of the bundled models, the English one. Others load at their first turn."""
        LazyRewriter(model=self.model, raise_errors=self.raise_errors).rewrite("Is he Swiss?", ["Who is Federer?"])

    def rewrite(self, question: str, history: object) -> Rewrite:
        """Rewrite a question, given the history before it, which may end with the question itself.

        The history is anything that `utterly.dialogues.conversation.turns_of` reads, or None.
        """
        try:
            turns = turns_of(history) if history is not None else []
            before = turns[:-1] if turns[-1:] == [question] else turns
            rewriter = shared_rewriter(self.model)
            dialogue = Dialogue.of([*before, question])
            return rewriter.rewrite(dialogue, min_confidence=self.min_confidence, search=self.search)
        except Exception as failure:
            if self.raise_errors:
                raise
            rewrite = Rewrite.failed(question, failure)
            _LOG.warning("question left unchanged: %s", rewrite.error)
            return rewrite

    async def arewrite(self, question: str, history: object) -> Rewrite:
        """`rewrite` in a thread."""
        return await asyncio.to_thread(self.rewrite, question, history)
