"""The MCP server, asked by the SDK's own client: in this process, and over standard input and output."""

import asyncio
import sys
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import CallToolResult

from utterly import RewriterError, __version__
from utterly.integrations.mcp import server

TURNS = ["who is anna ?", "a singer in oslo .", "where was he born ?"]
REWRITTEN = "where was anna born ?"
MESSAGES = [
    {"role": "system", "content": "you know boris"},
    {"role": "user", "content": [{"type": "text", "text": TURNS[0]}]},
    {"role": "assistant", "content": None},
    {"role": "assistant", "content": TURNS[1]},
    {"role": "user", "content": TURNS[2]},
]
ABSENT = "/no/such/model"


def call(made: Any, **arguments: Any) -> CallToolResult:
    async def ask() -> CallToolResult:
        async with Client(made) as client:
            return await client.call_tool("rewrite", arguments)

    return asyncio.run(ask())


def answered(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    return dict(result.structured_content or {})


def refused(result: CallToolResult) -> str:
    assert result.is_error
    (said,) = result.content
    return str(getattr(said, "text", said))


GEMINI = [{"role": "model" if i % 2 else "user", "parts": [{"text": turn}]} for i, turn in enumerate(TURNS)]


@pytest.mark.parametrize(
    "arguments",
    [{"turns": TURNS}, {"messages": MESSAGES}, {"messages": GEMINI}],
    ids="turns messages gemini".split(),
)
def test_a_conversation_comes_as_turns_or_as_messages(model: str, arguments: dict[str, Any]) -> None:
    answer = answered(call(server(model), **arguments))
    assert (answer["text"], answer["source"], answer["changed"]) == (REWRITTEN, TURNS[-1], True)
    (edit,) = answer["edits"]
    assert (edit["text"], edit["keep"], edit["insert"], edit["rule"]) == ("he", False, "anna", [None])
    assert edit["spans"] == [{"turn": 0, "words": [2, 3], "characters": [7, 11], "text": "anna"}]
    assert 0 < answer["confidence"] <= 1
    assert answer["error"] is None


@pytest.mark.usefixtures("any_term")
def test_a_search_query_comes_if_asked_for(model: str) -> None:
    answer = answered(call(server(model), turns=TURNS, search=True))
    assert answer["search_query"] == f"{REWRITTEN} {answer['terms'][0]['text']}"
    assert answered(call(server(model), turns=TURNS))["terms"] is None


def test_the_tool_says_what_it_takes_gives_and_leaves_alone() -> None:
    async def describe() -> tuple[Any, Any, Any]:
        async with Client(server(ABSENT)) as client:
            (tool,) = (await client.list_tools()).tools
            return tool, client.server_info, client.instructions

    tool, info, instructions = asyncio.run(describe())
    assert (info.name, info.version) == ("utterly", __version__)
    assert "Before you search" in instructions
    assert tool.name == "rewrite"
    assert "calls no language model" in tool.description
    assert tool.annotations.read_only_hint
    assert not tool.annotations.open_world_hint
    assert set(tool.input_schema["properties"]) == {"turns", "messages", "min_confidence", "search"}
    assert all("description" in field for field in tool.input_schema["properties"].values())
    assert {"text", "source", "confidence", "edits"} <= set(tool.output_schema["properties"])


def test_a_call_can_ask_to_be_more_sure(model: str) -> None:
    answer = answered(call(server(model), turns=TURNS, min_confidence=1.0))
    assert (answer["text"], answer["abstained"]) == (TURNS[-1], True)
    assert answer["alternatives"][0]["text"] == REWRITTEN


def test_a_first_turn_stays_as_it_is(model: str) -> None:
    answer = answered(call(server(model), turns=["where was he born ?"]))
    assert (answer["changed"], answer["edits"]) == (False, [])
    assert answer["reason"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "a conversation must have either turns or messages, got neither"),
        ({"turns": []}, "a dialogue needs at least one turn"),
        ({"turns": TURNS, "messages": MESSAGES}, "must have either turns or messages, got turns and messages"),
        ({"messages": MESSAGES[:1]}, "none of the 1 messages is from the user"),
        ({"turns": [7]}, "turns"),
        ({"messages": [{"role": "narrator", "content": "once"}]}, "role"),
        ({"turns": TURNS, "min_confidence": 2}, "min_confidence"),
    ],
)
def test_a_wrong_call_is_told_what_must_hold(model: str, arguments: dict[str, Any], said: str) -> None:
    assert said in refused(call(server(model), **arguments))


def test_a_failure_gives_the_turn_back_with_the_error() -> None:
    answer = answered(call(server(ABSENT), turns=TURNS))
    assert (answer["text"], answer["confidence"]) == (TURNS[-1], 0.0)
    assert answer["error"]["type"] == "ModelError"


def test_errors_are_said_where_that_was_asked_for() -> None:
    assert f"{ABSENT}: there is no such folder" in refused(call(server(ABSENT, raise_errors=True), turns=TURNS))


def test_wrong_settings_are_refused_when_it_is_made() -> None:
    with pytest.raises(RewriterError, match="min_confidence"):
        server(min_confidence=2.0)


def test_it_serves_standard_input_and_output(model: str) -> None:
    program = f"from utterly.integrations.mcp import server; server({model!r}).run()"
    answer = answered(
        call(stdio_client(StdioServerParameters(command=sys.executable, args=["-c", program])), turns=TURNS)
    )
    assert answer["text"] == REWRITTEN
