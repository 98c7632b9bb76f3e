"""A rewrite drawn over its source: what is kept, deleted, inserted by a rule, and copied from where."""

from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from utterly.dialogues.dialogue import gaps
from utterly.scripts.edits import SLOT, EditScript


class SegmentKind(StrEnum):
    """Where the text of a segment comes from."""

    KEPT = "kept"
    DELETED = "deleted"
    RULE = "rule"
    COPIED = "copied"


class Segment(NamedTuple):
    """A stretch of text of one kind. A copied one knows the turn and the characters it was copied from."""

    text: str
    kind: SegmentKind
    turn: int | None = None
    characters: tuple[int, int] | None = None


def segments(script: EditScript) -> list[Segment]:
    """Source and rewrite in one, deletions before what replaces them.

    The segments that are not deleted, joined, are the rewrite. Whitespace is kept text unless it is inside what is
    inserted or deleted.

    >>> from utterly.dialogues.dialogue import Dialogue
    >>> from utterly.scripts.edits import Edit, Rule, Span
    >>> dialogue = Dialogue.of(["Who is Federer?", "Is he Swiss?"])
    >>> script = EditScript.from_changes(dialogue, [(1, Edit(False, Rule.parse("_"), (Span(0, 2, 3),)))])
    >>> [(segment.text, segment.kind.value) for segment in segments(script)]
    [('Is ', 'kept'), ('he', 'deleted'), ('Federer', 'copied'), (' Swiss?', 'kept')]
    """
    drawn: list[Segment] = []
    deleted: list[str] = []  # since the last word of the rewrite; drawn after the whitespace that follows it
    for segment in _words(script):
        word = segment.text.lstrip()
        if segment.kind is SegmentKind.DELETED:
            deleted.append(word)
            continue
        _append(drawn, Segment(segment.text.removesuffix(word), SegmentKind.KEPT))
        _append(drawn, Segment(" ".join(deleted), SegmentKind.DELETED))
        _append(drawn, segment._replace(text=word))
        deleted.clear()
    _append(drawn, Segment(" ".join(deleted), SegmentKind.DELETED))
    _append(drawn, Segment(gaps(script.dialogue.source.text)[-1], SegmentKind.KEPT))
    return drawn


def _words(script: EditScript) -> Iterator[Segment]:
    """A segment for each word of source and rewrite, with the whitespace before it."""
    source = script.dialogue.source
    blanks = gaps(source.text)
    placed = {i: list(words) for i, words in groupby(script.placed_words(), key=lambda word: word.edit)}
    for i, edit in enumerate(script.edits):
        if not edit.keep:
            yield Segment(blanks[i] + source.words[i].text, SegmentKind.DELETED)
        inserted = _inserted(script, i)
        for word in placed.get(i, ()):
            segment = next(inserted) if word.inserted else Segment("", SegmentKind.KEPT)
            yield segment._replace(text=word.text)


def _inserted(script: EditScript, i: int) -> Iterator[Segment]:
    """A segment for each word that edit i inserts, still without its text."""
    spans = iter(script.edits[i].spans)
    for part in script.edits[i].rule.parts:
        if part is not SLOT:
            yield Segment("", SegmentKind.RULE)
        else:
            span = next(spans)
            copied = Segment("", SegmentKind.COPIED, span.turn, span.characters_in(script.dialogue))
            yield from [copied] * len(span)


def _append(drawn: list[Segment], new: Segment) -> None:
    """Add a segment, merged with its neighbour if they are alike, together with whitespace between inserted words."""
    if not new.text:
        return
    if drawn and drawn[-1][1:] == new[1:]:
        drawn[-1] = new._replace(text=drawn[-1].text + new.text)
    elif (
        len(drawn) > 1
        and drawn[-2][1:] == new[1:]
        and new.kind in (SegmentKind.RULE, SegmentKind.COPIED)
        and drawn[-1].kind is SegmentKind.KEPT
        and drawn[-1].text.isspace()
    ):
        blank = drawn.pop()
        drawn[-1] = new._replace(text=drawn[-1].text + blank.text + new.text)
    else:
        drawn.append(new)
