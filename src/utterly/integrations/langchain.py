"""LangChain: `rewriter | retriever` instead of a language model that condenses the question.

Also a history-aware retriever, and a step that returns the rewrite with its edits and confidence. Nothing here streams:
a chain streams its answer, not the rewritten question.
"""

# ruff: noqa: A002 - LangChain calls it `input`

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Final, TypeVar

from utterly.errors import DialogueError
from utterly.extras import require
from utterly.integrations.lazy_rewriter import LazyRewriter
from utterly.rewriter import Rewrite

require("langchain_core", extra="langchain")

from langchain_core.callbacks import AsyncCallbackManagerForChainRun, CallbackManagerForChainRun
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable, RunnableConfig, RunnableSerializable
from langchain_core.runnables.config import merge_configs
from pydantic import ConfigDict

EVENT: Final = "utterly_rewrite"
"""The custom event sent to callbacks for each rewrite; its data is `Rewrite.to_json()`."""
TAG: Final = "utterly"
"""The tag of every run that rewrites, to filter events by."""

Input = dict[str, Any]
Output = TypeVar("Output")


class _Rewriting(RunnableSerializable[Input, Output]):
    """A step that rewrites `input`, given `chat_history`; subclasses choose the output."""

    model: str | None = None
    min_confidence: float | None = None
    raise_errors: bool = False
    search: bool = False  # add the likeliest missing word: `Rewrite.search_query` in place of `Rewrite.text`
    input_key: str = "input"
    history_key: str = "chat_history"

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._rewriter()  # checks the settings

    @classmethod
    def is_lc_serializable(cls) -> bool:
        return True

    @abstractmethod
    def _output(self, given: Input, rewrite: Rewrite) -> Output: ...

    def rewrite(self, input: Input) -> Rewrite:
        """The rewrite itself, without a run."""
        return self._rewriter().rewrite(*self._question(input))

    def warm_up(self) -> None:
        """Load the model now instead of at the first question."""
        self._rewriter().warm_up()

    def invoke(self, input: Input, config: RunnableConfig | None = None, **kwargs: Any) -> Output:
        return self._call_with_config(self._run, input, _tagged(config), **kwargs)

    async def ainvoke(self, input: Input, config: RunnableConfig | None = None, **kwargs: Any) -> Output:
        return await self._acall_with_config(self._arun, input, _tagged(config), **kwargs)

    def _run(self, given: Input, run_manager: CallbackManagerForChainRun) -> Output:
        rewrite = self.rewrite(given)
        run_manager.get_child().on_custom_event(EVENT, rewrite.to_json(), run_id=run_manager.run_id)
        return self._output(given, rewrite)

    async def _arun(self, given: Input, run_manager: AsyncCallbackManagerForChainRun) -> Output:
        rewrite = await self._rewriter().arewrite(*self._question(given))
        await run_manager.get_child().on_custom_event(EVENT, rewrite.to_json(), run_id=run_manager.run_id)
        return self._output(given, rewrite)

    def _rewriter(self) -> LazyRewriter:
        return LazyRewriter(self.model, self.min_confidence, self.raise_errors, self.search)

    def _question(self, given: Any) -> tuple[str, object]:
        question = given.get(self.input_key) if isinstance(given, Mapping) else None
        if isinstance(question, BaseMessage):
            question = str(question.text)
        if not isinstance(question, str):
            raise DialogueError(
                f"the input must be a dict with the question, a string or a message, under {self.input_key!r}; "
                "for another key, set `input_key`"
            )
        return question, given.get(self.history_key)


class QuestionRewriter(_Rewriting[str]):
    """Rewrites the question in `input` so it can be understood without `chat_history`.

    In a chain, `QuestionRewriter() | retriever` is a history-aware retriever.
    """

    def _output(self, given: Input, rewrite: Rewrite) -> str:  # noqa: ARG002 - others need it
        return rewrite.search_query

    def with_details(self) -> "DetailedQuestionRewriter":
        """The same rewriter as a step that adds the rewrite to its input."""
        return DetailedQuestionRewriter(**self.model_dump())


class DetailedQuestionRewriter(_Rewriting[dict[str, Any]]):
    """Returns its input, including the raw question, with two more keys.

    `question` is the rewritten question (with `search`, the search query), and `rewrite` is `Rewrite.to_json()`: edits,
    confidence, error and the rest.
    """

    def _output(self, given: Input, rewrite: Rewrite) -> dict[str, Any]:
        return {**given, "question": rewrite.search_query, "rewrite": rewrite.to_json()}


class HistoryAwareRetriever(RunnableSerializable[Input, list[Document]]):
    """Retrieves documents for the rewritten question.

    Each document is a copy with `Rewrite.to_json()` in its metadata, under `metadata_key`. If that is None, documents
    are returned as they are.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    rewriter: QuestionRewriter
    retriever: Runnable[str, list[Document]]
    metadata_key: str | None = "rewrite"

    @classmethod
    def is_lc_serializable(cls) -> bool:
        return True

    def invoke(self, input: Input, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        return self._call_with_config(self._retrieve, input, config, **kwargs)

    async def ainvoke(self, input: Input, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        return await self._acall_with_config(self._aretrieve, input, config, **kwargs)

    # Both steps inherit this run's config: LangChain passes it on in the context.

    def _retrieve(self, given: Input, **kwargs: Any) -> list[Document]:
        details = self.rewriter.with_details().invoke(given)
        return self._with_rewrite(self.retriever.invoke(details["question"], **kwargs), details["rewrite"])

    async def _aretrieve(self, given: Input, **kwargs: Any) -> list[Document]:
        details = await self.rewriter.with_details().ainvoke(given)
        return self._with_rewrite(await self.retriever.ainvoke(details["question"], **kwargs), details["rewrite"])

    def _with_rewrite(self, documents: list[Document], rewrite: dict[str, Any]) -> list[Document]:
        if self.metadata_key is None:
            return documents
        note = {self.metadata_key: rewrite}
        return [each.model_copy(update={"metadata": {**each.metadata, **note}}) for each in documents]


def create_history_aware_retriever(
    rewriter: QuestionRewriter, retriever: Runnable[str, list[Document]], *, metadata_key: str | None = "rewrite"
) -> HistoryAwareRetriever:
    """LangChain's function of this name, with a rewriter instead of a language model and a prompt."""
    return HistoryAwareRetriever(rewriter=rewriter, retriever=retriever, metadata_key=metadata_key)


def _tagged(config: RunnableConfig | None) -> RunnableConfig:
    return merge_configs({"tags": [TAG]}, config)
