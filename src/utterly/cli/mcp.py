"""`utterly mcp`: the rewriter as an MCP tool for assistants."""

from utterly.cli.options import MinConfidence, Model


def mcp(model: Model = None, min_confidence: MinConfidence = None) -> None:
    """Serve the tool `rewrite` to assistants over standard input and output (Model Context Protocol).

    In an assistant's settings: `{"mcpServers": {"utterly": {"command": "utterly", "args": ["mcp"]}}}`.
    Needs the extra `mcp`: `pip install 'utterly[mcp]'`.
    """
    from utterly.integrations.mcp import server

    server(model, min_confidence=min_confidence).run()
