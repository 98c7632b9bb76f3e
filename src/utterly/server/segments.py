"""An edit script as it is drawn: what was kept, deleted, inserted by a rule and copied, from left to right."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from utterly.scripts.edits import SLOT, Edit, EditScript

Kind = Literal["kept", "deleted", "rule", "copied"]


@dataclass(frozen=True)
class Segment:
    """A stretch of text of one kind; what was copied knows its turn and characters there."""

    kind: Kind
    text: str
    turn: int | None = None
    characters: tuple[int, int] | None = None


def segments(script: EditScript) -> list[Segment]:
    """All but the deleted ones, joined, are the rewrite. A deleted word stands before what replaces it.

    >>> from utterly import Dialogue, Edit, Rule, Span
    >>> dialogue = Dialogue.of(["Who is Federer?", "Is he Swiss?"])
    >>> he = Edit(keep=False, rule=Rule.parse("_"), spans=(Span(0, 2, 3),))
    >>> [(each.kind, each.text) for each in segments(EditScript.from_changes(dialogue, [(1, he)]))]
    [('kept', 'Is '), ('deleted', 'he'), ('copied', 'Federer'), ('kept', ' Swiss?')]
    """
    rewrite, at = script.apply(), 0
    drawn: list[Segment] = []
    deleted: list[str] = []  # since the last word of the rewrite; they stand after the blank that follows it
    words = iter(script.words)
    for planned in _planned(script):
        if planned.kind == "deleted":
            deleted.append(planned.text)
            continue
        word = next(words)
        start = rewrite.index(word, at)
        blank = Segment("kept", rewrite[at:start])
        for part in (blank, Segment("deleted", " ".join(deleted)), replace(planned, text=word)):
            _append(drawn, part)
        at = start + len(word)
        deleted.clear()
    _append(drawn, Segment("deleted", " ".join(deleted)))
    _append(drawn, Segment("kept", rewrite[at:]))
    return drawn


def _planned(script: EditScript) -> Iterator[Segment]:
    """A segment a word, in the order they are drawn; the text of those in the rewrite is not known yet."""
    source = script.dialogue.source.words
    for i, edit in enumerate(script.edits):
        if not edit.keep:
            yield Segment("deleted", source[i].text)
        yield from _inserted(script, edit)
        if edit.keep and i < len(source):
            yield Segment("kept", "")


def _inserted(script: EditScript, edit: Edit) -> Iterator[Segment]:
    spans = iter(edit.spans)
    for part in edit.rule.parts:
        if part is not SLOT:
            yield Segment("rule", "")
            continue
        span = next(spans)
        for _ in range(len(span)):
            yield Segment("copied", "", span.turn, span.characters_in(script.dialogue))


def _append(drawn: list[Segment], new: Segment) -> None:
    """Add a segment, as one with what is of its kind and place; a blank inside what was inserted belongs to that."""
    if not new.text:
        return
    if drawn and replace(drawn[-1], text="") == replace(new, text=""):
        drawn[-1] = replace(drawn[-1], text=drawn[-1].text + new.text)
    elif len(drawn) > 1 and drawn[-1].text.isspace() and _same_insertion(drawn[-2], new) and drawn[-1].kind == "kept":
        blank = drawn.pop()
        drawn[-1] = replace(drawn[-1], text=drawn[-1].text + blank.text + new.text)
    else:
        drawn.append(new)


def _same_insertion(left: Segment, right: Segment) -> bool:
    return left.kind in ("rule", "copied") and replace(left, text="") == replace(right, text="")
