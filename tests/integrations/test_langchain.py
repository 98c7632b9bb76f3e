"""LangChain's own chains, callbacks and loaders around our rewriter."""

import asyncio
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.chat_history import InMemoryChatMessageHistory
from langchain_core.documents import Document
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.load import Serializable, dumps, loads
from langchain_core.messages import AIMessage, AIMessageChunk, ChatMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import ConfigurableField, RunnablePassthrough

from utterly import DialogueError, ModelError, RewriterError
from utterly.integrations.langchain import (
    EVENT,
    TAG,
    DetailedQuestionRewriter,
    HistoryAwareRetriever,
    QuestionRewriter,
    create_history_aware_retriever,
)

QUESTION, REWRITTEN = "where was he born ?", "where was anna born ?"
HISTORY = [HumanMessage("who is anna ?"), AIMessage("a singer in oslo .")]
ASKED = {"input": QUESTION, "chat_history": HISTORY}
ABSENT = "/no/such/model"


class Echo(BaseRetriever):
    """Finds one document, which says what was looked for, or the one it has."""

    stored: Document | None = None

    def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        return [self.stored or Document(query, metadata={"page": 7})]


class Events(BaseCallbackHandler):
    def __init__(self) -> None:
        self.seen: list[tuple[str, Any, Any]] = []

    def on_custom_event(self, name: str, data: Any, *, tags: Any = None, **_: Any) -> None:
        self.seen.append((name, data, tags))


@pytest.fixture
def rewriter(model: str) -> QuestionRewriter:
    return QuestionRewriter(model=model)


@pytest.mark.parametrize(
    "history",
    [
        HISTORY,
        [("human", "who is anna ?"), ("ai", "a singer in oslo .")],
        [{"role": "user", "content": "who is anna ?"}, {"role": "assistant", "content": "a singer in oslo ."}],
        [HumanMessage([{"type": "text", "text": "who is anna ?"}]), AIMessageChunk(content="a singer in oslo .")],
        [ChatMessage(content="who is anna ?", role="user"), ChatMessage(content="a singer in oslo .", role="ai")],
        [*HISTORY, HumanMessage(QUESTION)],
        ChatPromptTemplate([("human", "who is anna ?"), ("ai", "a singer in oslo .")]).invoke({}),
        [
            SystemMessage("you know boris"),
            HISTORY[0],
            AIMessage("", tool_calls=[{"name": "search", "args": {}, "id": "1"}]),
            ToolMessage("boris", tool_call_id="1"),
            ChatMessage(content="boris", role="narrator"),
            HISTORY[1],
        ],
    ],
    ids="messages pairs dicts parts roles with-the-question prompt with-tools".split(),
)
def test_histories_of_every_kind_are_read(rewriter: QuestionRewriter, history: Any) -> None:
    assert rewriter.invoke({"input": QUESTION, "chat_history": history}) == REWRITTEN


@pytest.mark.filterwarnings("ignore:The class `InMemoryChatMessageHistory` was deprecated")  # and is still much used
def test_a_chat_history_is_read(rewriter: QuestionRewriter) -> None:
    history = InMemoryChatMessageHistory(messages=HISTORY)
    assert rewriter.invoke({"input": QUESTION, "chat_history": history}) == REWRITTEN


@pytest.mark.parametrize("asked", [{"input": QUESTION}, {"input": QUESTION, "chat_history": []}])
def test_without_a_history_the_question_stays(rewriter: QuestionRewriter, asked: dict[str, Any]) -> None:
    assert rewriter.invoke(asked) == QUESTION


def test_a_question_may_be_a_message_and_keys_may_have_other_names(model: str) -> None:
    rewriter = QuestionRewriter(model=model, input_key="ask", history_key="before")
    assert rewriter.invoke({"ask": HumanMessage(QUESTION), "before": HISTORY}) == REWRITTEN


def test_all_ways_to_call_agree(rewriter: QuestionRewriter) -> None:
    async def calls() -> list[str]:
        return [await rewriter.ainvoke(ASKED), *await rewriter.abatch([ASKED, {"input": QUESTION}])]

    assert asyncio.run(calls()) == [REWRITTEN, REWRITTEN, QUESTION]
    assert rewriter.batch([ASKED, {"input": QUESTION}]) == [REWRITTEN, QUESTION]
    assert list(rewriter.stream(ASKED)) == [REWRITTEN]
    assert rewriter.batch([]) == []


