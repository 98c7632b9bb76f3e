"""LlamaIndex: a query transform, and two chat engines that condense the question without a language model."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from utterly.extras import require
from utterly.integrations.lazy_rewriter import LazyRewriter
from utterly.rewriter import Rewrite

require("llama_index.core", extra="llama-index")

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import CondensePlusContextChatEngine, CondenseQuestionChatEngine
from llama_index.core.chat_engine.types import AgentChatResponse, StreamingAgentChatResponse
from llama_index.core.indices.query.query_transform.base import BaseQueryTransform
from llama_index.core.llms.mock import MockLLM
from llama_index.core.memory import BaseMemory
from llama_index.core.prompts.mixin import PromptDictType
from llama_index.core.schema import QueryBundle


@dataclass
class RewrittenQuery(QueryBundle):
    """A rewritten query and the original; `edits` as in `utterly.scripts.serialize`, `confidence` from 0 to 1."""

    raw_query_str: str = ""
    confidence: float = 0.0
    edits: list[dict[str, Any]] = field(default_factory=list)


class RewriteQueryTransform(BaseQueryTransform):
    """Rewrites a query so it can be understood without the chat before it.

    The chat is `chat_history` in the metadata of a call or, without that, the one given here: messages or a memory.
    """

    def __init__(
        self,
        chat_history: Sequence[ChatMessage] | BaseMemory | None = None,
        *,
        model: str | None = None,
        min_confidence: float | None = None,
        raise_errors: bool = False,
        search: bool = False,
    ) -> None:
        self._chat_history = chat_history
        self._rewriter = LazyRewriter(model, min_confidence, raise_errors, search)

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        """No prompts."""

    def _run(self, query_bundle: QueryBundle, metadata: dict[str, Any]) -> RewrittenQuery:
        raw = query_bundle.query_str
        history = metadata.get("chat_history", self._chat_history)
        rewrite = self._rewriter.rewrite(raw, history.get_all() if isinstance(history, BaseMemory) else history)
        query = rewrite.search_query
        return RewrittenQuery(
            query_str=query,
            image_path=query_bundle.image_path,
            # Keep what another transform added for embedding, perhaps a hypothetical answer.
            custom_embedding_strs=[query if text == raw else text for text in query_bundle.embedding_strs],
            embedding=query_bundle.embedding if query == raw else None,
            raw_query_str=raw,
            confidence=rewrite.confidence,
            edits=rewrite.to_json()["edits"],
        )


class RewrittenQuestion(str):
    """The question that an engine asks, with its rewrite."""

    __slots__ = ("rewrite",)
    rewrite: Rewrite

    @classmethod
    def of(cls, rewrite: Rewrite) -> Self:
        question = cls(rewrite.search_query)
        question.rewrite = rewrite
        return question


def rewrite_of(response: AgentChatResponse | StreamingAgentChatResponse) -> Rewrite | None:
    """The rewrite behind a response of our engines; None for other engines."""
    asked = (text for source in response.sources for text in source.raw_input.values())
    return next((text.rewrite for text in asked if isinstance(text, RewrittenQuestion)), None)


class _Condensing:
    """Condenses the question without a language model. The memory keeps the original."""

    _rewriter: LazyRewriter = LazyRewriter()

    @classmethod
    def from_defaults(
        cls,
        *args: Any,
        model: str | None = None,
        min_confidence: float | None = None,
        raise_errors: bool = False,
        search: bool = False,
        **kwargs: Any,
    ) -> Any:
        rewriter = LazyRewriter(model, min_confidence, raise_errors, search)
        engine = super().from_defaults(*args, **kwargs)  # type: ignore[misc]  # of the engine
        engine._rewriter = rewriter
        return engine

    def _condense_question(self, chat_history: list[ChatMessage], last_message: str) -> str:
        return RewrittenQuestion.of(self._rewriter.rewrite(last_message, chat_history))

    async def _acondense_question(self, chat_history: list[ChatMessage], last_message: str) -> str:
        return RewrittenQuestion.of(await self._rewriter.arewrite(last_message, chat_history))


class RewriteQuestionChatEngine(_Condensing, CondenseQuestionChatEngine):
    """`CondenseQuestionChatEngine` with no language model but its query engine's."""

    @classmethod
    def from_defaults(cls, *args: Any, **kwargs: Any) -> Any:
        """An engine over `query_engine`; also takes `model`, `min_confidence`, `raise_errors` and `search`."""
        kwargs.setdefault("llm", MockLLM())  # only its context size counts, for the memory
        return super().from_defaults(*args, **kwargs)


class RewritePlusContextChatEngine(_Condensing, CondensePlusContextChatEngine):
    """`CondensePlusContextChatEngine` that retrieves with the rewritten question and answers the original one."""
