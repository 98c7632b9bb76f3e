"""MCP: a server with one tool, `rewrite`, for assistants that search. `utterly mcp` runs it over standard input.

A wrong call is answered with what is wrong, so that the assistant can call again. On any other failure the turn comes
back unchanged, with the error.
"""

from dataclasses import replace
from typing import Annotated, Any

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

INSTRUCTIONS = """Call `rewrite` with a conversation before you search, retrieve or store its last user turn: it gives \
that turn as it reads on its own ("How long is it?" -> "How long is the Rhine?"). It edits and does not generate: only \
words of the conversation and a few function words can appear, and a turn that needs nothing comes back unchanged. \
Show and answer the user's own words; use the rewrite to look things up."""


class CopiedSpan(BaseModel):
    """Where inserted words were copied from; all counts start at 0, ranges are half-open."""

    turn: int = Field(description="The turn, counted among those of user and assistant.")
    words: tuple[int, int]
    characters: tuple[int, int]
    text: str


class TurnEdit(BaseModel):
    """What was changed at one word of the turn."""

    word: int = Field(description="The word, from 0; the number of words means the end of the turn.")
    text: str | None = Field(description="That word; null at the end.")
    keep: bool = Field(description="False if the word was deleted.")
    insert: str = Field(description="What was inserted before it.")
    rule: list[str | None] = Field(description="The rule used: words, and null for each slot.")
    spans: list[CopiedSpan] = Field(description="What fills the slots.")


class RewriteAlternative(BaseModel):
    """Another way to rewrite the turn."""

    text: str
    confidence: float


class RewriteFailure(BaseModel):
    """Why a turn could not be rewritten."""

    type: str
    message: str


class RewriteResult(BaseModel):
    """A turn rewritten so that it stands on its own, and the original."""

    text: str = Field(description="The rewritten turn: search with this.")
    source: str = Field(description="The turn as the user wrote it: show and answer this.")
    changed: bool
    confidence: float = Field(description="How likely the rewrite is right, 0 to 1.")
    abstained: bool = Field(description="True if the confidence was below min_confidence; then the turn is unchanged.")
    edits: list[TurnEdit] = Field(description="What was changed; empty if nothing was.")
    alternatives: list[RewriteAlternative]
    model: str = Field(description="The model that rewrote; empty if none could.")
    reason: str | None = Field(description="Why the turn is unchanged, if that was not the model's choice.")
    error: RewriteFailure | None = Field(description="What went wrong, if anything did; then the turn is unchanged.")


Turns = Annotated[
    list[str] | None,
    Field(description="The conversation as plain turns, oldest first; the last one is rewritten. Or give messages."),
]
Messages = Annotated[
    list[dict[str, Any]] | None,
    Field(
        description="The conversation as chat messages, each with a role and content (text, or parts of which the text "
        "is read); the last one from the user is rewritten. Or give turns."
    ),
]
MinConfidence = Annotated[
    float | None,
    Field(ge=0, le=1, description="Leave the turn unchanged below this confidence, 0 to 1."),
]


def server(model: str | None = None, *, min_confidence: float = 0.0, raise_errors: bool = False) -> MCPServer[Any]:
    """The server; `server().run()` serves standard input and output until they are closed."""
    rewriter = LazyRewriter(model=model, min_confidence=min_confidence, raise_errors=raise_errors)
    made: MCPServer[Any] = MCPServer("utterly", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")

    @made.tool(
        title="Rewrite the last turn of a conversation so that it stands on its own",
        annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
    )
    async def rewrite(
        turns: Turns = None, messages: Messages = None, min_confidence: MinConfidence = None
    ) -> RewriteResult:
        """Rewrite the last user turn of a conversation so that it can be understood, and searched for, on its own.

        Pronouns are replaced by what they stand for, and what was left out is filled in, with words copied from the
        conversation. Takes milliseconds, calls no language model, and gives the same answer every time. Give the
        conversation as `turns` or as `messages`.
        """
        wanted = rewriter if min_confidence is None else replace(rewriter, min_confidence=min_confidence)
        try:
            dialogue = dialogue_from({"turns": turns, "messages": messages})
            result = await wanted.arewrite(dialogue.source.text, [turn.text for turn in dialogue.context])
        except UtterlyError as error:
            raise ToolError(str(error)) from error
        return RewriteResult.model_validate(result.to_json())

    return made


if __name__ == "__main__":
    server().run()