def test_before_a_retriever_it_is_history_aware(rewriter: QuestionRewriter) -> None:
    assert (rewriter | Echo()).invoke(ASKED)[0].page_content == REWRITTEN


def test_details_keep_the_input_and_add_the_rewrite(rewriter: QuestionRewriter) -> None:
    details = rewriter.with_details().invoke(ASKED)
    assert details.items() >= ASKED.items()
    assert details["question"] == details["rewrite"]["text"] == REWRITTEN
    assert [edit["insert"] for edit in details["rewrite"]["edits"]] == ["anna"]
    assert 0 < details["rewrite"]["confidence"] <= 1


@pytest.mark.parametrize("key", ["rewrite", "found_by"])
def test_the_retriever_notes_the_rewrite_in_copies_of_the_documents(rewriter: QuestionRewriter, key: str) -> None:
    (document,) = create_history_aware_retriever(rewriter, Echo(), metadata_key=key).invoke(ASKED)
    assert document.page_content == REWRITTEN
    assert document.metadata["page"] == 7
    assert document.metadata[key]["source"] == QUESTION


def test_the_retriever_can_leave_documents_alone(rewriter: QuestionRewriter) -> None:
    retriever = create_history_aware_retriever(rewriter, Echo(), metadata_key=None)
    (document,) = asyncio.run(retriever.ainvoke(ASKED))
    assert (document.page_content, document.metadata) == (REWRITTEN, {"page": 7})


def test_documents_of_the_store_are_not_written_to(rewriter: QuestionRewriter) -> None:
    stored = Document("anna was born in oslo", metadata={"page": 7})

    create_history_aware_retriever(rewriter, Echo(stored=stored)).invoke(ASKED)
    assert stored.metadata == {"page": 7}


def test_callbacks_hear_of_each_rewrite(rewriter: QuestionRewriter) -> None:
    events = Events()
    create_history_aware_retriever(rewriter, Echo()).invoke(ASKED, {"callbacks": [events]})
    rewriter.batch([ASKED, {"input": QUESTION}], {"callbacks": [events]})
    assert [name for name, _, _ in events.seen] == [EVENT] * 3
    assert sorted(data["text"] for _, data, _ in events.seen) == sorted([REWRITTEN, REWRITTEN, QUESTION])
    assert all(TAG in tags for _, _, tags in events.seen)


def chain(rewriter: QuestionRewriter) -> Any:
    """Retrieval and an answer, as a chat has it."""
    words: Iterator[AIMessage | str] = iter([AIMessage("In Oslo.")] * 4)
    prompt = ChatPromptTemplate([("system", "{context}"), ("placeholder", "{chat_history}"), ("human", "{input}")])
    retrieve = create_history_aware_retriever(rewriter, Echo())
    return RunnablePassthrough.assign(context=retrieve) | prompt | GenericFakeChatModel(messages=words)


def test_a_chain_streams_its_answer_and_nothing_of_the_rewritten_question(rewriter: QuestionRewriter) -> None:
    assert "".join((chain(rewriter) | StrOutputParser()).stream(ASKED)) == "In Oslo."


def test_what_models_stream_is_the_answer_alone_also_among_events(rewriter: QuestionRewriter) -> None:
    async def streamed() -> tuple[str, list[str]]:
        events = [event async for event in chain(rewriter).astream_events(ASKED, version="v2")]
        said = [event["data"]["chunk"].text for event in events if event["event"] == "on_chat_model_stream"]
        return "".join(said), [event["name"] for event in events if event["event"] == "on_custom_event"]

    assert asyncio.run(streamed()) == ("In Oslo.", [EVENT])


def test_events_can_be_filtered_by_tag(rewriter: QuestionRewriter) -> None:
    async def names(**chosen: Any) -> set[str]:
        return {event["name"] async for event in chain(rewriter).astream_events(ASKED, version="v2", **chosen)}

    assert asyncio.run(names(include_tags=[TAG])) == {"DetailedQuestionRewriter", EVENT}
    assert "DetailedQuestionRewriter" not in asyncio.run(names(exclude_tags=[TAG]))


