"""A diff of source and rewrite: which text is kept, deleted, inserted by a rule, or copied, and from where."""

from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from utterly.dialogues.dialogue import Dialogue
from utterly.scripts.edits import EditScript, PlacedWord, gaps


class SegmentKind(StrEnum):
    """Where the text of a segment comes from."""

    KEPT = "kept"
    DELETED = "deleted"
    RULE = "rule"
    COPIED = "copied"


class Segment(NamedTuple):
    """A piece of text of one kind; if copied, with the turn and the characters it was copied from."""

    text: str
    kind: SegmentKind
    turn: int | None = None
    characters: tuple[int, int] | None = None


def segments(script: EditScript) -> list[Segment]:
    """Source and rewrite in one, each deletion before its replacement.

    Joined, the segments that are not deleted are the rewrite. Whitespace counts as kept, except inside inserted or
    deleted text.

    >>> from utterly.scripts.edits import Edit, Rule, Span
    >>> dialogue = Dialogue.of(["Who is Federer?", "Is he Swiss?"])
    >>> script = EditScript.from_changes(dialogue, [(1, Edit(False, Rule.parse("_"), (Span(0, 2, 3),)))])
    >>> [(segment.text, segment.kind.value) for segment in segments(script)]
    [('Is ', 'kept'), ('he', 'deleted'), ('Federer', 'copied'), (' Swiss?', 'kept')]
    """
    source = script.dialogue.source
    placed = {i: list(words) for i, words in groupby(script.placed_words, key=lambda word: word.edit)}
    drawn: list[Segment] = []
    deleted: list[str] = []  # drawn after the whitespace before the next word of the rewrite
    for i, edit in enumerate(script.edits):
        if not edit.keep:
            deleted.append(source.words[i].text)
        for word in placed.get(i, ()):
            _append(drawn, Segment(word.gap or "", SegmentKind.KEPT))
            _append(drawn, Segment(" ".join(deleted), SegmentKind.DELETED))
            _append(drawn, _segment(word, script.dialogue))
            deleted.clear()
    _append(drawn, Segment(" ".join(deleted), SegmentKind.DELETED))
    _append(drawn, Segment(gaps(source.text)[-1], SegmentKind.KEPT))
    return drawn


def _segment(word: PlacedWord, dialogue: Dialogue) -> Segment:
    if word.span:
        return Segment(word.text, SegmentKind.COPIED, word.span.turn, word.span.characters_in(dialogue))
    return Segment(word.text, SegmentKind.RULE if word.inserted else SegmentKind.KEPT)


def _append(drawn: list[Segment], new: Segment) -> None:
    """Add a segment; merge it with the last one if they differ only in text, or only whitespace is between them."""
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
