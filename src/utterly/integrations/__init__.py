"""Integrations with LangChain, LlamaIndex, Haystack and MCP, a thin file each, and each with its extra."""
