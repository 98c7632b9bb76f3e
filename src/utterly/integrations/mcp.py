"""MCP: a server with one tool, `rewrite`, for assistants that search. `utterly mcp` runs it over standard input.

An invalid call gets an error message, to let the assistant correct it. On any other failure, the turn comes back
unchanged, with the error.
"""

from dataclasses import replace
from typing import Annotated, Any, Final

from utterly import __version__
from utterly.dialogues.conversation import dialogue_from
from utterly.errors import UtterlyError
from utterly.extras import require
from utterly.integrations.lazy_rewriter import LazyRewriter

require("mcp.server.mcpserver", extra="mcp")  # since version 2

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from utterly.server.schemas import RewriteResult

INSTRUCTIONS: Final = """\
Before you search, retrieve or store the last user turn of a conversation, call `rewrite`: it makes \
the turn stand on its own ("How long is it?" -> "How long is the Rhine?"). It edits and does not generate: only words \
of the conversation and a few function words can appear, and a turn that needs no rewriting comes back unchanged. Show \
and answer the user's own words; use the rewrite to look things up."""


class RewriteFailure(BaseModel):
    """Why a turn could not be rewritten."""

    type: str
    message: str


class ToolResult(RewriteResult):
    """A rewritten turn, what was changed, and the error, if any."""

    error: RewriteFailure | None = Field(description="If the rewrite failed, why. Then the turn is unchanged.")


Turns = Annotated[
    list[str] | None,
    Field(description="The conversation as plain turns, oldest first; the last one is rewritten. Or give messages."),
]
Messages = Annotated[
    list[dict[str, Any]] | None,
    Field(
        description="The conversation as chat messages, each with a role and content (text, or parts with text); "
        "the last one from the user is rewritten. Or give turns."
    ),
]
MinConfidence = Annotated[
    float | None,
    Field(ge=0, le=1, description="Hold back rewrites below this confidence. Default: the server's, else the model's."),
]
Search = Annotated[bool, Field(description="Also return `search_query` and `terms`, to search with.")]


def server(
    model: str | None = None, *, min_confidence: float | None = None, raise_errors: bool = False
) -> MCPServer[Any]:
    """The server; `server().run()` serves standard input and output until they are closed."""
    rewriter = LazyRewriter(model=model, min_confidence=min_confidence, raise_errors=raise_errors)
    made: MCPServer[Any] = MCPServer("utterly", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")

    @made.tool(
        title="Rewrite the last turn of a conversation so that it stands on its own",
        annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
    )
    async def rewrite(
        turns: Turns = None, messages: Messages = None, min_confidence: MinConfidence = None, search: Search = False
    ) -> ToolResult:
        """Rewrite the last user turn of a conversation so it can be understood, and searched for, on its own.

        Replaces pronouns and fills in omissions with words copied from the conversation. Takes milliseconds,
        calls no language model, and gives the same answer every time. Give the conversation as `turns` or `messages`.
        """
        least = rewriter.min_confidence if min_confidence is None else min_confidence
        chosen = replace(rewriter, min_confidence=least, search=search)
        try:
            dialogue = dialogue_from({"turns": turns, "messages": messages})
            result = await chosen.arewrite(dialogue.source.text, [turn.text for turn in dialogue.context])
        except UtterlyError as error:
            raise ToolError(str(error)) from error
        return ToolResult.model_validate(result.to_json())

    return made


if __name__ == "__main__":
    server().run()
