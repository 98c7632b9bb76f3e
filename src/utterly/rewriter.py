"""Text in, text out.

>>> from utterly import Rewriter
>>> rewriter = Rewriter.load()                                                           # doctest: +SKIP
>>> rewriter.rewrite(["Who is Federer?", "A player.", "Is he Swiss?"]).text              # doctest: +SKIP
'Is Federer Swiss?'
"""

import asyncio
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self

from utterly.baselines import BASELINES, load_baseline
from utterly.dialogues.conversation import Conversation, dialogue_from, last_user_text
from utterly.dialogues.dialogue import split_words
from utterly.dialogues.language import primary_language
from utterly.errors import ModelError, PiecesError, RewriterError, UtterlyError
from utterly.extras import require
from utterly.model.decode import ScoredScript
from utterly.model.folder import ModelFolder, bundled_folders
from utterly.model.model import Model, ScriptModel
from utterly.model.onnx_scorer import OnnxScorer
from utterly.model.terms import Term
from utterly.parallel import MOST_WORKERS, in_threads, usable_cores
from utterly.presets import Preset
from utterly.scripts.edits import EditScript
from utterly.scripts.explain import EditView, edit_views, explain
from utterly.scripts.serialize import script_to_json

FIRST_TURN: Final = "first turn: there is no context to resolve against"
NO_WORDS: Final = "the turn has no words"
_MAX_N_BEST: Final = 1_000  # the beam is at least as wide
SEARCHED_PROBABILITY: Final = 0.3  # of a term in a search query; chosen on half of `benchmarks/retrieval.md`'s turns
_QUEUED_PER_WORKER: Final = 16  # dialogues in memory: enough that no worker waits
_SHARING: Final = Lock()


@dataclass(frozen=True, kw_only=True)
class RewriteOptions:
    n_best: int = 1  # rewrites to return; those after the best are alternatives
    min_confidence: float | None = None  # below this, return the source unchanged; None: the model's own threshold
    fail_open: bool = False  # on failure, return the source and the error instead of raising
    search: bool = False  # also find terms for `Rewrite.search_query`

    def __post_init__(self) -> None:
        if type(self.n_best) is not int or not 1 <= self.n_best <= _MAX_N_BEST:
            raise RewriterError(f"n_best must be a whole number from 1 to {_MAX_N_BEST:,}, got {self.n_best!r}")
        least = self.min_confidence
        if least is not None and (type(least) not in (int, float) or not 0 <= least <= 1):
            raise RewriterError(f"min_confidence must be a number from 0 to 1, got {least!r}")
        if type(self.search) is not bool:
            raise RewriterError(f"search must be True or False, got {self.search!r}")

    def with_preset(self, name: Preset | str | None) -> Self:
        """The same options with the preset's confidence, if that is higher; None is no preset."""
        if name is None:
            return self
        return replace(self, min_confidence=max(self.min_confidence or 0.0, Preset.named(name).min_confidence))


