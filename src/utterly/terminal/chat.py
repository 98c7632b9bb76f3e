"""`Chat`: turns typed one after the other, and how each reads on its own."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from rich.text import Text

from utterly.dialogues.conversation import SPOKEN_ROLES, USER
from utterly.errors import UtterlyError
from utterly.rewriter import Rewrite, Rewriter
from utterly.terminal.rewrites import explanation, show_rewrite
from utterly.terminal.tables import output_console

HELP: Final = """\
Type what a user says: it is shown as it reads on its own.
What the other side answers goes behind `assistant:` or `bot:`, and a turn that
begins with a slash behind `user:`.
  /explain   show the last rewrite in full, with other ways
  /turns     show the turns so far
  /undo      forget the last turn
  /reset     forget all turns
  /help      show this
  /quit      end; so do Ctrl-D and Ctrl-C"""
_PROMPT: Final = "you: "
_OTHER_WAYS: Final = 3
_SAID_BY: Final = re.compile(r"\s*(user|you|assistant|bot)\s*:\s*", re.IGNORECASE)
_ROLES: Final = {"you": USER, "bot": SPOKEN_ROLES[1]}


class Said(NamedTuple):
    """A turn and who said it."""

    role: str
    text: str


class Chat:
    """A dialogue that grows by what is typed. Turns are kept as they came, not as they were rewritten."""

    def __init__(self, rewriter: Rewriter, *, min_confidence: float = 0.0) -> None:
        self._rewriter, self._least = rewriter, min_confidence
        self._console = output_console()
        self.turns: list[Said] = []

    def run(self, lines: Iterable[str]) -> None:
        """Answer each line, until one says to quit."""
        for line in lines:
            try:
                if not self._answered(line.strip()):
                    return
            except UtterlyError as refused:  # a chat goes on
                self._say(f"error: {refused}", "red")

    def _answered(self, line: str) -> bool:
        """Do what a line asks for; whether to go on."""
        if line.startswith("/"):
            return self._obeyed(line.lower())
        if line:
            self._hear(_said(line))
        return True

    def _hear(self, said: Said) -> None:
        if said.role == USER:
            rewrite = self._rewritten([*self.turns, said])
            self._show(rewrite)
        self.turns.append(said)

    def _obeyed(self, command: str) -> bool:
        if command == "/quit":
            return False
        if command == "/explain":
            self._explain()
        elif command == "/turns":
            self._say("\n".join(f"{role}: {text}" for role, text in self.turns) or "no turns yet")
        elif command == "/undo":
            self._say(f"forgot: {self.turns.pop().text}" if self.turns else "no turn to forget")
        elif command == "/reset":
            self.turns.clear()
            self._say("forgot all turns")
        else:
            self._say(HELP if command == "/help" else f"there is no command {command}; type /help")
        return True

    def _explain(self) -> None:
        last = max((i for i, said in enumerate(self.turns) if said.role == USER), default=None)
        if last is None:
            self._say("nothing was rewritten yet")
        else:
            show_rewrite(self._rewritten(self.turns[: last + 1], n_best=1 + _OTHER_WAYS))

    def _rewritten(self, turns: list[Said], n_best: int = 1) -> Rewrite:
        return self._rewriter.rewrite([said.text for said in turns], n_best=n_best, min_confidence=self._least)

    def _show(self, rewrite: Rewrite) -> None:
        if rewrite.changed:
            self._console.print(Text("→ ").append(rewrite.text, "bold"), soft_wrap=True)
            self._console.print(explanation(rewrite), soft_wrap=True)
        else:
            why = f" ({rewrite.reason})" if rewrite.reason else f", confidence {rewrite.confidence:.2f}"
            self._say(f"= stays as it is{why}")

    def _say(self, text: str, style: str = "dim") -> None:
        self._console.print(Text(text, style), soft_wrap=True)


def typed_lines() -> Iterator[str]:
    """What is typed at a terminal, asked for with a prompt, or what comes through a pipe, up to its end."""
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    with suppress(ImportError):  # Windows
        import readline  # noqa: F401 - lines can be edited and called back
    console = output_console()
    console.print(HELP, style="dim")
    with suppress(EOFError):
        while True:
            yield input(_PROMPT)
    console.print()  # after the Ctrl-D


def _said(line: str) -> Said:
    """
    >>> _said("Bot: He is."), _said("Is he: really?")
    (Said(role='assistant', text='He is.'), Said(role='user', text='Is he: really?'))
    """
    match = _SAID_BY.match(line)
    role = match[1].lower() if match else USER
    return Said(_ROLES.get(role, role), line[match.end() :] if match else line)
