"""LlamaIndex's own engines around our transform and in our chat engines, with its mock language model and embedding."""

import asyncio
import gc
import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms.mock import MockLLM
from llama_index.core.memory import Memory
from llama_index.core.query_engine import CustomQueryEngine, RetrieverQueryEngine, TransformQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from utterly import ModelError, RewriterError
from utterly.integrations.llama_index import (
    RewritePlusContextChatEngine,
    RewriteQueryTransform,
    RewriteQuestionChatEngine,
    RewrittenQuery,
    rewrite_of,
)

QUESTION, REWRITTEN = "where was he born ?", "where was anna born ?"
HISTORY = [
    ChatMessage(role=MessageRole.SYSTEM, content="you know boris"),
    ChatMessage(role=MessageRole.USER, content="who is anna ?"),
    ChatMessage(role=MessageRole.ASSISTANT, content=None),
    ChatMessage(role=MessageRole.MODEL, content="a singer in oslo ."),
]
ABSENT = "/no/such/model"


class Echo(CustomQueryEngine):
    """Answers with what it was asked."""

    def custom_query(self, query_str: str) -> str:
        return f"asked: {query_str}"


class Shelf(BaseRetriever):
    """Finds one node, which says what was looked for."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(text=query_bundle.query_str), score=1.0)]


class Listening(MockLLM):
    """The mock, which gives back its prompt, and keeps all it was asked."""

    _prompts: list[str] = PrivateAttr(default_factory=list)

    def complete(self, prompt: str, *args: Any, **kwargs: Any) -> Any:
        self._prompts.append(prompt)
        return super().complete(prompt, *args, **kwargs)


@pytest.fixture(autouse=True)
def memories_are_let_go() -> Iterator[None]:
    """LlamaIndex leaves the connections of its memories to the collector."""
    yield
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        gc.collect()


def test_a_transform_sets_what_is_searched_and_what_is_embedded_and_keeps_the_raw_query(model: str) -> None:
    query = RewriteQueryTransform(HISTORY, model=model).run(QUESTION)
    assert isinstance(query, RewrittenQuery)
    assert (query.query_str, query.custom_embedding_strs) == (REWRITTEN, [REWRITTEN])
    assert query.raw_query_str == QUESTION
    assert [edit["insert"] for edit in query.edits] == ["anna"]
    assert 0 < query.confidence <= 1
    assert RewrittenQuery.from_json(query.to_json()) == query


def test_what_others_added_to_a_query_stays(model: str) -> None:
    came = QueryBundle(
        QUESTION, image_path="anna.png", custom_embedding_strs=["a guess", QUESTION], embedding=[1.0, 2.0]
    )
    query = RewriteQueryTransform(HISTORY, model=model).run(came)
    assert query.custom_embedding_strs == ["a guess", REWRITTEN]
    assert (query.image_path, query.embedding) == ("anna.png", None)
    assert RewriteQueryTransform(model=model).run(came).embedding == [1.0, 2.0]  # nothing was changed


def test_the_history_may_come_with_the_call_or_be_a_memory_that_grows(model: str) -> None:
    metadata = {"chat_history": HISTORY}
    assert RewriteQueryTransform(model=model).run(QUESTION, metadata=metadata).query_str == REWRITTEN
    memory = Memory.from_defaults()
    transform = RewriteQueryTransform(memory, model=model)
    assert transform.run(QUESTION).query_str == QUESTION
    memory.put_messages(HISTORY)
    assert transform.run(QUESTION).query_str == REWRITTEN


def test_a_query_engine_asks_with_the_rewritten_query(model: str) -> None:
    engine = TransformQueryEngine(Echo(), RewriteQueryTransform(HISTORY, model=model))
    assert str(engine.query(QUESTION)) == f"asked: {REWRITTEN}"
    assert str(asyncio.run(engine.aquery(QUESTION))) == f"asked: {REWRITTEN}"


def test_a_transform_is_pickled_without_its_model(model: str) -> None:
    transform = RewriteQueryTransform(HISTORY, model=model)
    transform.run(QUESTION)
    again = pickle.loads(pickle.dumps(transform))  # noqa: S301 - made in the same line
    assert again.run(QUESTION).query_str == REWRITTEN
    assert transform.get_prompts() == {}


def test_the_engine_condenses_without_a_language_model(model: str) -> None:
    engine = RewriteQuestionChatEngine.from_defaults(query_engine=Echo(), chat_history=[*HISTORY], model=model)
    response = engine.chat(QUESTION)
    assert str(response) == f"asked: {REWRITTEN}"
    rewrite = rewrite_of(response)
    assert rewrite is not None
    assert (rewrite.source, rewrite.text) == (QUESTION, REWRITTEN)
    assert [edit.inserted for edit in rewrite.edits] == ["anna"]


def test_its_memory_keeps_what_the_user_wrote(model: str) -> None:
    engine = RewriteQuestionChatEngine.from_defaults(query_engine=Echo(), chat_history=[*HISTORY], model=model)
    engine.chat(QUESTION)
    assert [message.content for message in engine.chat_history[-2:]] == [QUESTION, f"asked: {REWRITTEN}"]
    engine.reset()
    assert str(engine.chat(QUESTION)) == f"asked: {QUESTION}"


def test_it_also_chats_asynchronously(model: str) -> None:
    async def chat() -> str:
        engine = RewriteQuestionChatEngine.from_defaults(query_engine=Echo(), chat_history=[*HISTORY], model=model)
        return str(await engine.achat(QUESTION))

    assert asyncio.run(chat()) == f"asked: {REWRITTEN}"


def test_what_it_streams_is_the_answer_alone(model: str) -> None:
    query_engine = RetrieverQueryEngine.from_args(Shelf(), llm=MockLLM(), streaming=True)
    engine = RewriteQuestionChatEngine.from_defaults(query_engine, chat_history=[*HISTORY], model=model)
    response = engine.stream_chat(QUESTION)
    said = "".join(response.response_gen)
    assert rewrite_of(response) is not None
    assert f"Query: {REWRITTEN}" in said  # the mock gives back its prompt: the one that answers
    assert "standalone question" not in said


def test_the_engine_with_context_retrieves_with_the_rewrite_and_answers_the_raw_question(model: str) -> None:
    llm = Listening(max_tokens=None)
    engine = RewritePlusContextChatEngine.from_defaults(Shelf(), llm=llm, chat_history=[*HISTORY], model=model)
    response = engine.chat(QUESTION)
    assert [each.node.get_content() for each in response.source_nodes] == [REWRITTEN]
    assert f"user: {QUESTION}" in str(response)
    assert not any("standalone question" in prompt for prompt in llm._prompts)
    rewrite = rewrite_of(response)
    assert rewrite is not None
    assert rewrite.text == REWRITTEN
    response = asyncio.run(engine.achat(QUESTION))
    assert rewrite_of(response)


def test_a_response_of_another_engine_has_no_rewrite() -> None:
    assert rewrite_of(SimpleChatEngine.from_defaults(llm=MockLLM()).chat(QUESTION)) is None


def test_a_failure_asks_the_question_as_it_came() -> None:
    engine = RewriteQuestionChatEngine.from_defaults(query_engine=Echo(), chat_history=[*HISTORY], model=ABSENT)
    response = engine.chat(QUESTION)
    assert str(response) == f"asked: {QUESTION}"
    rewrite = rewrite_of(response)
    assert rewrite is not None
    assert isinstance(rewrite.error, ModelError)
    assert RewriteQueryTransform(HISTORY, model=ABSENT).run(QUESTION).query_str == QUESTION


def test_errors_are_raised_where_that_was_asked_for() -> None:
    engine = RewriteQuestionChatEngine.from_defaults(
        query_engine=Echo(), chat_history=[*HISTORY], model=ABSENT, raise_errors=True
    )
    with pytest.raises(ModelError):
        engine.chat(QUESTION)
    with pytest.raises(ModelError):
        RewriteQueryTransform(HISTORY, model=ABSENT, raise_errors=True).run(QUESTION)


def test_wrong_settings_are_refused_when_it_is_made() -> None:
    with pytest.raises(RewriterError, match="min_confidence"):
        RewriteQuestionChatEngine.from_defaults(query_engine=Echo(), min_confidence=2.0)
    with pytest.raises(RewriterError, match="min_confidence"):
        RewriteQueryTransform(min_confidence=-1.0)


@pytest.mark.usefixtures("any_term")
def test_the_search_query_is_what_is_searched_with_if_asked_for(model: str) -> None:
    query = RewriteQueryTransform(HISTORY, model=model, search=True).run(QUESTION)
    assert query.query_str.startswith(f"{REWRITTEN} ")
    assert query.custom_embedding_strs == [query.query_str]
    engine = RewriteQuestionChatEngine.from_defaults(Echo(), chat_history=HISTORY, model=model, search=True)
    assert engine.chat(QUESTION).response == f"asked: {query.query_str}"
