"""From request to response: limits, dialogue, queue, rewrite."""

import asyncio
from collections.abc import Iterable, Sequence

from utterly.dialogues.conversation import dialogue_from, turns_of
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import DialogueError
from utterly.rewriter import Rewrite, RewriteOptions, Rewriter
from utterly.scripts.diff import Segment, SegmentKind, segments
from utterly.server.middleware import RequestRecord
from utterly.server.observability import Metrics
from utterly.server.problems import Problem
from utterly.server.queue import RewriteQueue
from utterly.server.schemas import BatchRequest, DialogueRequest, RewriteRequest, RewriteResponse
from utterly.server.settings import ServerSettings


class Service:
    """Answers requests with one rewriter."""

    def __init__(self, rewriter: Rewriter, settings: ServerSettings, metrics: Metrics) -> None:
        self.rewriter, self.settings, self.metrics = rewriter, settings, metrics
        self.queue = RewriteQueue(
            self._rewrite_many,
            model_batch=settings.model_batch,
            max_queue=settings.max_queue,
            timeout=settings.timeout,
            on_batch=metrics.count_batch,
        )
        metrics.queue.set_function(lambda: self.queue.waiting)

    def warm_up(self) -> None:
        """Load every model, to spare the first request the wait."""
        for info in self.rewriter.models:
            first = Dialogue.of(["Who is it?", "Is he?"], language=info.language)
            self.rewriter.rewrite(first)
            list(self.rewriter.rewrite_many([first, first]))

    async def rewrite(self, request: RewriteRequest, record: RequestRecord) -> RewriteResponse:
        dialogue = self._dialogue(request, "", self._language(request.model))
        (response,) = await self._responses([dialogue], request, record)
        return response

    async def rewrite_batch(self, request: BatchRequest, record: RequestRecord) -> list[RewriteResponse]:
        size, most = len(request.dialogues), self.settings.max_batch
        if size > most:
            detail = f"a batch must have at most {most} dialogues, got {size}; send several requests"
            raise Problem("batch-too-large", detail)
        language = self._language(request.model)
        dialogues = [self._dialogue(each, f"dialogues.{i}.", language) for i, each in enumerate(request.dialogues)]
        return await self._responses(dialogues, request, record)

    async def _responses(
        self, dialogues: Sequence[Dialogue], request: RewriteRequest | BatchRequest, record: RequestRecord
    ) -> list[RewriteResponse]:
        if request.n_best > (most := self.settings.max_n_best):
            raise Problem("invalid-request", f"n_best must be at most {most}, got {request.n_best}; ask for fewer")
        turns = [turn for dialogue in dialogues for turn in turns_of(dialogue)]
        record.notes |= {"dialogues": len(dialogues), "turns": len(turns), "characters": sum(map(len, turns))}
        options = RewriteOptions(n_best=request.n_best, min_confidence=request.min_confidence, search=request.search)
        options = options.with_preset(request.preset)
        try:
            async with asyncio.timeout(self.settings.timeout):
                rewrites = await self.queue.rewrite(dialogues, options)
        except TimeoutError:
            detail = f"no answer within {self.settings.timeout:g} s; try again later, or with fewer dialogues"
            raise Problem("timed-out", detail) from None
        record.notes["changed"] = sum(rewrite.changed for rewrite in rewrites)
        if self.settings.log_text:
            record.notes["texts"] = [{"source": each.source, "rewrite": each.text} for each in rewrites]
        for rewrite in rewrites:
            self.metrics.count_rewrite(rewrite)
        return [response_for(rewrite) for rewrite in rewrites]

    def _rewrite_many(self, dialogues: Sequence[Dialogue], options: RewriteOptions) -> Iterable[Rewrite]:
        """Called in the queue's thread. A single dialogue uses all cores; several use one each."""
        if len(dialogues) == 1:
            return [self.rewriter.rewrite(dialogues[0], **vars(options))]
        return self.rewriter.rewrite_many(dialogues, **vars(options))

    def _dialogue(self, request: DialogueRequest, at: str, language: str) -> Dialogue:
        """`at` is the dialogue's place in the body, for error messages."""
        name = "turns" if request.turns else "messages"
        entries, at = request.turns or request.messages, at + name
        if len(entries) > (most := self.settings.max_turns):
            detail = f"{at} must have at most {most} entries, got {len(entries)}; leave out the oldest"
            raise Problem("too-many-turns", detail)
        try:
            dialogue = dialogue_from({name: entries}, language=language)
        except DialogueError as wrong:
            raise Problem("invalid-dialogue", f"{at}: {wrong}") from None
        size = sum(map(len, turns_of(dialogue)))
        if size > (most := self.settings.max_characters):
            detail = (
                f"{at} must have at most {most} characters in all, got {size}; leave out or shorten the oldest turns"
            )
            raise Problem("too-many-characters", detail)
        return dialogue

    def _language(self, model: str | None) -> str:
        """The language of a model; empty to detect it."""
        if model is None:
            return ""
        known = {info.name: info.language for info in self.rewriter.models}
        if model not in known:
            raise Problem("unknown-model", f"model must be one of: {', '.join(known)}; or leave it out")
        return known[model]


def response_for(rewrite: Rewrite) -> RewriteResponse:
    drawn = segments(rewrite.script) if rewrite.script else [Segment(rewrite.text, SegmentKind.KEPT)]
    shown = [segment._asdict() for segment in drawn if segment.text]
    return RewriteResponse.model_validate({**rewrite.to_json(), "segments": shown})
