"""MCP: a server with one tool, `rewrite`, for assistants that search. `utterly mcp` runs it over standard input.

A wrong call is answered with what must hold, so that the assistant can call again. Whatever else goes wrong, the turn
comes back as it came, with the error beside it.
"""

from dataclasses import replace
from typing import Annotated, Any, Literal

from utterly import __version__
from utterly.dialogues.conversation import dialogue_from_messages
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import DialogueError, UtterlyError
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


class Message(BaseModel):
    """A chat message. Only what user and assistant say is read."""

    role: Literal["user", "assistant", "system", "developer", "tool", "function"]
    content: str | list[dict[str, Any]] | None = Field(default=None, description="Text, or parts with type and text.")


class CopiedSpan(BaseModel):
    """Where inserted words were copied from; all counted from 0, ranges half-open."""

    turn: int = Field(description="The turn of the conversation, among those that user and assistant said.")
    words: tuple[int, int]
    characters: tuple[int, int]
    text: str


class TurnEdit(BaseModel):
    """What was done at one word of the turn."""

    word: int = Field(description="The word, from 0; the number of words stands for the end of the turn.")
    text: str | None = Field(description="That word; null at the end.")
    keep: bool = Field(description="False where the word was deleted.")
    insert: str = Field(description="What was inserted before it.")
    rule: list[str | None] = Field(description="The rule by which: words, and null for each slot.")
    spans: list[CopiedSpan] = Field(description="What fills the slots.")


class WayOfRewriting(BaseModel):
    """Another way to rewrite the turn."""

    text: str
    confidence: float


class Failure(BaseModel):
    """Why a turn came back as it came."""

    type: str
    message: str


class RewriteResult(BaseModel):
    """A turn as it reads on its own, beside the turn as it came."""

    text: str = Field(description="The turn as it reads on its own: search with this.")
    source: str = Field(description="The turn as the user wrote it: show and answer this.")
    changed: bool
    confidence: float = Field(description="How sure the rewrite is right, 0 to 1.")
    abstained: bool = Field(description="True where the confidence was under min_confidence, and the turn was kept.")
    edits: list[TurnEdit] = Field(description="What was done to the turn; nothing where it is unchanged.")
    alternatives: list[WayOfRewriting]
    model: str = Field(description="The model that rewrote; empty where none could.")
    reason: str | None = Field(description="Why the turn was kept, where that was not the model's choice.")
    error: Failure | None = Field(description="What went wrong, where something did; then the turn was kept.")


Turns = Annotated[
    list[str] | None,
    Field(description="The conversation as plain turns, oldest first; the last one is rewritten. Or give messages."),
]
Messages = Annotated[
    list[Message] | None,
    Field(description="The conversation as chat messages; the last one of the user is rewritten. Or give turns."),
]
MinConfidence = Annotated[
    float | None,
    Field(ge=0, le=1, description="Keep the turn where the rewrite is less sure than this, 0 to 1."),
]


def server(model: str | None = None, *, min_confidence: float = 0.0, raise_errors: bool = False) -> MCPServer[Any]:
    """The server; `server().run()` serves standard input and output until that is closed."""
    usual = LazyRewriter(model=model, min_confidence=min_confidence, raise_errors=raise_errors)
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
        wanted = usual if min_confidence is None else replace(usual, min_confidence=min_confidence)
        try:
            dialogue = _dialogue(turns, messages)
            answer = await wanted.arewrite(dialogue.source.text, [turn.text for turn in dialogue.context])
        except UtterlyError as refused:
            raise ToolError(str(refused)) from refused
        return RewriteResult.model_validate(answer.to_json())

    return made


def _dialogue(turns: list[str] | None, messages: list[Message] | None) -> Dialogue:
    if turns and messages:
        raise DialogueError("a conversation is given as turns or as messages, but both came; leave one out")
    if messages:
        return dialogue_from_messages([message.model_dump() for message in messages])
    if not turns:
        raise DialogueError("a conversation is needed, but neither turns nor messages came; give one of them")
    return Dialogue.of(turns)


if __name__ == "__main__":
    server().run()
