"""LangChain: a history-aware retriever that needs no language model to condense the question; a mock one answers.

Needs `pip install 'utterly[langchain]'`.
"""

from zlib import crc32

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore

from utterly.integrations.langchain import QuestionRewriter, create_history_aware_retriever

DOCUMENTS = ["The Rhine is 1,230 km long.", "The Danube is 2,850 km long.", "Basel lies where three countries meet."]
ASKED = {
    "input": "How long is it?",
    "chat_history": [("human", "Which river runs through Basel?"), ("ai", "The Rhine.")],
}


class WordCounts(Embeddings):
    """How often each word occurs: enough to find a document here."""

    def embed_query(self, text: str) -> list[float]:
        counts = [0.0] * 256
        for word in text.lower().strip(".?").split():
            counts[crc32(word.encode()) % 256] += 1
        return counts

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]


def main() -> None:
    store = InMemoryVectorStore(WordCounts())
    store.add_documents([Document(text) for text in DOCUMENTS])

    rewriter = QuestionRewriter()
    retriever = create_history_aware_retriever(rewriter, store.as_retriever(search_kwargs={"k": 1}))
    (found,) = retriever.invoke(ASKED)
    rewrite = found.metadata["rewrite"]
    print(f"asked       {rewrite['source']}")
    print(f"looked for  {rewrite['text']}  (confidence {rewrite['confidence']:.2f})")
    print(f"found       {found.page_content}")

    prompt = ChatPromptTemplate([("system", "{context}"), ("placeholder", "{chat_history}"), ("human", "{input}")])
    model = FakeListChatModel(responses=["It is 1,230 km long."])  # your model
    chat = RunnablePassthrough.assign(context=retriever) | prompt | model
    print("streamed    ", *(chunk.text for chunk in chat.stream(ASKED)), sep="")


if __name__ == "__main__":
    main()