@dataclass(frozen=True)
class Alternative:
    """Another rewrite of the turn."""

    text: str
    confidence: float


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """A turn rewritten to stand on its own, and the turn it was made from.

    `abstained` means that a rewrite was held back because its confidence was too low: `text` is the source, and that
    rewrite is the first alternative. `reason` says why the source is unchanged, if the model did not decide that.
    `script` is None if no model ran. `terms` are context words that the rewrite lacks and that may help a search, most
    probable first; None without `search`.
    """

    text: str
    source: str
    confidence: float  # 0 to 1; 1 if there is nothing to rewrite, 0 if the turn could not be read
    model: str  # empty if no model knows the language
    language: str = ""  # given or detected, a BCP 47 tag: en, zh, de, und-Cyrl
    script: EditScript | None = None
    alternatives: tuple[Alternative, ...] = ()
    abstained: bool = False
    reason: str | None = None
    error: UtterlyError | None = None
    terms: tuple[Term, ...] | None = None

    @classmethod
    def failed(cls, conversation: object, failure: Exception) -> Self:
        """The last user turn unchanged; `error` is the failure, wrapped in a `RewriterError` if it is not ours."""
        source = last_user_text(conversation)
        error = failure if isinstance(failure, UtterlyError) else RewriterError(f"{type(failure).__name__}: {failure}")
        if error is not failure:
            error.__cause__ = failure
        return cls(text=source, source=source, confidence=0.0, model="", error=error)

    @property
    def changed(self) -> bool:
        return self.text != self.source

    @property
    def search_query(self) -> str:
        """The query for a search engine: the rewrite, and with `search` the best term, if it is probable enough."""
        best = [term.text for term in (self.terms or ())[:1] if term.probability >= SEARCHED_PROBABILITY]
        return " ".join([self.text, *best])

    @cached_property
    def edits(self) -> tuple[EditView, ...]:
        """The edits made to the source, in order; empty if it is unchanged."""
        return edit_views(self.script) if self.script else ()

    def explain(self) -> str:
        """The edits in plain words, one per line, or the reason why there are none."""
        if self.reason or self.error:
            return f"no change: {self.reason or self.error}"
        return explain(self.script) if self.script else "no change"

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON; `utterly.scripts.serialize` describes the edits."""
        plain: dict[str, Any] = {
            "text": self.text,
            "source": self.source,
            "changed": self.changed,
            "confidence": round(self.confidence, 4),
            "abstained": self.abstained,
            "edits": script_to_json(self.script) if self.script else [],
            "alternatives": [{"text": way.text, "confidence": round(way.confidence, 4)} for way in self.alternatives],
            "model": self.model,
            "language": self.language,
            "reason": self.reason,
            "error": None if self.error is None else {"type": type(self.error).__name__, "message": str(self.error)},
        }
        if self.terms is not None:
            plain["search_query"] = self.search_query
            plain["terms"] = [
                {
                    "text": term.text,
                    "turn": term.span.turn,
                    "word": term.span.start,
                    "probability": round(term.probability, 4),
                }
                for term in self.terms
            ]
        return plain


class Rewriter:
    """Rewrites the last turn of dialogues so that it stands on its own. Thread-safe.

    The same dialogue always gives the same rewrite. A turn that needs no context comes back unchanged: a first turn, a
    turn without words, a turn that the model leaves alone. So does a turn that is too long, or in a language that no
    model knows, with the reason in the result.
    """

    def __init__(self, models: Sequence[ModelFolder], *, threads: int | None = None, device: str = "cpu") -> None:
        _must_be_a_count("threads", threads)
        self.models = tuple(models)
        if not self.models or not all(isinstance(model, ModelFolder) for model in self.models):
            raise RewriterError(f"a Rewriter needs model folders, got {models!r}; use Rewriter.load")
        self._by_language = {model.language: model for model in self.models[::-1]}
        self._threads, self.device = threads, device
        self._loaded: dict[tuple[str, bool], ScriptModel] = {}
        self._loading = Lock()

    def __repr__(self) -> str:
        names = ", ".join(model.name for model in self.models)
        return f"<{type(self).__name__} of {names}; threads={self._threads}, device={self.device!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy without the loaded models: they are loaded again on first use."""
        return partial(type(self), threads=self._threads, device=self.device), (self.models,)

    @classmethod
    def load(cls, model: Path | str | None = None, *, threads: int | None = None, device: str = "cpu") -> Self:
        """A rewriter with all bundled models, loaded on first use, or with one given model, loaded now.

        The bundled models are chosen by the dialogue's language; in a language that none of them knows, the turn stays
        unchanged. A given model rewrites any language. `model` is a bundled model (`"en"`, `"zh"`), a folder written by
        `utterly export` or `utterly train`, or a name on the Hugging Face hub. `threads` is the number of cores that
        one rewrite may use. `device` is where torch runs a model that was not exported; any but "cpu" needs torch.
        """
        if model is not None:
            rewriter = cls([ModelFolder.find(model)], threads=threads, device=device)
            rewriter._load(rewriter.models[0], one_core=threads == 1)
            return rewriter
        folders = [ModelFolder.read(name, folder) for name, folder in bundled_folders().items()]
        if not folders:
            raise ModelError("this installation has no bundled models; install Utterly again, or give a model folder")
        return cls(folders, threads=threads, device=device)

    def rewrite(
        self,
        dialogue: Conversation,
        *,
        preset: Preset | str | None = None,
        n_best: int = 1,
        min_confidence: float | None = None,
        fail_open: bool = False,
        search: bool = False,
    ) -> Rewrite:
        """Rewrite the last turn.

        `preset` says how readily: `eager` whenever the model would, `balanced` or `careful` only if it is more
        confident. A rewrite below the preset's confidence, or `min_confidence` if that is higher, is held back: the
        source is returned with `abstained` set. Without either, the model's own threshold counts; 0 holds nothing back.
        With `n_best` above 1, the result has alternatives. With `fail_open`, a failure does not raise: the source is
        returned unchanged with the `error`. With `search`, the result has `terms`, and `search_query` uses them.
        """
        options = RewriteOptions(n_best=n_best, min_confidence=min_confidence, fail_open=fail_open, search=search)
        return self._rewrite(dialogue, options.with_preset(preset))

    async def arewrite(
        self,
        dialogue: Conversation,
        *,
        preset: Preset | str | None = None,
        n_best: int = 1,
        min_confidence: float | None = None,
        fail_open: bool = False,
        search: bool = False,
    ) -> Rewrite:
        """Like `rewrite`, but in a thread, so it does not block the event loop."""
        options = RewriteOptions(n_best=n_best, min_confidence=min_confidence, fail_open=fail_open, search=search)
        return await asyncio.to_thread(self._rewrite, dialogue, options.with_preset(preset))

    def rewrite_many(
        self,
        dialogues: Iterable[Conversation],
        *,
        workers: int | None = None,
        preset: Preset | str | None = None,
        n_best: int = 1,
        min_confidence: float | None = None,
        fail_open: bool = False,
        search: bool = False,
    ) -> Iterator[Rewrite]:
        """Like `rewrite`, for any number of dialogues, in order, with only a few in memory at a time.

        `workers` is how many dialogues are rewritten in parallel, each on one core; by default `threads`, or all cores.
        In int8 this is faster than batches, and no rewrite depends on other dialogues in its batch.
        """
        _must_be_a_count("workers", workers)
        options = RewriteOptions(n_best=n_best, min_confidence=min_confidence, fail_open=fail_open, search=search)
        work = partial(self._rewrite, options=options.with_preset(preset), one_core=True)
        return in_threads(work, dialogues, workers=workers or self._threads or usable_cores(), ahead=_QUEUED_PER_WORKER)

    def _rewrite(self, conversation: Conversation, options: RewriteOptions, *, one_core: bool = False) -> Rewrite:
        try:
            dialogue = dialogue_from(conversation)
            source, language = dialogue.source.text, dialogue.language
            # A single model is used for any language.
            several = len(self.models) > 1
            folder = self._by_language.get(primary_language(language)) if several else self.models[0]
            name = folder.name if folder else ""
            terms: tuple[Term, ...] | None = () if options.search else None
            unchanged = partial(Rewrite, text=source, source=source, model=name, language=language, terms=terms)
            if not source.strip():
                return unchanged(confidence=1.0, reason=NO_WORDS)
            if not any(turn.text.strip() for turn in dialogue.context):
                return unchanged(confidence=1.0, reason=FIRST_TURN)
            if folder is None:
                known = ", ".join(sorted(self._by_language))
                reason = f"the language is {language!r}, and the models know {known}; name a model to use it anyway"
                return unchanged(confidence=0.0, reason=reason)
            one_core = one_core or self._threads == 1
            model = self._loaded.get((name, one_core)) or self._load(folder, one_core=one_core)
            # More than requested, as several scripts may give the same text; the beam has them anyway.
            n = max(options.n_best, model.config.decode.beam) if options.n_best > 1 else 1
            try:
                if options.search:
                    scripts, terms = model.scripts_and_terms(dialogue, n)
                else:
                    scripts = model.scripts(dialogue, n)
            except PiecesError as too_long:
                return unchanged(confidence=0.0, reason=str(too_long))
            least = model.config.min_confidence if options.min_confidence is None else options.min_confidence
            rewrite = _result(scripts, [model.confidence(each) for each in scripts], name, options.n_best, least)
            return rewrite if terms is None else replace(rewrite, terms=_missing(terms, rewrite.text))
        except Exception as failure:
            if not options.fail_open:
                raise
            return Rewrite.failed(conversation, failure)

    def _load(self, folder: ModelFolder, *, one_core: bool) -> ScriptModel:
        """The model, read on first use: once to run on several cores, and once to run on one."""
        key = folder.name, one_core
        with self._loading:
            if key not in self._loaded:
                threads = 1 if one_core else self._threads
                other = self._loaded.get((folder.name, not one_core))
                self._loaded[key] = _with_threads(other, folder, threads) if other else self._read(folder, threads)
            return self._loaded[key]

    def _read(self, folder: ModelFolder, threads: int | None) -> ScriptModel:
        if folder.config.tagger in BASELINES:
            return load_baseline(folder, self.device)
        if folder.has_graphs and self.device == "cpu":
            folder.check_files()
            return Model(folder.config, folder.book(), folder.encoder(), OnnxScorer(folder.path, threads=threads))
        require("torch", extra="train")
        from utterly.networks.torch_model import TorchModel

        return TorchModel.from_pretrained(folder, device=self.device)


