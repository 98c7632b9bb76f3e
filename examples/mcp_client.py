"""MCP: a client starts our server, lists its tools and has it rewrite a turn.

Needs `pip install 'utterly[mcp]'`. In an assistant's settings the server is the command `utterly mcp`.
"""

import asyncio
import sys

from mcp import Client, StdioServerParameters, stdio_client

SERVER = StdioServerParameters(command=sys.executable, args=["-m", "utterly.integrations.mcp"])  # as `utterly mcp`
MESSAGES = [
    {"role": "user", "content": "Which river runs through Basel?"},
    {"role": "assistant", "content": "The Rhine."},
    {"role": "user", "content": "How long is it?"},
]


async def ask() -> None:
    async with Client(stdio_client(SERVER)) as client:
        for tool in (await client.list_tools()).tools:
            print(f"tool     {tool.name}: {tool.title}")
        result = await client.call_tool("rewrite", {"messages": MESSAGES})
        answer = result.structured_content or {}
        print(f"source   {answer['source']}")
        print(f"rewrite  {answer['text']}  (confidence {answer['confidence']:.2f})")
        for edit in answer["edits"]:
            print(f"edit     {edit['text']!r}: {'keep' if edit['keep'] else 'delete'}, insert {edit['insert']!r}")


def main() -> None:
    asyncio.run(ask())


if __name__ == "__main__":
    main()
