"""`utterly chat`: turns through a pipe, and what is said of each."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import CommandLine, Outcome
from utterly.rewriter import FIRST_TURN, Rewriter


class Typed:
    """Runs `utterly chat` on what is typed."""

    def __init__(self, utterly: CommandLine, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._utterly, self._model, self._monkeypatch = utterly, model, monkeypatch

    def __call__(self, text: str | bytes, *options: str) -> Outcome:
        raw = text if isinstance(text, bytes) else text.encode()
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        return self._utterly("chat", "--model", self._model, *options)


@pytest.fixture
def chat(utterly: CommandLine, model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    return Typed(utterly, model_folder, monkeypatch)


def test_each_turn_of_the_user_is_shown_as_it_reads_on_its_own(chat: Typed, rewriter: Rewriter) -> None:
    turns = ["who is anna ?", "a singer in paris .", "where was he born ?"]
    result = rewriter.rewrite(turns)
    status, out, error = chat("who is anna ?\nbot: a singer in paris .\n\nwhere was he born ?\n")
    first, *answer = out.splitlines()
    assert (status, error) == (0, "")
    assert first == f"= unchanged ({FIRST_TURN})"
    assert answer == [
        f"→ {result.text}",
        *(f"  {line}" for line in result.explain().splitlines()),
        f"  confidence {result.confidence:.2f}, model tiny",
    ]


def test_turns_are_kept_as_they_were_typed_and_by_whom(chat: Typed) -> None:
    said = "who is anna ?\nAssistant: a singer .\nYou: where was he born ?\nuser: /etc ?\n/turns\n"
    assert chat(said).out.splitlines()[-4:] == [
        "user: who is anna ?",
        "assistant: a singer .",
        "user: where was he born ?",
        "user: /etc ?",
    ]


def test_turns_can_be_forgotten(chat: Typed) -> None:
    out = chat("/undo\nwho is anna ?\nbot: a singer .\n/undo\n/turns\n/reset\n/turns\n/explain\n").out
    assert out.splitlines() == [
        "no turn to forget",
        f"= unchanged ({FIRST_TURN})",
        "forgot: a singer .",
        "user: who is anna ?",
        "forgot all turns",
        "no turns yet",
        "nothing rewritten yet",
    ]


def test_the_last_rewrite_is_explained_with_other_ways(chat: Typed, rewriter: Rewriter) -> None:
    turns = ["who is anna ?", "where was he born ?"]
    other = rewriter.rewrite(turns, n_best=4).alternatives[0]
    out = chat("\n".join([*turns, "bot: in paris .", "/explain"])).out
    assert f"  or, at {other.confidence:.2f}: {other.text}" in out
    assert "{+" in out


def test_under_the_least_confidence_it_says_so(chat: Typed) -> None:
    out = chat("who is anna ?\nwhere was he born ?\n", "--min-confidence", "1").out
    assert out.splitlines()[1].startswith("= unchanged (confidence 0.")


def test_help_names_every_command_and_a_wrong_one_points_to_it(chat: Typed) -> None:
    out = chat("/sing\n/help\n").out
    assert out.startswith("unknown command /sing; type /help\n")
    assert [name for name in ("/explain", "/turns", "/undo", "/reset", "/help", "/quit") if name not in out] == []


def test_after_quit_nothing_is_read(chat: Typed) -> None:
    assert chat("/quit\nwho is anna ?\n") == (0, "", "")


def test_stray_bytes_do_not_end_a_chat(chat: Typed) -> None:
    status, out, error = chat(b"caf\xe9\n\x00\nso ?\n")
    assert (status, error) == (0, "")
    assert len(out.splitlines()) >= 3


def test_ctrl_c_ends_politely(chat: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("utterly.cli.chat.Chat.run", interrupted)
    assert chat("who is anna ?\n") == (0, "\n", "")


def test_at_a_terminal_it_asks_and_ctrl_d_ends_it(model_folder: Path) -> None:
    pty = pytest.importorskip("pty")
    import os

    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from utterly.cli.app import main; main()", "chat", "--model", str(model_folder)]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        os.close(theirs)
        os.write(ours, b"who is anna ?\n\x04")
        out, error = program.communicate(timeout=60)
        os.close(ours)
    assert (program.returncode, error) == (0, "")
    assert "/quit" in out
    assert f"= unchanged ({FIRST_TURN})" in out
