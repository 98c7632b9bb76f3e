"""`utterly rewrite --input` on chats: `messages`, `turns` or a named field, in every format."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from utterly.rewriter import Rewriter

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

TURNS = ["who is anna ?", "a singer .", "where was she born ?"]
ROLES = ["user", "assistant", "user"]
MESSAGES = [{"role": role, "content": text} for role, text in zip(ROLES, TURNS, strict=True)]
GEMINI = [
    {"role": role.replace("assistant", "model"), "parts": [{"text": text}]}
    for role, text in zip(ROLES, TURNS, strict=True)
]
PARTS = [{**message, "content": [{"type": "text", "text": message["content"]}]} for message in MESSAGES]
TOOL_RESULT = {"role": "user", "content": [{"type": "tool_result", "content": "born in Oslo"}]}
ROWS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "messages": ({"messages": MESSAGES}, []),
    "turns": ({"turns": TURNS}, []),
    "messages of Gemini": ({"messages": GEMINI}, []),
    "a tool's result last": ({"messages": [*PARTS, TOOL_RESULT]}, []),
    "a named field": ({"chat": MESSAGES}, ["--field", "chat"]),
    "turns in a named field": ({"chat": TURNS}, ["--field", "chat"]),
    "an object in a named field": ({"chat": {"messages": MESSAGES}}, ["--field", "chat"]),
    "a named field before others": ({"chat": TURNS, "messages": ["other"], "utterance": "so"}, ["--field", "chat"]),
}


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    if path.suffix == ".parquet":
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    elif path.suffix == ".csv":
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(rows[0])
        writer.writerows(
            [value if isinstance(value, str) else json.dumps(value) for value in row.values()] for row in rows
        )
        path.write_text(text.getvalue())
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize(("row", "more"), ROWS.values(), ids=ROWS)
def test_conversations_of_every_kind_are_rewritten_as_in_python(
    utterly: CommandLine,
    model_folder: Path,
    rewriter: Rewriter,
    tmp_path: Path,
    kind: str,
    row: dict[str, Any],
    more: list[str],
) -> None:
    write(tmp_path / f"in.{kind}", [{**row, "id": "a"}, {**row, "id": "b"}])
    command = ["rewrite", "--input", tmp_path / f"in.{kind}", "--model", model_folder, *more, "--output"]
    assert utterly(*command, tmp_path / "out.jsonl").status == 0
    made = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [each["id"] for each in made] == ["a", "b"]
    assert {each["rewrite"] for each in made} == {rewriter.rewrite(TURNS).text}
    assert "history" not in made[0]
    if kind == "jsonl":
        assert {name: made[0][name] for name in row} == row
    assert utterly(*command, tmp_path / f"same.{kind}").status == 0


def test_a_cell_may_have_a_turn_a_line(
    utterly: CommandLine, model_folder: Path, rewriter: Rewriter, tmp_path: Path
) -> None:
    write(tmp_path / "in.csv", [{"turns": "\n".join(TURNS)}])
    result = utterly("rewrite", "--input", tmp_path / "in.csv", "--output", "-", "--model", model_folder)
    (row,) = csv.DictReader(io.StringIO(result.out))
    assert row["rewrite"] == rewriter.rewrite(TURNS).text


@pytest.mark.parametrize(
    ("kind", "row", "more", "problem"),
    [
        ("jsonl", {"chat": TURNS}, [], "line 1: the field 'history' is missing"),
        ("jsonl", {"messages": MESSAGES}, ["--field", "chat"], "line 1: the field 'chat' is missing or null; give the"),
        ("jsonl", {"chat": None}, ["--field", "chat"], "line 1: the field 'chat' is missing or null"),
        (
            "jsonl",
            {"messages": ["so"], "turns": ["so"]},
            [],
            "line 1: a row must have one conversation, got turns and messages; name its field (--field)",
        ),
        ("jsonl", {"messages": "so"}, [], "line 1: a conversation must be a list of turns or messages, got a string"),
        ("jsonl", {"messages": []}, [], "line 1: "),
        ("jsonl", {"messages": [{"role": "user"}]}, [], "line 1: message 1 from the user has no content"),
        ("csv", {"messages": "[{"}, [], "line 2: a 'messages' that begins with [ must be JSON, but it is not valid"),
        ("csv", {"turns": "so"}, ["--field", "chat"], "line 1: the column 'chat' is missing; add it"),
        ("parquet", {"turns": ["so"]}, ["--field", "chat"], "the column 'chat' is missing; add it (columns: 'turns')"),
    ],
)
def test_a_row_without_a_conversation_is_one_line_of_error(
    utterly: CommandLine,
    model_folder: Path,
    tmp_path: Path,
    kind: str,
    row: dict[str, Any],
    more: list[str],
    problem: str,
) -> None:
    write(tmp_path / f"in.{kind}", [row])
    out = tmp_path / f"out.{kind}"
    status, printed, error = utterly(
        "rewrite", "--input", tmp_path / f"in.{kind}", "--output", out, "--model", model_folder, *more
    )
    assert (status, printed, error.count("\n")) == (2, "", 1)
    assert f"in.{kind}" in error
    assert problem in error
    assert not out.exists()