def shared_rewriter(model: str | None, *, threads: int | None = None, device: str = "cpu") -> Rewriter:
    """`Rewriter.load`, once per process and settings: a fork cannot use a model loaded before it."""
    with _SHARING:
        return _loaded_in(os.getpid(), model, threads, device)


@cache
def _loaded_in(_process: int, model: str | None, threads: int | None, device: str) -> Rewriter:
    return Rewriter.load(model, threads=threads, device=device)


def _with_threads(model: ScriptModel, folder: ModelFolder, threads: int | None) -> ScriptModel:
    """The same model with this many threads; torch ignores the number and uses all cores."""
    if not isinstance(model, Model) or not isinstance(model.scorer, OnnxScorer):
        return model
    return replace(model, scorer=OnnxScorer(folder.path, threads=threads))


def _result(
    scripts: Sequence[ScoredScript], confidences: Sequence[float], model: str, n_best: int, min_confidence: float
) -> Rewrite:
    dialogue = scripts[0].script.dialogue
    source = dialogue.source.text
    ways: dict[str, Alternative] = {}  # by text, best first
    for scored, confidence in zip(scripts, confidences, strict=True):
        text = scored.script.apply() if scored.script.has_changes else source
        ways.setdefault(text, Alternative(text, confidence))
    best, *others = ways.values()
    others = others[: n_best - 1]
    abstained = best.text != source and best.confidence < min_confidence
    if abstained:
        others = [way for way in (best, *others) if way.text != source]
    return Rewrite(
        text=source if abstained else best.text,
        source=source,
        confidence=best.confidence,
        model=model,
        language=dialogue.language,
        script=EditScript.unchanged(dialogue) if abstained or best.text == source else scripts[0].script,
        alternatives=tuple(others),
        abstained=abstained,
        reason=f"confidence {best.confidence:.2f} is below {min_confidence:g}" if abstained else None,
    )


def _missing(terms: Iterable[Term], text: str) -> tuple[Term, ...]:
    """The terms that a text lacks."""
    words = {word.text.casefold() for word in split_words(text)}
    return tuple(term for term in terms if term.text.casefold() not in words)


def _must_be_a_count(name: str, value: object) -> None:
    if value is not None and (type(value) is not int or not 1 <= value <= MOST_WORKERS):
        raise RewriterError(f"{name} must be a whole number from 1 to {MOST_WORKERS}, got {value!r}")
