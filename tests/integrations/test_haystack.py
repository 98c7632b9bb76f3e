"""Haystack's own pipelines around our component."""

import asyncio
import copy
import gc
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from haystack import Document, Pipeline
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore

from utterly import ModelError, RewriterError
from utterly.integrations.haystack import QuestionRewriter

QUESTION, REWRITTEN = "where was he born ?", "where was anna born ?"
MESSAGES = [
    ChatMessage.from_system("you know boris"),
    ChatMessage.from_user("who is anna ?"),
    ChatMessage.from_assistant(None),
    ChatMessage.from_assistant("a singer in oslo ."),
]
ABSENT = "/no/such/model"


@pytest.fixture(autouse=True)
def stores_collected() -> Iterator[None]:
    """Collect document stores here: one joins its threads when it is collected, and in a thread that is just starting
    that never ends."""
    yield
    gc.collect()


def test_it_gives_the_query_the_raw_query_and_how_it_came_about(model: str) -> None:
    answer = QuestionRewriter(model=model).run(QUESTION, MESSAGES)
    assert (answer["query"], answer["raw_query"]) == (REWRITTEN, QUESTION)
    assert [edit["insert"] for edit in answer["edits"]] == ["anna"]
    assert 0 < answer["confidence"] <= 1
    assert answer["rewrite"]["text"] == REWRITTEN


@pytest.mark.parametrize("messages", [None, [], [ChatMessage.from_user(QUESTION)]])
def test_a_first_query_stays_as_it_is(model: str, messages: list[ChatMessage] | None) -> None:
    answer = QuestionRewriter(model=model).run(QUESTION, messages)
    assert (answer["query"], answer["edits"], answer["confidence"]) == (QUESTION, [], 1.0)


def test_the_asynchronous_run_agrees(model: str) -> None:
    component = QuestionRewriter(model=model)
    assert asyncio.run(component.run_async(QUESTION, MESSAGES)) == component.run(QUESTION, MESSAGES)


def pipeline(model: str | None) -> Pipeline:
    store = InMemoryDocumentStore()
    store.write_documents([Document(content="anna was born in rome"), Document(content="he was born where ?")])
    made = Pipeline()
    made.add_component("rewriter", QuestionRewriter(model=model))
    made.add_component("retriever", InMemoryBM25Retriever(store, top_k=1))
    made.connect("rewriter.query", "retriever.query")
    return made


def ask(made: Pipeline) -> dict[str, Any]:
    asked = {"rewriter": {"query": QUESTION, "messages": MESSAGES}}
    return made.run(asked, include_outputs_from={"rewriter"})


def test_a_pipeline_retrieves_with_the_rewritten_query_and_shows_the_raw_one(model: str) -> None:
    answer = ask(pipeline(model))
    assert answer["rewriter"]["raw_query"] == QUESTION
    assert answer["rewriter"]["query"] == REWRITTEN
    assert answer["retriever"]["documents"]


def test_an_asynchronous_pipeline_does_the_same(model: str) -> None:
    asked = {"rewriter": {"query": QUESTION, "messages": MESSAGES}}
    answer = asyncio.run(pipeline(model).run_async(asked, include_outputs_from={"rewriter"}))
    assert answer["rewriter"]["query"] == REWRITTEN


def test_a_pipeline_survives_its_file(model: str) -> None:
    made = Pipeline()
    made.add_component("rewriter", QuestionRewriter(model=model, min_confidence=0.1, raise_errors=True))
    again = Pipeline.loads(made.dumps(), allowed_modules=["utterly.integrations.haystack"])
    assert again.to_dict() == made.to_dict()
    assert again.to_dict()["components"]["rewriter"]["init_parameters"] == {
        "model": model,
        "min_confidence": 0.1,
        "raise_errors": True,
        "search": False,
    }
    assert ask(again) == ask(made)


def test_it_is_copied_and_pickled_without_its_model(model: str) -> None:
    component = QuestionRewriter(model=model)
    component.warm_up()
    for again in (copy.deepcopy(component), pickle.loads(pickle.dumps(component))):  # noqa: S301 - made here
        assert again.run(QUESTION, MESSAGES)["query"] == REWRITTEN
    assert len(pickle.dumps(component)) < 5000


def test_a_failure_gives_the_query_back_and_the_pipeline_goes_on() -> None:
    answer = ask(pipeline(ABSENT))
    assert answer["rewriter"]["query"] == QUESTION
    assert answer["rewriter"]["confidence"] == 0.0
    assert answer["rewriter"]["rewrite"]["error"]["type"] == "ModelError"
    assert answer["retriever"]["documents"]


def test_errors_are_raised_where_that_was_asked_for() -> None:
    component = QuestionRewriter(model=ABSENT, raise_errors=True)
    with pytest.raises(ModelError):
        component.warm_up()
    with pytest.raises(ModelError):
        component.run(QUESTION, MESSAGES)


def test_wrong_settings_are_refused_when_it_is_made() -> None:
    with pytest.raises(RewriterError, match="min_confidence"):
        QuestionRewriter(min_confidence=2.0)


def test_a_component_by_itself_is_its_settings() -> None:
    settings = {"model": "zh", "min_confidence": 0.25, "raise_errors": True, "search": True}
    saved = QuestionRewriter(model="zh", min_confidence=0.25, raise_errors=True, search=True).to_dict()
    assert saved["init_parameters"] == settings
    assert QuestionRewriter.from_dict(saved).to_dict() == saved


@pytest.mark.usefixtures("any_term")
def test_the_search_query_is_what_is_searched_with_if_asked_for(model: str) -> None:
    answer = QuestionRewriter(model=model, search=True).run(QUESTION, MESSAGES)
    assert answer["query"] == answer["rewrite"]["search_query"] != answer["rewrite"]["text"]
