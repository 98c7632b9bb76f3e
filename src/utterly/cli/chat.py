"""`utterly chat`: a dialogue typed at the terminal."""

import io
import sys

import typer

from utterly.cli.options import MinConfidence, Model, Threads


def chat(model: Model = None, min_confidence: MinConfidence = 0.0, threads: Threads = None) -> None:
    """Type turns, and see how each reads on its own.

    What the other side says goes behind `assistant:` or `bot:`. `/help` names the commands: `/explain`, `/turns`,
    `/undo`, `/reset`, `/quit`. Turns can also come through a pipe, one a line.

    Example: `printf 'Who is Federer?\\nbot: A player.\\nIs he Swiss?\\n' | utterly chat`
    """
    from utterly.rewriter import Rewriter
    from utterly.terminal.chat import Chat, typed_lines

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a stray byte must not end a chat
    session = Chat(Rewriter.load(model, threads=threads), min_confidence=min_confidence)
    try:
        session.run(typed_lines())
    except KeyboardInterrupt:
        typer.echo()
