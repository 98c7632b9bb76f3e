"""Every rewrite that README, docs, examples and the commands' help show is one that a person would write.

One table says what a person accepts. The shipped models must say it, and every dialogue that is shown must be in the
table. That pages print what the models say is tested with each page.
"""

import ast
import json
import re
import runpy
import shlex
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer.main

from tests.pages import Block, blocks_of, commands_of, programs_of
from tests.test_examples import EXAMPLES, FRAMEWORKS
from utterly import Rewriter
from utterly.cli.app import app
from utterly.dialogues.conversation import turns_of
from utterly.model.folder import bundled_folders

Turns = tuple[str, ...]

ROOT = Path(__file__).parent.parent
ACCEPTED: dict[Turns, set[str]] = {
    (
        "Why did Federer withdraw from the tournament?",
        "He injured his back in yesterday's match.",
        "Did he have any other injuries?",
    ): {
        "Did Federer have any other injuries besides his back?",
        "Did Federer have any other injuries besides his back in yesterday's match?",
    },
    ("Why did Federer withdraw?", "He hurt his back.", "Did he have any other injuries?"): {
        "Did Federer have any other injuries?",
        "Did Federer have any other injuries besides his back?",
    },
    ("Do you have a cat?", "Yes, and a parrot.", "Does it talk?"): {"Does a parrot talk?", "Does the parrot talk?"},
    ("Do you have a cat?", "Yes, and a parrot.", "thanks!"): {"thanks!"},
    ("Who is Federer?", "Is he Swiss?"): {"Is Federer Swiss?"},
    ("Who is Federer?", "A player.", "Is he Swiss?"): {"Is Federer Swiss?"},
    ("Who is Federer?", "A tennis player.", "Is he Swiss?"): {"Is Federer Swiss?"},
    ("What's the weather like in Paris?", "Sunny, 21 degrees.", "And in Oslo tomorrow?"): {
        "What's the weather like in Oslo tomorrow?",
        "And what's the weather like in Oslo tomorrow?",
    },
    ("Who wrote Dune?", "Frank Herbert.", "When was it published?"): {"When was Dune published?"},
    ("Who wrote Dune?", "Frank Herbert.", "thanks!"): {"thanks!"},
    ("Who wrote Dune?", "Frank Herbert.", "Thanks! How do I renew my passport?"): {
        "Thanks! How do I renew my passport?"
    },
    ("How do I renew my passport?",): {"How do I renew my passport?"},
    ("Where is the Louvre?", "In Paris.", "How do I renew my passport?"): {"How do I renew my passport?"},
    ("Which plan has phone support?", "The Pro plan.", "How much does it cost?"): {"How much does the Pro plan cost?"},
    ("Is the Uffizi open on Monday?", "No, it is closed.", "What about Tuesday?"): {"Is the Uffizi open on Tuesday?"},
    ("Which river runs through Basel?", "The Rhine.", "How long is it?"): {"How long is the Rhine?"},
    ("Which river runs through Basel?", "The Rhine.", "Play some jazz."): {"Play some jazz."},
    ("Who won the final?", "Mara Lind, in two sets.", "Who is her coach?"): {"Who is Mara Lind's coach?"},
    ("Who wrote the song?", "Ada Bell wrote it in 1971.", "What else did she write?"): {
        "What else did Ada Bell write?",
        "What else did Ada Bell write besides the song?",
    },
    ("How tall is the Eiffel Tower?", "330 metres.", "when was it built?"): {"when was the Eiffel Tower built?"},
    ("My order hasn't arrived.", "What is the order number?", "A-1043", "Sorry, it is late.", "Can I cancel it?"): {
        "Can I cancel my order?",
        "Can I cancel the order?",
        "Can I cancel order A-1043?",
    },
    ("你喜欢周杰伦吗", "喜欢，他的歌很好听", "他最有名的歌是什么"): {"周杰伦最有名的歌是什么"},
}
HELD_BACK: dict[Turns, str] = {  # shown with a threshold, under which the turn stays
    ("Who painted it?", "Nobody knows.", "And before that?"): "below 0.7",
    ("Did Tesla invent the radio?", "Marconi usually gets the credit.", "When did he do that?"): "below 0.7",
}
SHOWN_AS_WRONG: dict[Turns, str] = {  # and what the page says of it
    (
        "Who founded Apple?",
        "Steve Jobs and Steve Wozniak founded Apple in 1976.",
        "Which circuit boards did he solder?",
    ): "the model copies the wrong name",
}
pytestmark = pytest.mark.skipif(set(bundled_folders()) != {"en", "zh"}, reason="no model is bundled with this checkout")
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
}
BLOCKS: dict[str, list[Block]] = {name: blocks_of(text) for name, text in PAGES.items()}
SERVED = "docs/serving.md"  # its program needs a server
FLEETS = "docs/fleets.md"  # its programs are parts of the examples


@pytest.fixture(scope="module")
def rewriter() -> Rewriter:
    return Rewriter.load()


