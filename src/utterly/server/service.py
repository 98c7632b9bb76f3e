"""From a request to its answer: limits, dialogue, queue, rewrite."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from utterly.dialogues.conversation import dialogue_from_messages
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import DialogueError
from utterly.rewriter import Rewrite, Rewriter
from utterly.server.batching import Batcher, QueueFullError, Wish
from utterly.server.limits import check_batch, check_characters, check_turns
from utterly.server.metrics import Metrics
from utterly.server.middleware import Exchange
from utterly.server.problems import Problem, overloaded
from utterly.server.schemas import BatchRequest, DialogueRequest, RewriteAnswer, RewriteRequest, SegmentAnswer
from utterly.server.segments import Segment, segments
from utterly.server.settings import ServerSettings


class Service:
    """Answers requests with one rewriter."""

    def __init__(self, rewriter: Rewriter, settings: ServerSettings, metrics: Metrics) -> None:
        self.rewriter, self.settings, self.metrics = rewriter, settings, metrics
        self.batcher = Batcher(
            self._rewrite_many,
            model_batch=settings.model_batch,
            max_queue=settings.max_queue,
            timeout=settings.timeout,
            watch=metrics.count_batch,
        )
        metrics.queue.set_function(lambda: self.batcher.waiting)

    def warm_up(self) -> None:
        """Load every model, so that the first request does not wait for that."""
        for info in self.rewriter.models:
            first = Dialogue.of(["Who is it?", "Is he?"], language=info.language)
            self.rewriter.rewrite(first)
            list(self.rewriter.rewrite_many([first, first]))

    async def one(self, request: RewriteRequest, exchange: Exchange) -> RewriteAnswer:
        language = self._language(request.model)
        dialogue = self._dialogue(request, "", language)
        (answer,) = await self._answers([dialogue], request, exchange)
        return answer

    async def batch(self, request: BatchRequest, exchange: Exchange) -> list[RewriteAnswer]:
        check_batch(len(request.dialogues), self.settings)
        language = self._language(request.model)
        dialogues = [self._dialogue(each, f"dialogues.{i}.", language) for i, each in enumerate(request.dialogues)]
        return await self._answers(dialogues, request, exchange)

    async def _answers(
        self, dialogues: Sequence[Dialogue], request: RewriteRequest | BatchRequest, exchange: Exchange
    ) -> list[RewriteAnswer]:
        self._check_n_best(request.n_best)
        exchange.notes |= _sizes(dialogues)
        wish = Wish(request.n_best, request.min_confidence)
        try:
            async with asyncio.timeout(self.settings.timeout):
                rewrites = await self.batcher.rewrite(dialogues, wish)
        except QueueFullError as full:
            raise overloaded(full.retry_after) from None
        except TimeoutError:
            raise _timed_out(self.settings.timeout) from None
        exchange.notes["changed"] = sum(rewrite.changed for rewrite in rewrites)
        if self.settings.log_text:
            exchange.notes["texts"] = [{"source": each.source, "rewrite": each.text} for each in rewrites]
        for rewrite in rewrites:
            self.metrics.count_rewrite(rewrite)
        return [answer_of(rewrite) for rewrite in rewrites]

    def _rewrite_many(self, dialogues: Sequence[Dialogue], wish: Wish) -> Iterable[Rewrite]:
        """In the batcher's thread. One dialogue is given all cores, of several each gets one."""
        wishes = vars(wish)
        if len(dialogues) == 1:
            return [self.rewriter.rewrite(dialogues[0], **wishes)]
        return self.rewriter.rewrite_many(dialogues, **wishes)

    def _dialogue(self, request: DialogueRequest, at: str, language: str) -> Dialogue:
        """`at` is where the dialogue stands in the body, for messages."""
        name = "turns" if request.turns else "messages"
        check_turns(len(request.turns or request.messages), self.settings, at=at + name)
        try:
            dialogue = (
                Dialogue.of(request.turns, language=language)
                if request.turns
                else dialogue_from_messages(request.messages, language=language)
            )
        except DialogueError as wrong:
            raise Problem("invalid-dialogue", f"{at}{name}: {wrong}") from None
        check_characters([turn.text for turn in (*dialogue.context, dialogue.source)], self.settings, at=at + name)
        return dialogue

    def _language(self, model: str | None) -> str:
        """The language of a model's dialogues; empty where the text is to tell."""
        if model is None:
            return ""
        known = {info.name: info.language for info in self.rewriter.models}
        if model not in known:
            raise Problem(
                "unknown-model",
                f"model must be one of {', '.join(known)}, but another came; see GET /v1/models, or leave it out",
            )
        return known[model]

    def _check_n_best(self, n_best: int) -> None:
        if n_best > self.settings.max_n_best:
            raise Problem(
                "invalid-request",
                f"n_best must be at most {self.settings.max_n_best}, but {n_best} came; ask for fewer",
            )


def answer_of(rewrite: Rewrite) -> RewriteAnswer:
    """A rewrite as the API shows it."""
    drawn = segments(rewrite.script) if rewrite.script else [Segment("kept", rewrite.text)]
    shown: dict[str, Any] = rewrite.to_json()
    shown["segments"] = [SegmentAnswer(**vars(each)) for each in drawn if each.text]
    return RewriteAnswer.model_validate(shown)


def _sizes(dialogues: Sequence[Dialogue]) -> dict[str, int]:
    turns = [turn for dialogue in dialogues for turn in (*dialogue.context, dialogue.source)]
    return {"dialogues": len(dialogues), "turns": len(turns), "characters": sum(len(turn.text) for turn in turns)}


def _timed_out(seconds: float) -> Problem:
    return Problem(
        "timed-out",
        f"a request must be answered within {seconds:g} s, but this one was not; "
        "ask again later, or for fewer dialogues at once",
    )
