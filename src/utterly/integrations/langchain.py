"""LangChain: `rewriter | retriever` in place of a language model that condenses the question.

Also a history-aware retriever, and a step that gives the rewrite with its edits and confidence. Nothing here streams
words: what a chain streams is its answer, never the rewritten question.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Final, TypeVar

from utterly.errors import DialogueError
from utterly.extras import require
from utterly.integrations.lazy_rewriter import Asked, LazyRewriter
from utterly.rewriter import Rewrite

require("langchain_core", extra="langchain")

from langchain_core.callbacks import AsyncCallbackManagerForChainRun, CallbackManagerForChainRun
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, ChatMessage, HumanMessage, convert_to_messages
from langchain_core.runnables import Runnable, RunnableConfig, RunnableSerializable
from langchain_core.runnables.config import get_config_list, merge_configs
from pydantic import ConfigDict

EVENT: Final = "utterly_rewrite"
"""The name of the custom event that tells callbacks of a rewrite; its data is `Rewrite.to_json()`."""
TAG: Final = "utterly"
"""The tag of all runs that rewrite, to filter events by."""

_SPOKEN_ROLES: Final = ("user", "human", "assistant", "ai")
Input = dict[str, Any]
Output = TypeVar("Output")


def turns_of(history: Any) -> list[str]:
    """What people and models said: of messages, pairs of role and text, dicts, or a chat history that holds such."""
    if isinstance(history, str):
        raise DialogueError(
            "chat_history must be a list of messages, but a string came; give the messages it was made from"
        )
    messages = convert_to_messages(getattr(history, "messages", history))
    return [text for message in messages if _is_spoken(message) and (text := str(message.text)).strip()]


def _is_spoken(message: BaseMessage) -> bool:
    if isinstance(message, ChatMessage):
        return message.role in _SPOKEN_ROLES
    return isinstance(message, HumanMessage | AIMessage)


class _Rewriting(RunnableSerializable[Input, Output]):
    """A step that reads `input` and `chat_history`, rewrites, and answers in its own way."""

    model: str | None = None
    min_confidence: float = 0.0
    raise_errors: bool = False
    input_key: str = "input"
    history_key: str = "chat_history"

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._rewriter()  # refuses wrong settings

    @classmethod
    def is_lc_serializable(cls) -> bool:
        return True

    @abstractmethod
    def _answer(self, asked: Input, rewrite: Rewrite) -> Output: ...

    def rewrite(self, input: Input) -> Rewrite:  # noqa: A002 - as LangChain calls it
        """The rewrite itself, without a run."""
        return self._rewriter().rewrite(*self._asked(input))

    def warm_up(self) -> None:
        """Load the model now instead of at the first question."""
        self._rewriter().warm_up()

    def invoke(self, input: Input, config: RunnableConfig | None = None, **kwargs: Any) -> Output:  # noqa: A002
        return self._call_with_config(self._run, input, _tagged(config), **kwargs)

    async def ainvoke(self, input: Input, config: RunnableConfig | None = None, **kwargs: Any) -> Output:  # noqa: A002
        return await self._acall_with_config(self._arun, input, _tagged(config), **kwargs)

    def batch(
        self,
        inputs: list[Input],
        config: RunnableConfig | list[RunnableConfig] | None = None,
        *,
        return_exceptions: bool = False,
        **kwargs: Any,
    ) -> list[Output]:
        configs = [_tagged(each) for each in get_config_list(config, len(inputs))]
        return self._batch_with_config(self._run_many, inputs, configs, return_exceptions=return_exceptions, **kwargs)

    async def abatch(
        self,
        inputs: list[Input],
        config: RunnableConfig | list[RunnableConfig] | None = None,
        *,
        return_exceptions: bool = False,
        **kwargs: Any,
    ) -> list[Output]:
        configs = [_tagged(each) for each in get_config_list(config, len(inputs))]
        return await self._abatch_with_config(
            self._arun_many, inputs, configs, return_exceptions=return_exceptions, **kwargs
        )

    def _run(self, asked: Input, run_manager: CallbackManagerForChainRun) -> Output:
        rewrite = self.rewrite(asked)
        _tell(run_manager, rewrite)
        return self._answer(asked, rewrite)

    async def _arun(self, asked: Input, run_manager: AsyncCallbackManagerForChainRun) -> Output:
        rewrite = await self._rewriter().arewrite(*self._asked(asked))
        await _atell(run_manager, rewrite)
        return self._answer(asked, rewrite)

    def _run_many(self, inputs: list[Input], run_manager: list[CallbackManagerForChainRun]) -> list[Exception | Output]:
        rewrites = self._rewrite_many(inputs)
        for run, rewrite in zip(run_manager, rewrites, strict=True):
            if isinstance(rewrite, Rewrite):
                _tell(run, rewrite)
        return list(map(self._answer_or_error, inputs, rewrites))

    async def _arun_many(
        self, inputs: list[Input], run_manager: list[AsyncCallbackManagerForChainRun]
    ) -> list[Exception | Output]:
        rewrites = await asyncio.to_thread(self._rewrite_many, inputs)
        for run, rewrite in zip(run_manager, rewrites, strict=True):
            if isinstance(rewrite, Rewrite):
                await _atell(run, rewrite)
        return list(map(self._answer_or_error, inputs, rewrites))

    def _rewrite_many(self, inputs: list[Input]) -> list[Rewrite | DialogueError]:
        """The rewrites. An input without a question is refused, and does not fail the others."""
        read = [self._asked_or_refusal(each) for each in inputs]
        rewrites = iter(self._rewriter().answers([each for each in read if isinstance(each, tuple)]))
        return [next(rewrites) if isinstance(each, tuple) else each for each in read]

    def _answer_or_error(self, asked: Input, rewrite: Rewrite | DialogueError) -> Exception | Output:
        if isinstance(rewrite, DialogueError):
            return rewrite
        return rewrite.error if rewrite.error and self.raise_errors else self._answer(asked, rewrite)

    def _rewriter(self) -> LazyRewriter:
        return LazyRewriter(turns_of, self.model, self.min_confidence, self.raise_errors)

    def _asked_or_refusal(self, asked: Any) -> Asked | DialogueError:
        try:
            return self._asked(asked)
        except DialogueError as refused:
            return refused

    def _asked(self, asked: Any) -> Asked:
        question = asked.get(self.input_key) if isinstance(asked, Mapping) else None
        if isinstance(question, BaseMessage):
            question = str(question.text)
        if not isinstance(question, str):
            raise DialogueError(
                f"the input must be a dict with the question under {self.input_key!r}, as a string or a message, "
                "but it is not; give it, or name its key with `input_key`"
            )
        return question, asked.get(self.history_key)


class QuestionRewriter(_Rewriting[str]):
    """Rewrites the question under `input` so that it can be understood without `chat_history`.

    In a chain, `QuestionRewriter() | retriever` is a history-aware retriever.
    """

    def _answer(self, asked: Input, rewrite: Rewrite) -> str:  # noqa: ARG002 - others need it
        return rewrite.text

    def with_details(self) -> "DetailedQuestionRewriter":
        """The same rewriter as a step that adds the rewrite to its input."""
        return DetailedQuestionRewriter(**self.model_dump())


class DetailedQuestionRewriter(_Rewriting[dict[str, Any]]):
    """Gives back its input, so also the raw question, with two more keys.

    `question` is the rewritten question, and `rewrite` is `Rewrite.to_json()`: edits, confidence, error and all.
    """

    def _answer(self, asked: Input, rewrite: Rewrite) -> dict[str, Any]:
        return {**asked, "question": rewrite.text, "rewrite": rewrite.to_json()}


class HistoryAwareRetriever(RunnableSerializable[Input, list[Document]]):
    """Retrieves documents for the rewritten question.

    Each document comes as a copy whose metadata has, under `metadata_key`, the rewrite it was found by:
    `Rewrite.to_json()`. With None as that key, documents come as the retriever gave them.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    rewriter: QuestionRewriter
    retriever: Runnable[str, list[Document]]
    metadata_key: str | None = "rewrite"

    @classmethod
    def is_lc_serializable(cls) -> bool:
        return True

    def invoke(
        self,
        input: Input,  # noqa: A002 - as LangChain calls it
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        return self._call_with_config(self._retrieve, input, config, **kwargs)

    async def ainvoke(
        self,
        input: Input,  # noqa: A002 - as LangChain calls it
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        return await self._acall_with_config(self._aretrieve, input, config, **kwargs)

    # Both run inside this run's config, which LangChain hands on through the context.

    def _retrieve(self, asked: Input, **kwargs: Any) -> list[Document]:
        known = self.rewriter.with_details().invoke(asked)
        return self._noted(self.retriever.invoke(known["question"], **kwargs), known["rewrite"])

    async def _aretrieve(self, asked: Input, **kwargs: Any) -> list[Document]:
        known = await self.rewriter.with_details().ainvoke(asked)
        return self._noted(await self.retriever.ainvoke(known["question"], **kwargs), known["rewrite"])

    def _noted(self, documents: list[Document], rewrite: dict[str, Any]) -> list[Document]:
        if self.metadata_key is None:
            return documents
        note = {self.metadata_key: rewrite}
        return [each.model_copy(update={"metadata": {**each.metadata, **note}}) for each in documents]


def create_history_aware_retriever(
    rewriter: QuestionRewriter, retriever: Runnable[str, list[Document]], *, metadata_key: str | None = "rewrite"
) -> HistoryAwareRetriever:
    """As LangChain's helper of this name, with a rewriter in place of a language model and its prompt."""
    return HistoryAwareRetriever(rewriter=rewriter, retriever=retriever, metadata_key=metadata_key)


def _tagged(config: RunnableConfig | None) -> RunnableConfig:
    return merge_configs({"tags": [TAG]}, config)


def _tell(run: CallbackManagerForChainRun, rewrite: Rewrite) -> None:
    run.get_child().on_custom_event(EVENT, rewrite.to_json(), run_id=run.run_id)


async def _atell(run: AsyncCallbackManagerForChainRun, rewrite: Rewrite) -> None:
    await run.get_child().on_custom_event(EVENT, rewrite.to_json(), run_id=run.run_id)
