"""`utterly chat`: a dialogue typed at the terminal."""

import io
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

import typer

from utterly.cli.console import show
from utterly.cli.options import MinConfidence, Model, Threads
from utterly.cli.rewrite import explanation, show_explained
from utterly.dialogues.conversation import ASSISTANT, USER
from utterly.errors import UtterlyError

if TYPE_CHECKING:
    from utterly.rewriter import Rewrite, Rewriter

HELP: Final = """\
Type what a user says to see how it reads on its own.
Prefix the other side's answers with `assistant:` or `bot:`, and a turn that
starts with a slash with `user:`.
  /explain   show the last rewrite in full, with alternatives
  /turns     show the turns so far
  /undo      forget the last turn
  /reset     forget all turns
  /help      show this
  /quit      quit; so do Ctrl-D and Ctrl-C"""
_PROMPT: Final = "you: "
_ALTERNATIVES: Final = 3
_SPEAKER: Final = re.compile(r"\s*(user|you|assistant|bot)\s*:\s*", re.IGNORECASE)
_ROLES: Final = {"you": USER, "bot": ASSISTANT}


def chat(model: Model = None, min_confidence: MinConfidence = 0.0, threads: Threads = None) -> None:
    """Type turns and see how each reads on its own.

    Prefix the other side's answers with `assistant:` or `bot:`. `/help` lists the commands: `/explain`, `/turns`,
    `/undo`, `/reset`, `/quit`. Turns can also come through a pipe, one a line.

    Example: `printf 'Who is Federer?\\nbot: A player.\\nIs he Swiss?\\n' | utterly chat`
    """
    from utterly.rewriter import Rewriter

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a stray byte must not end a chat
    session = Chat(Rewriter.load(model, threads=threads), min_confidence=min_confidence)
    try:
        session.run(_typed_lines())
    except KeyboardInterrupt:
        typer.echo()


class Spoken(NamedTuple):
    """A turn and who said it."""

    role: str
    text: str


class Chat:
    """A dialogue that grows by what is typed. Turns are kept as typed, not as rewritten."""

    def __init__(self, rewriter: "Rewriter", *, min_confidence: float = 0.0) -> None:
        self._rewriter, self._min_confidence = rewriter, min_confidence
        self.turns: list[Spoken] = []

    def run(self, lines: Iterable[str]) -> None:
        """Answer each line until one says to quit."""
        for line in map(str.strip, lines):
            try:
                if line.lower() == "/quit":
                    return
                if line.startswith("/"):
                    self._command(line.lower())
                elif line:
                    self._turn(_spoken(line))
            except UtterlyError as error:  # a chat goes on
                show(f"error: {error}", "red")

    def _turn(self, spoken: Spoken) -> None:
        if spoken.role == USER:
            _show_brief(self._rewrite([*self.turns, spoken]))
        self.turns.append(spoken)

    def _command(self, command: str) -> None:
        if command == "/explain":
            self._explain()
        elif command == "/turns":
            show("\n".join(f"{role}: {text}" for role, text in self.turns) or "no turns yet", "dim")
        elif command == "/undo":
            show(f"forgot: {self.turns.pop().text}" if self.turns else "no turn to forget", "dim")
        elif command == "/reset":
            self.turns.clear()
            show("forgot all turns", "dim")
        else:
            show(HELP if command == "/help" else f"unknown command {command}; type /help", "dim")

    def _explain(self) -> None:
        last = max((i for i, spoken in enumerate(self.turns) if spoken.role == USER), default=None)
        if last is None:
            show("nothing rewritten yet", "dim")
        else:
            show_explained(self._rewrite(self.turns[: last + 1], n_best=1 + _ALTERNATIVES))

    def _rewrite(self, turns: list[Spoken], n_best: int = 1) -> "Rewrite":
        texts = [spoken.text for spoken in turns]
        return self._rewriter.rewrite(texts, n_best=n_best, min_confidence=self._min_confidence)


def _show_brief(rewrite: "Rewrite") -> None:
    from rich.text import Text

    if rewrite.changed:
        show(Text("→ ").append(rewrite.text, "bold"))
        show(explanation(rewrite))
    else:
        why = f" ({rewrite.reason})" if rewrite.reason else f", confidence {rewrite.confidence:.2f}"
        show(f"= unchanged{why}", "dim")


def _typed_lines() -> Iterator[str]:
    """What is typed at a prompt, or what comes through a pipe."""
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    with suppress(ImportError):  # Windows
        import readline  # noqa: F401 - lines can be edited and recalled
    show(HELP, "dim")
    with suppress(EOFError):
        while True:
            yield input(_PROMPT)
    typer.echo()  # after the Ctrl-D


def _spoken(line: str) -> Spoken:
    """
    >>> _spoken("Bot: He is."), _spoken("Is he: really?")
    (Spoken(role='assistant', text='He is.'), Spoken(role='user', text='Is he: really?'))
    """
    match = _SPEAKER.match(line)
    role = match[1].lower() if match else USER
    return Spoken(_ROLES.get(role, role), line[match.end() :] if match else line)
