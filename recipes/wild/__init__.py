"""Data for chats with long answers: how English models learn what RAG and conversational search ask of them."""
