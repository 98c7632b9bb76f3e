"""LlamaIndex: a condense-question chat engine that condenses without a language model.

Needs `pip install 'utterly[llama-index]'`.
"""

from llama_index.core import SimpleKeywordTableIndex
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.llms.mock import MockLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.schema import TextNode

from utterly.integrations.llama_index import RewriteQuestionChatEngine, rewrite_of

TEXTS = ["The Rhine is 1,230 km long.", "The Danube is 2,850 km long.", "Basel lies where three countries meet."]
CHAT = [
    ChatMessage(role=MessageRole.USER, content="Which river runs through Basel?"),
    ChatMessage(role=MessageRole.ASSISTANT, content="The Rhine."),
]


def main() -> None:
    index = SimpleKeywordTableIndex([TextNode(text=text) for text in TEXTS], llm=MockLLM())
    query_engine = index.as_query_engine(llm=MockLLM(), retriever_mode="simple")  # your model, which only answers
    engine = RewriteQuestionChatEngine.from_defaults(
        query_engine=query_engine, memory=ChatMemoryBuffer.from_defaults(chat_history=CHAT)
    )

    response = engine.chat("How long is it?")
    rewrite = rewrite_of(response)
    if rewrite:
        print(f"asked       {rewrite.source}")
        print(f"looked for  {rewrite.text}  (confidence {rewrite.confidence:.2f})")
    for found in response.source_nodes:
        print(f"found       {found.node.get_content()}")
    print(f"remembered  {engine.chat_history[-2].content}")


if __name__ == "__main__":
    main()
