"""Step 7: text in, text out.

>>> from utterly import Rewriter
>>> rewriter = Rewriter.load()                                                           # doctest: +SKIP
>>> rewriter.rewrite(["Who is Federer?", "A player.", "Is he Swiss?"]).text              # doctest: +SKIP
'Is Federer Swiss?'
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self

from utterly.dialogues.conversation import Conversation, dialogue_from, last_user_text
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ModelError, PiecesError, RewriterError, UtterlyError
from utterly.model.bundled import bundled, bundled_folder
from utterly.model.decode import ScoredScript
from utterly.model.model import LoadedModel, ModelInfo
from utterly.model.onnx_scorer import usable_cores
from utterly.scripts.edits import EditScript
from utterly.scripts.explain import EditView, edit_views, explain
from utterly.scripts.serialize import script_to_json

FIRST_TURN: Final = "there is nothing before the turn that it could hang on"
NO_WORDS: Final = "the turn has no words"
_AHEAD: Final = 16  # dialogues a worker that may wait for an answer
_FIRST_LANGUAGE: Final = "en"


@dataclass(frozen=True, kw_only=True)
class RewriteOptions:
    """How a caller wants to be answered."""

    n_best: int = 1  # rewrites wanted: those after the best are alternatives
    min_confidence: float = 0.0  # below it, the source comes back
    fail_open: bool = False  # on a failure the source comes back, with the error, instead of an exception

    def __post_init__(self) -> None:
        if type(self.n_best) is not int or self.n_best < 1:
            raise RewriterError(f"n_best must be a whole number of at least 1, got {self.n_best!r}")
        least: object = self.min_confidence  # whatever was given
        if not isinstance(least, int | float) or not 0 <= least <= 1:
            raise RewriterError(f"min_confidence must be a number from 0 to 1, got {least!r}")


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

    @classmethod
    def given_back(cls, conversation: object, failure: Exception) -> Self:
        """The last user turn as it came, with the error; one that is not ours is the cause of one that is."""
        source = last_user_text(conversation)
        error = failure if isinstance(failure, UtterlyError) else RewriterError(f"{type(failure).__name__}: {failure}")
        if error is not failure:
            error.__cause__ = failure
        return cls(text=source, source=source, confidence=0.0, model="", error=error)

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
        """Everything, for programs; the edits as `utterly.scripts.serialize` describes them."""
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


class Rewriter:
    """Rewrites the last turn of dialogues so that it stands on its own. Safe to use from several threads.

    The same dialogue gives the same rewrite. What needs no context comes back as it came: a first turn, a turn
    without words, a turn that the model leaves alone, and a turn too long to be read, with the reason in the result.
    """

    def __init__(self, models: Sequence[ModelInfo], *, threads: int | None = None) -> None:
        if threads is not None and (type(threads) is not int or threads < 1):
            raise RewriterError(f"threads must be a whole number above 0, but {threads!r} came; leave it out")
        self.models = tuple(models)
        self._by_language = {info.language: info for info in reversed(self.models)}
        self._threads = threads
        self._loaded: dict[tuple[str, bool], LoadedModel] = {}
        self._loading = Lock()

    @classmethod
    def load(cls, model: Path | str | None = None, *, threads: int | None = None) -> Self:
        """The bundled models, chosen by the text's language and read when first needed; or one model.

        `model` is the language of a bundled model (`"en"`, `"zh"`) or a folder that `utterly export` or
        `utterly train` wrote; that is read at once. `threads` is how many cores one rewrite may use.
        """
        if model is None:
            return cls(_bundled_models(), threads=threads)
        rewriter = cls([_model_called(model)], threads=threads)
        rewriter._model(rewriter.models[0])
        return rewriter

    def rewrite(
        self, dialogue: Conversation, *, n_best: int = 1, min_confidence: float = 0.0, fail_open: bool = False
    ) -> Rewrite:
        """Rewrite the last turn.

        With `n_best` above 1 the result has alternatives. Under `min_confidence` the source comes back, and the
        result says that it `abstained`. With `fail_open` the source comes back on every failure, with the `error`
        in the result, instead of an exception.
        """
        options = RewriteOptions(n_best=n_best, min_confidence=min_confidence, fail_open=fail_open)
        return self._answer(dialogue, options)

    async def arewrite(
        self, dialogue: Conversation, *, n_best: int = 1, min_confidence: float = 0.0, fail_open: bool = False
    ) -> Rewrite:
        """As `rewrite`, in a thread of its own, so that an event loop goes on meanwhile."""
        return await asyncio.to_thread(
            self.rewrite, dialogue, n_best=n_best, min_confidence=min_confidence, fail_open=fail_open
        )

    def rewrite_many(
        self,
        dialogues: Iterable[Conversation],
        *,
        workers: int | None = None,
        n_best: int = 1,
        min_confidence: float = 0.0,
        fail_open: bool = False,
    ) -> Iterator[Rewrite]:
        """As `rewrite`, for any number of dialogues, in their order; few are held at a time.

        `workers` is how many are worked on side by side, each on one core; by default all cores, or `threads`. In
        int8 that is faster than batches, and an answer does not hang on what else is in its batch.
        """
        if workers is not None and (type(workers) is not int or workers < 1):
            raise RewriterError(f"workers must be a whole number above 0, but {workers!r} came; leave it out")
        options = RewriteOptions(n_best=n_best, min_confidence=min_confidence, fail_open=fail_open)
        return self._side_by_side(iter(dialogues), workers or self._threads or usable_cores(), options)

    def _side_by_side(
        self, waiting: Iterator[Conversation], workers: int, options: RewriteOptions
    ) -> Iterator[Rewrite]:
        pool = ThreadPoolExecutor(workers, thread_name_prefix="utterly")
        jobs: deque[Future[Rewrite]] = deque()
        try:
            for conversation in waiting:
                jobs.append(pool.submit(self._answer, conversation, options, one_core=True))
                while jobs and (jobs[0].done() or len(jobs) >= workers * _AHEAD):
                    yield jobs.popleft().result()
            while jobs:
                yield jobs.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)

    def _answer(self, conversation: Conversation, options: RewriteOptions, *, one_core: bool = False) -> Rewrite:
        try:
            dialogue = dialogue_from(conversation)
            return self._unasked(dialogue) or self._asked(dialogue, options, one_core=one_core)
        except Exception as failure:
            if not options.fail_open:
                raise
            return Rewrite.given_back(conversation, failure)

    def _unasked(self, dialogue: Dialogue) -> Rewrite | None:
        """The answer where no model is needed."""
        source = dialogue.source.text
        if not _is_blank(source) and not all(_is_blank(turn.text) for turn in dialogue.context):
            return None
        reason = NO_WORDS if _is_blank(source) else FIRST_TURN
        return Rewrite(text=source, source=source, confidence=1.0, model=self._info_for(dialogue).name, reason=reason)

    def _asked(self, dialogue: Dialogue, options: RewriteOptions, *, one_core: bool) -> Rewrite:
        model = self._model(self._info_for(dialogue), one_core=one_core)
        try:
            pieces = model.encoder.encode(dialogue)
        except PiecesError as too_long:
            source = dialogue.source.text
            return Rewrite(text=source, source=source, confidence=0.0, model=model.info.name, reason=str(too_long))
        # More than were asked for, as several scripts may read alike; the beam has them anyway.
        n = max(options.n_best, model.settings.beam) if options.n_best > 1 else 1
        (scripts,) = model.scorer.decode([dialogue], [pieces], model.book, model.settings, n=n)
        return _rewrite(model, scripts, options)

    def _info_for(self, dialogue: Dialogue) -> ModelInfo:
        if len(self.models) == 1:
            return self.models[0]
        known = self._by_language
        return known.get(dialogue.language) or known.get(_FIRST_LANGUAGE) or self.models[0]

    def _model(self, info: ModelInfo, *, one_core: bool = False) -> LoadedModel:
        """The model itself, read when it is first needed."""
        key = info.name, one_core or self._threads == 1
        if key not in self._loaded:
            with self._loading:
                if key not in self._loaded:
                    self._loaded[key] = self._read(info, one_core=key[1])
        return self._loaded[key]

    def _read(self, info: ModelInfo, *, one_core: bool) -> LoadedModel:
        other = self._loaded.get((info.name, not one_core))
        threads = 1 if one_core else self._threads
        return other.with_threads(threads) if other else LoadedModel.load(info, threads=threads)


def _rewrite(model: LoadedModel, scripts: Sequence[ScoredScript], options: RewriteOptions) -> Rewrite:
    dialogue = scripts[0].script.dialogue
    source = dialogue.source.text
    ways: dict[str, Alternative] = {}  # by text, best first
    for scored in scripts:
        text = scored.script.apply() if scored.script.changes else source
        ways.setdefault(text, Alternative(text, model.confidence_of(scored)))
    best, *others = ways.values()
    others = others[: options.n_best - 1]
    abstained = best.confidence < options.min_confidence
    if abstained:
        held_back = [best, *others]
        others = [way for way in held_back if way.text != source]
    unchanged = abstained or best.text == source
    return Rewrite(
        text=source if abstained else best.text,
        source=source,
        confidence=best.confidence,
        model=model.info.name,
        script=EditScript.unchanged(dialogue) if unchanged else scripts[0].script,
        alternatives=tuple(others),
        abstained=abstained,
        reason=f"confidence {best.confidence:.2f} is under {options.min_confidence:g}" if abstained else None,
    )


def _is_blank(text: str) -> bool:
    return not text or text.isspace()


def _bundled_models() -> list[ModelInfo]:
    folders = bundled()
    if not folders:
        raise ModelError(
            "a bundled model must come with the package, but this installation has none; "
            "install it again, or give the folder of a model"
        )
    return [ModelInfo.of(name, folder) for name, folder in folders.items()]


def _model_called(model: Path | str) -> ModelInfo:
    if found := bundled_folder(model):
        return ModelInfo.of(str(model), found)
    folder = Path(model)
    if not folder.is_dir():
        known = ", ".join(bundled()) or "none"
        raise ModelError(
            f"{model}: must be a bundled model (here: {known}) or a model's folder, but it is neither; check it"
        )
    return ModelInfo.of(folder.resolve().name, folder)
