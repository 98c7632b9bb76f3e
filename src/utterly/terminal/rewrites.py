"""A rewrite as people look at it: a diff over its source, its edits, its confidence.

In colour what is deleted is struck, words of rules have one colour and copied spans another. Without colour
the diff has the marks of `wdiff`: [-deleted-] and {+inserted+}.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from rich.console import Console
from rich.text import Text

from utterly.rewriter import Rewrite
from utterly.scripts.diff import Kind, Part, diff
from utterly.terminal.tables import output_console

_STYLES: Final = {Kind.KEPT: "", Kind.DELETED: "red strike", Kind.RULE: "bold yellow", Kind.SPAN: "bold green"}
_MARKS: Final = {Kind.KEPT: "{}", Kind.DELETED: "[-{}-]", Kind.RULE: "{{+{}+}}", Kind.SPAN: "{{+{}+}}"}
_INSERTED: Final = (Kind.RULE, Kind.SPAN)
_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_QUOTED: Final = {rf"by rule ({_STRING})": Kind.RULE, rf"characters \d+-\d+ ({_STRING})": Kind.SPAN}


def show_rewrite(rewrite: Rewrite) -> None:
    """Print a rewrite with all that explains it."""
    console = output_console()
    console.print(rewrite_diff(rewrite, coloured=coloured(console)), soft_wrap=True)
    console.print(explanation(rewrite), soft_wrap=True)


def coloured(console: Console) -> bool:
    """Whether colours reach the reader: not in a pipe, nor where NO_COLOR is set."""
    return console.is_terminal and not console.no_color


def rewrite_diff(rewrite: Rewrite, *, coloured: bool) -> Text:
    """What became of the source."""
    if not rewrite.script:
        return Text(rewrite.text)
    parts = diff(rewrite.script)
    return _in_colour(parts) if coloured else Text("".join(_marked(parts)))


def _in_colour(parts: Sequence[Part]) -> Text:
    text, before = Text(), Kind.KEPT
    for part in parts:
        blank, words = _blank_and_words(part.text)
        if before is Kind.DELETED and part.kind in _INSERTED:
            blank = blank or " "  # nothing but colour would keep them apart
        text.append(blank).append(words, _STYLES[part.kind])
        before = part.kind
    return text


def _marked(parts: Sequence[Part]) -> Iterator[str]:
    for mark, alike in groupby(parts, key=lambda part: _MARKS[part.kind]):
        blank, words = _blank_and_words("".join(part.text for part in alike))
        yield blank + (mark.format(words) if words else "")


def _blank_and_words(text: str) -> tuple[str, str]:
    words = text.lstrip()
    return text[: len(text) - len(words)], words


def explanation(rewrite: Rewrite) -> Text:
    """The edits with their rules and the places of their spans, how sure they are, and other ways."""
    text = Text()
    for line in rewrite.explain().splitlines():
        text.append(f"  {line}\n", "dim")
    for pattern, kind in _QUOTED.items():
        for match in re.finditer(pattern, text.plain):
            text.stylize(_STYLES[kind], *match.span(1))
    text.append(f"  confidence {rewrite.confidence:.2f}" + (f", model {rewrite.model}" * bool(rewrite.model)), "dim")
    for other in rewrite.alternatives:
        text.append(f"\n  or, at {other.confidence:.2f}: {other.text}", "dim")
    return text
