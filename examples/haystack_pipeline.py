"""Haystack: a pipeline that retrieves with the rewritten query and answers the raw one, here with a mock model.

Needs `pip install 'utterly[haystack]'`.
"""

import os

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")

from haystack import Document, Pipeline
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import MockChatGenerator
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore

from utterly.integrations.haystack import QuestionRewriter

TEXTS = ["The Rhine is 1,230 km long.", "The Danube is 2,850 km long.", "Basel lies where three countries meet."]
CHAT = [ChatMessage.from_user("Which river runs through Basel?"), ChatMessage.from_assistant("The Rhine.")]
PROMPT = "{% for each in documents %}{{ each.content }} {% endfor %}Question: {{ question }}"


def chat_pipeline() -> Pipeline:
    store = InMemoryDocumentStore()
    store.write_documents([Document(content=text) for text in TEXTS])
    pipeline = Pipeline()
    pipeline.add_component("rewriter", QuestionRewriter())
    pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=1))
    template = [ChatMessage.from_user(PROMPT)]
    pipeline.add_component("prompt", ChatPromptBuilder(template, required_variables=["documents", "question"]))
    pipeline.add_component("model", MockChatGenerator("It is 1,230 km long."))  # your model
    pipeline.connect("rewriter.query", "retriever.query")
    pipeline.connect("rewriter.raw_query", "prompt.question")
    pipeline.connect("retriever.documents", "prompt.documents")
    pipeline.connect("prompt.prompt", "model.messages")
    return pipeline


def main() -> None:
    asked = {"rewriter": {"query": "How long is it?", "messages": CHAT}}
    answer = chat_pipeline().run(asked, include_outputs_from={"rewriter", "retriever"})
    rewritten = answer["rewriter"]
    print(f"asked       {rewritten['raw_query']}")
    print(f"looked for  {rewritten['query']}  (confidence {rewritten['confidence']:.2f})")
    for found in answer["retriever"]["documents"]:
        print(f"found       {found.content}")
    print(f"answered    {answer['model']['replies'][0].text}")


if __name__ == "__main__":
    main()
