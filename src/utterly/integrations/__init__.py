"""Integrations with LangChain, LlamaIndex, Haystack, spaCy and MCP, a thin file each, and each with its extra."""
