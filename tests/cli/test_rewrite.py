"""`utterly rewrite` with turns: the text alone, explained, or everything as JSON."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.text import Text

from tests.command_line import CommandLine
from utterly.cli.rewrite import explanation, rewrite_diff
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ModelError
from utterly.rewriter import FIRST_TURN, Alternative, Rewrite, Rewriter
from utterly.scripts.edits import Edit, EditScript, Rule, Span

TURNS = ["who is anna ?", "a singer in paris .", "where was he born ?"]
ENGLISH = Dialogue.of(["Why did Federer withdraw?", "He hurt his back.", "Did he have any other injuries?"])
HE = Edit(keep=False, rule=Rule.parse("_"), spans=(Span(0, 2, 3),))
END = Edit(keep=True, rule=Rule.parse("besides _"), spans=(Span(1, 2, 4),))
CHINESE = Dialogue.of(["你喜欢周杰伦吗", "他最有名的歌是什么"])
HIM = Edit(keep=False, rule=Rule.parse("_"), spans=(Span(0, 3, 6),))
PROGRAM = [sys.executable, "-c", "from utterly.cli.app import main; main()"]


def test_the_rewrite_alone_is_printed(utterly: CommandLine, model_folder: Path, rewriter: Rewriter) -> None:
    result = rewriter.rewrite(TURNS)
    assert result.changed
    assert utterly("rewrite", *TURNS, "--model", model_folder) == (0, f"{result.text}\n", "")


@pytest.mark.parametrize("from_file", [False, True])
def test_the_model_runs_where_it_is_told_to(
    utterly: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, from_file: bool
) -> None:
    asked = []

    def load(*_: object, device: str, **__: object) -> Rewriter:
        asked.append(device)
        raise ModelError("no")

    monkeypatch.setattr(Rewriter, "load", load)
    (tmp_path / "in.jsonl").write_text("")
    given = ["--input", tmp_path / "in.jsonl"] if from_file else TURNS
    utterly("rewrite", *given)
    utterly("rewrite", *given, "--device", "cuda")
    assert asked == ["cpu", "cuda"]


def test_everything_is_there_as_json(utterly: CommandLine, model_folder: Path, rewriter: Rewriter) -> None:
    status, out, _ = utterly("rewrite", *TURNS, "--model", model_folder, "--json", "--n-best", "3")
    assert status == 0
    assert json.loads(out) == rewriter.rewrite(TURNS, n_best=3).to_json()
    assert len(json.loads(out)["alternatives"]) == 2


def test_the_best_rewrites_are_a_line_each(utterly: CommandLine, model_folder: Path, rewriter: Rewriter) -> None:
    result = rewriter.rewrite(TURNS, n_best=3)
    lines = [result.text, *(other.text for other in result.alternatives)]
    assert utterly("rewrite", *TURNS, "--model", model_folder, "--n-best", "3").out.splitlines() == lines


def test_under_the_least_confidence_the_turn_comes_back(utterly: CommandLine, model_folder: Path) -> None:
    assert utterly("rewrite", *TURNS, "--model", model_folder, "--min-confidence", "1").out == f"{TURNS[-1]}\n"


def test_a_search_query_has_the_likeliest_missing_word(utterly: CommandLine) -> None:
    turns = ["Tell me about the Eiffel Tower.", "It was built in 1889 in Paris.", "How many visitors come every year?"]
    held_back = ["--min-confidence", "0.99"]  # else the model inserts the word
    assert utterly("rewrite", *turns, "--search", *held_back).out == f"{turns[-1]} Eiffel\n"
    explained = utterly("rewrite", *turns, "--search", "--explain", *held_back).out
    assert f"to search with: {turns[-1]} Eiffel\n" in explained
    assert json.loads(utterly("rewrite", *turns, "--search", "--json", *held_back).out)["terms"][0]["text"] == "Eiffel"
    assert utterly("rewrite", *turns, *held_back).out == f"{turns[-1]}\n"


def test_an_explanation_has_the_diff_and_where_each_span_came_from(
    utterly: CommandLine, model_folder: Path, rewriter: Rewriter
) -> None:
    diff, *lines = utterly("rewrite", *TURNS, "--model", model_folder, "--explain").out.splitlines()
    assert "[-" in diff
    assert "{+" in diff
    assert [line.strip() for line in lines[:-1]] == rewriter.rewrite(TURNS).explain().splitlines()
    assert lines[-1].startswith("  confidence 0.")
    assert lines[-1].endswith(", model tiny")


@pytest.mark.parametrize(("environment", "coloured"), [({"FORCE_COLOR": "1"}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_for_those_who_see_them(
    utterly: CommandLine,
    model_folder: Path,
    environment: dict[str, str],
    coloured: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    out = utterly("rewrite", *TURNS, "--model", model_folder, "--explain").out
    assert ("\x1b[" in out, "[-" in out) == (coloured, not coloured)


@pytest.mark.parametrize("turns", [["where was he born ?"], ["", "where was he born ?"]])
def test_a_first_turn_stays_as_it_is_and_says_why(utterly: CommandLine, model_folder: Path, turns: list[str]) -> None:
    out = utterly("rewrite", *turns, "--model", model_folder, "--explain").out
    assert out.splitlines()[:2] == ["where was he born ?", f"  no change: {FIRST_TURN}"]


@pytest.mark.parametrize("last", ["", "  "])
def test_a_turn_without_words_comes_back(utterly: CommandLine, model_folder: Path, last: str) -> None:
    assert utterly("rewrite", "who is anna ?", last, "--model", model_folder) == (0, f"{last}\n", "")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--json"], "a dialogue needs at least one turn: the one to rewrite"),
        (["so", "--model", "nowhere"], "nowhere: there is no such folder; give a model's folder"),
        (["so", "--model", "."], "a model's folder needs config.json, but reading it failed: No such file"),
        (["so", "caf\udce9"], "a turn must be valid Unicode, but character 3 is the lone surrogate"),
    ],
)
def test_what_cannot_be_rewritten_is_one_line_of_error(
    utterly: CommandLine, arguments: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, error = utterly("rewrite", *arguments)
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert error.startswith("error: ")
    assert problem in error


@pytest.mark.parametrize("broken", ["tagger.onnx", "rules.json", "tokenizer.json"])
def test_a_model_with_a_missing_or_altered_file_is_refused(
    utterly: CommandLine, model_folder: Path, broken: str, tmp_path: Path
) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    for file in model_folder.iterdir():
        (folder / file.name).write_bytes(file.read_bytes() + b" " * (file.name == broken))
    status, out, error = utterly("rewrite", *TURNS, "--model", folder)
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert f"{folder / broken}: the file was altered" in error
    (folder / broken).unlink()
    assert "a model needs this file" in utterly("rewrite", *TURNS, "--model", folder).err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["so", "--output", "x.jsonl"], "need --input FILE"),
        (["so", "--skip-bad"], "need --input FILE"),
        (["so", "--force"], "need --input FILE"),
        (["so", "--input", "x.jsonl"], "--input cannot be combined with turns, --search or --explain"),
        (["--explain", "--input", "x.jsonl"], "--input cannot be combined with turns, --search or --explain"),
        (["--search", "--input", "x.jsonl"], "--input cannot be combined with turns, --search or --explain"),
        (["so", "--n-best", "0"], "should be greater than or equal to 1"),
        (["so", "--min-confidence", "2"], "should be less than or equal to 1"),
    ],
)
def test_options_that_do_not_go_together_are_refused(utterly: CommandLine, arguments: list[str], problem: str) -> None:
    status, out, error = utterly("rewrite", *arguments)
    assert (status, out) == (2, "")
    assert problem in " ".join(error.replace("│", " ").split())  # without the box and its line breaks


def test_a_full_disk_behind_the_output_is_one_line_of_error(model_folder: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with Path("/dev/full").open("w") as full:
        command = [*PROGRAM, "rewrite", *TURNS, "--model", str(model_folder)]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == (
        "error: cannot read or write: [Errno 28] No space left on device; check disk and permissions\n"
    )


def test_the_text_alone_needs_neither_torch_nor_rich(model_folder: Path) -> None:
    program = (
        "import sys, contextlib\nfrom utterly.cli.app import main\nwith contextlib.suppress(SystemExit): main()\n"
        "sys.exit(', '.join(sorted({'torch', 'transformers', 'rich', 'pyarrow'} & set(sys.modules))) or 0)"
    )
    command = [sys.executable, "-c", program, "rewrite", *TURNS, "--model", str(model_folder)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def rewrite_by(script: EditScript, **more: object) -> Rewrite:
    text, source = script.apply(), script.dialogue.source.text
    return Rewrite(text=text, source=source, confidence=0.834, model="en", script=script, **more)  # type: ignore[arg-type]


def styled(text: Text, style: str) -> list[str]:
    return [text.plain[span.start : span.end] for span in text.spans if span.style == style]


@pytest.mark.parametrize(
    ("dialogue", "changes", "drawn"),
    [
        (
            ENGLISH,
            [(1, HE), (6, END)],
            "Did [-he-] {+Federer+} have any other injuries {+besides his back+}?",
        ),
        (CHINESE, [(0, HIM)], "[-他-] {+周杰伦+}最有名的歌是什么"),
        (ENGLISH, [], "Did he have any other injuries?"),
    ],
)
def test_without_colour_a_diff_has_marks(dialogue: Dialogue, changes: list[tuple[int, Edit]], drawn: str) -> None:
    rewrite = rewrite_by(EditScript.from_changes(dialogue, changes))
    assert rewrite_diff(rewrite, coloured=False).plain == drawn


def test_in_colour_what_is_deleted_a_rules_or_copied_has_a_style_of_its_own() -> None:
    text = rewrite_diff(rewrite_by(EditScript.from_changes(ENGLISH, [(1, HE), (6, END)])), coloured=True)
    assert text.plain == "Did he Federer have any other injuries besides his back?"
    assert styled(text, "red strike") == ["he"]
    assert styled(text, "bold yellow") == ["besides"]
    assert styled(text, "bold green") == ["Federer", "his back"]


def test_in_colour_a_blank_keeps_a_deleted_word_from_what_replaces_it() -> None:
    text = rewrite_diff(rewrite_by(EditScript.from_changes(CHINESE, [(0, HIM)])), coloured=True)
    assert text.plain == "他 周杰伦最有名的歌是什么"


def test_an_explanation_colours_rules_and_spans_as_the_diff_does() -> None:
    script = EditScript.from_changes(ENGLISH, [(6, END)])
    text = explanation(rewrite_by(script, alternatives=(Alternative("So?", 0.1),)))
    assert text.plain.splitlines() == [
        '  word 7 "?": keep, insert "besides his back" by rule "besides _" from turn 2, characters 8-16 "his back"',
        "  confidence 0.83, model en",
        "  or, at 0.10: So?",
    ]
    assert styled(text, "bold yellow") == ['"besides _"']
    assert styled(text, "bold green") == ['"his back"']


def test_what_no_model_was_asked_is_shown_as_it_is_with_the_reason() -> None:
    rewrite = Rewrite(text="So?", source="So?", confidence=1.0, model="en", reason="there is nothing before it")
    assert rewrite_diff(rewrite, coloured=False).plain == "So?"
    assert explanation(rewrite).plain.splitlines()[0] == "  no change: there is nothing before it"
