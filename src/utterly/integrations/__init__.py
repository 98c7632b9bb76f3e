"""Integrations with LangChain, LlamaIndex, Haystack and MCP: a thin file and an extra each."""