@pytest.fixture
def rewritten(monkeypatch: pytest.MonkeyPatch) -> list[Turns]:
    """The dialogues that rewriters were given since, as far as they could be read."""
    seen: list[Turns] = []
    one, many = Rewriter.rewrite, Rewriter.rewrite_many

    def rewrite(self: Rewriter, dialogue: Any, **options: Any) -> Any:
        result = one(self, dialogue, **options)
        if result.error is None:
            seen.append(tuple(turns_of(dialogue)))
        return result

    def rewrite_many(self: Rewriter, dialogues: Iterable[Any], **options: Any) -> Any:
        dialogues = list(dialogues)
        seen.extend(tuple(turns_of(dialogue)) for dialogue in dialogues)
        return many(self, dialogues, **options)

    monkeypatch.setattr(Rewriter, "rewrite", rewrite)
    monkeypatch.setattr(Rewriter, "rewrite_many", rewrite_many)
    return seen


def must_be_in_the_table(shown: Iterable[Turns]) -> None:
    assert set(shown) - set(ACCEPTED) - set(HELD_BACK) - set(SHOWN_AS_WRONG) == set()


@pytest.mark.parametrize("turns", ACCEPTED, ids=lambda turns: turns[-1])
def test_the_models_say_what_a_person_expects(rewriter: Rewriter, turns: Turns) -> None:
    assert rewriter.rewrite(turns).text in ACCEPTED[turns]
    (result,) = rewriter.rewrite_many([turns])
    assert result.text in ACCEPTED[turns]


def test_what_is_shown_as_held_back_or_wrong_is_said_to_be() -> None:
    for turns, words in {**HELD_BACK, **SHOWN_AS_WRONG}.items():
        (page,) = [text for text in PAGES.values() if f'"{turns[-1]}"' in text]
        assert words in page.replace("\n", " ")


@pytest.mark.parametrize(
    "name", [name for name in PAGES if any(programs_of(BLOCKS[name])) and name not in (SERVED, FLEETS)]
)
def test_dialogues_of_programs_on_pages_are_in_the_table(name: str, rewritten: list[Turns]) -> None:
    if name == "docs/rag.md" and not all(find_spec(module.partition(".")[0]) for module in FRAMEWORKS.values()):
        pytest.skip("a framework is not installed")
    names: dict[str, object] = {}
    for program in programs_of(BLOCKS[name]):
        exec(program.text, names)  # noqa: S102 - our own page
    must_be_in_the_table(rewritten)
    assert rewritten or "rewrite(" not in "".join(block.text for block in BLOCKS[name])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_dialogues_of_examples_are_in_the_table(example: Path, rewritten: list[Turns]) -> None:
    if example.name in FRAMEWORKS:
        pytest.importorskip(FRAMEWORKS[example.name])
    if example.name == "mcp_client.py":  # whose server is another process
        rewritten.append(tuple(turns_of(runpy.run_path(str(example))["MESSAGES"])))
    elif example.name.startswith("fleets_"):  # whose workers are
        rows = runpy.run_path(str(example)).get("ROWS", [])
        rewritten.extend(
            (*history, asked) for history, asked in (row.values() if isinstance(row, dict) else row for row in rows)
        )
    else:
        runpy.run_path(str(example), run_name="__main__")
    must_be_in_the_table(rewritten)


def test_dialogues_of_the_examples_file_are_in_the_table_with_targets_that_a_person_accepts() -> None:
    rows = [json.loads(line) for line in (ROOT / "examples" / "dialogues.jsonl").read_text("utf-8").splitlines()]
    by_turns = {(*row["history"], row["utterance"]): row["rewrite"] for row in rows}
    must_be_in_the_table(by_turns)
    assert [turns for turns, target in by_turns.items() if target not in ACCEPTED[turns]] == []


def typed(command: str) -> Iterator[Turns]:
    """The dialogue of a command that rewrites one."""
    words = shlex.split(command, comments=True)
    if words[:2] == ["utterly", "rewrite"] and "--input" not in words:
        context = typer.main.get_group(app).commands["rewrite"].make_context("rewrite", words[2:])
        yield tuple(context.params["turns"])


def test_dialogues_of_commands_are_in_the_table() -> None:
    commands = [command.text for blocks in BLOCKS.values() for command in commands_of(blocks)]
    commands += [
        line
        for blocks in BLOCKS.values()
        for block in blocks
        if block.language == "sh"
        for line in block.text.split("\n")
    ]
    for command in typer.main.get_group(app).commands.values():
        commands += re.findall(r"Example: `(.*?)`", command.help or "")
    shown = {turns for command in commands for turns in typed(command)}
    must_be_in_the_table(shown)
    assert len(shown) >= 3


def test_dialogues_of_requests_and_rows_are_in_the_table() -> None:
    shown = set()
    for text in PAGES.values():
        for turns in re.findall(r"\"turns\":\s*(\[.*?\])", text, re.DOTALL):
            shown.add(tuple(json.loads(turns)))
        for history, utterance in re.findall(r'"history": (\[.*?\]), "utterance": ("[^"]*")', text):
            shown.add((*json.loads(history), json.loads(utterance)))
    for module in (ROOT / "src").rglob("*.py"):
        for turns in re.findall(r'\brewrite\((\[".*?"\])\)', module.read_text(encoding="utf-8")):
            shown.add(tuple(json.loads(turns)))
    for program in programs_of(BLOCKS[SERVED]):
        calls = [node for node in ast.walk(ast.parse(program.text)) if isinstance(node, ast.Call)]
        lists = [call.args[0] for call in calls if ast.unparse(call.func).endswith(".rewrite") and call.args]
        shown |= {tuple(ast.literal_eval(each)) for each in lists}
    must_be_in_the_table(shown)
    assert len(shown) >= 3