def test_a_failure_gives_the_question_back_and_says_so() -> None:
    broken = QuestionRewriter(model=ABSENT)
    assert broken.invoke(ASKED) == QUESTION
    assert broken.with_details().invoke(ASKED)["rewrite"]["error"]["type"] == "ModelError"
    assert (broken | Echo()).invoke(ASKED)[0].page_content == QUESTION


@pytest.mark.parametrize("history", ["Human: who is anna ?", [{"content": "no role"}], [object()], 7])
def test_a_history_that_cannot_be_read_gives_the_question_back(rewriter: QuestionRewriter, history: Any) -> None:
    assert rewriter.invoke({"input": QUESTION, "chat_history": history}) == QUESTION
    assert rewriter.rewrite({"input": QUESTION, "chat_history": history}).error


def test_errors_are_raised_where_that_was_asked_for(model: str) -> None:
    broken = QuestionRewriter(model=ABSENT, raise_errors=True)
    with pytest.raises(ModelError):
        broken.invoke(ASKED)
    with pytest.raises(ModelError):
        asyncio.run(broken.ainvoke(ASKED))
    rewriter = QuestionRewriter(model=model, raise_errors=True)
    unread = {"input": QUESTION, "chat_history": "Human: who is anna ?"}
    with pytest.raises(DialogueError, match="a conversation must be a list of turns or messages, got a string"):
        rewriter.batch([ASKED, unread])
    answers: list[Any] = rewriter.batch([ASKED, unread], return_exceptions=True)
    assert answers[0] == REWRITTEN
    assert isinstance(answers[1], DialogueError)


@pytest.mark.parametrize("asked", [{}, {"question": QUESTION}, {"input": 7}, QUESTION])
def test_an_input_without_a_question_is_refused(rewriter: QuestionRewriter, asked: Any) -> None:
    with pytest.raises(
        DialogueError, match="the input must be a dict with the question, a string or a message, under 'input'"
    ):
        rewriter.invoke(asked)


def test_of_many_inputs_one_without_a_question_is_refused_alone(rewriter: QuestionRewriter) -> None:
    inputs: list[dict[str, Any]] = [ASKED, {"question": QUESTION}, ASKED]
    for answers in (
        rewriter.batch(inputs, return_exceptions=True),
        asyncio.run(rewriter.abatch(inputs, return_exceptions=True)),
    ):
        assert [answers[0], answers[2]] == [REWRITTEN, REWRITTEN]
        assert isinstance(answers[1], DialogueError)
    with pytest.raises(DialogueError, match="the input must be a dict"):
        rewriter.batch(inputs)


def test_wrong_settings_are_refused_when_it_is_made() -> None:
    with pytest.raises(RewriterError, match="min_confidence must be a number from 0 to 1, got 2"):
        QuestionRewriter(min_confidence=2.0)


@pytest.mark.filterwarnings("ignore:.*in beta")
def test_it_is_saved_and_loaded_as_langchain_does(rewriter: QuestionRewriter) -> None:
    ours: list[type[Serializable]] = [QuestionRewriter, DetailedQuestionRewriter]
    for each in (rewriter, rewriter.with_details()):
        again = loads(dumps(each), allowed_objects=ours, valid_namespaces=["utterly"])
        assert (type(again), again) == (type(each), each)
    assert pickle.loads(pickle.dumps(rewriter)) == rewriter  # noqa: S301 - made in the same line


def test_the_retriever_names_itself_when_saved(rewriter: QuestionRewriter) -> None:
    saved = HistoryAwareRetriever(rewriter=rewriter, retriever=Echo()).to_json()
    assert saved["id"] == ["utterly", "integrations", "langchain", "HistoryAwareRetriever"]


def test_settings_can_be_chosen_at_run_time(rewriter: QuestionRewriter) -> None:
    careful = rewriter.configurable_fields(min_confidence=ConfigurableField(id="sure"))
    assert careful.invoke(ASKED) == REWRITTEN
    assert careful.invoke(ASKED, {"configurable": {"sure": 1.0}}) == QUESTION


@pytest.mark.usefixtures("any_term")
def test_the_search_query_is_what_is_searched_with_if_asked_for(model: str) -> None:
    rewriter = QuestionRewriter(model=model, search=True)
    (found,) = create_history_aware_retriever(rewriter, Echo()).invoke(ASKED)
    assert found.page_content == found.metadata["rewrite"]["search_query"] == rewriter.invoke(ASKED)
    assert found.page_content.startswith(f"{REWRITTEN} ")
