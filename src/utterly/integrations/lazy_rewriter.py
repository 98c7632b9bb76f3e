"""What all frameworks' doors share: a rewriter that is loaded when first needed, and that does not break a chat.

It does not know any framework: each door brings its own `turns_of`, which reads the turns of a history.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any, Final

from utterly.dialogues.conversation import USER, dialogue_from_messages
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import DialogueError, RewriterError, UtterlyError
from utterly.rewriter import Rewrite, Rewriter

_LOG: Final = logging.getLogger(__name__)
_LOADING: Final = Lock()

Asked = tuple[str, object]
"""A question, and the history it was asked in as the framework has it."""


def plain_turns(history: Any) -> list[str]:
    """The turns of a history of strings, or of messages with `role` and `content`.

    >>> plain_turns([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who is Federer?"}])
    ['Who is Federer?']
    """
    if isinstance(history, str | Mapping) or not isinstance(history, Sequence):
        raise DialogueError(
            f"a history must be a list of turns or messages, but {type(history).__name__} came; put them in a list"
        )
    if history and isinstance(history[0], Mapping):
        asked = {"role": USER, "content": ""}
        return [turn.text for turn in dialogue_from_messages([*history, asked]).context]
    return list(history)


@dataclass(frozen=True)
class LazyRewriter:
    """A rewriter by its settings: cheap to make, to copy and to pickle. Doors of the same model share it.

    Whatever goes wrong, the question comes back as it came, with the `error` in the result and a warning in the log;
    with `raise_errors` it is raised instead.
    """

    turns_of: Callable[[Any], list[str]] = plain_turns
    model: str | None = None  # as `Rewriter.load` takes it
    min_confidence: float = 0.0
    raise_errors: bool = False

    def __post_init__(self) -> None:
        least: object = self.min_confidence  # whatever came
        if not isinstance(least, int | float) or not 0 <= least <= 1:
            raise RewriterError(f"min_confidence must be a number from 0 to 1, but {least!r} came; 0 never abstains")

    def warm_up(self) -> None:
        """Load the model now. Of the bundled ones that is the English; the others are read at their first turn."""
        LazyRewriter(model=self.model, raise_errors=self.raise_errors).rewrite("Is he Swiss?", ["Who is Federer?"])

    def rewrite(self, question: str, history: object) -> Rewrite:
        """Rewrite a question that was asked in a history, with or without the question as its last turn."""
        (answer,) = self.rewrite_many([(question, history)])
        return answer

    async def arewrite(self, question: str, history: object) -> Rewrite:
        """As `rewrite`, in a thread of its own."""
        return await asyncio.to_thread(self.rewrite, question, history)

    def rewrite_many(self, asked: Sequence[Asked]) -> list[Rewrite]:
        """As `rewrite`, for many questions, in batches."""
        answers = self.answers(asked)
        for answer in answers:
            if answer.error and self.raise_errors:
                raise answer.error
        return answers

    def answers(self, asked: Sequence[Asked]) -> list[Rewrite]:
        """As `rewrite_many`, but errors are only in the results, whatever the settings say."""
        read = [self._read(question, history) for question, history in asked]
        rewritten = iter(self._rewritten([each for each in read if isinstance(each, Dialogue)]))
        answers = [next(rewritten) if isinstance(each, Dialogue) else each for each in read]
        for answer in answers:
            if answer.error and not self.raise_errors:
                _LOG.warning("a question was left as it came: %s", answer.error)
        return answers

    def _read(self, question: str, history: object) -> Dialogue | Rewrite:
        try:
            turns = self.turns_of(history) if history is not None else []
            if turns and turns[-1] == question:
                turns = turns[:-1]
            return Dialogue.of([*turns, question])
        except Exception as failure:  # noqa: BLE001 - the chat goes on
            return _given_back(question, failure)

    def _rewritten(self, dialogues: Sequence[Dialogue]) -> list[Rewrite]:
        if not dialogues:
            return []
        try:
            rewriter = _loaded(self.model)
            return list(rewriter.rewrite_many(dialogues, min_confidence=self.min_confidence, fail_open=True))
        except Exception as failure:  # noqa: BLE001 - the chat goes on
            return [_given_back(dialogue.source.text, failure) for dialogue in dialogues]


def _given_back(question: str, failure: Exception) -> Rewrite:
    """The question as it came, with an error of our family that keeps whatever was raised as its cause."""
    error = failure if isinstance(failure, UtterlyError) else RewriterError(f"{type(failure).__name__}: {failure}")
    if error is not failure:
        error.__cause__ = failure
    return Rewrite(text=question, source=question, confidence=0.0, model="", error=error)


def _loaded(model: str | None) -> Rewriter:
    with _LOADING:
        return _load(model, os.getpid())


@cache
def _load(model: str | None, _process: int) -> Rewriter:
    """A rewriter once a process: the threads of a model that was loaded before a fork are not there after it."""
    return Rewriter.load(model)
