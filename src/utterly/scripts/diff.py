"""A rewrite drawn over its source: what stays, what is deleted, what a rule says, and what is copied."""

from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from utterly.dialogues.words import gaps
from utterly.scripts.edits import SLOT, Edit, EditScript


class Kind(StrEnum):
    """How a part of a diff came about."""

    KEPT = "kept"
    DELETED = "deleted"
    RULE = "rule"
    SPAN = "span"


class Part(NamedTuple):
    """Text with the blank before it, the edit that did it, and for a copy which of the edit's spans it is."""

    text: str
    kind: Kind
    edit: int
    span: int | None = None


def diff(script: EditScript) -> tuple[Part, ...]:
    """Source and rewrite in one, what is deleted before what replaces it.

    All parts but those deleted, joined, are the rewrite.

    >>> from utterly.dialogues.dialogue import Dialogue
    >>> from utterly.scripts.edits import Edit, Rule, Span
    >>> dialogue = Dialogue.of(["Who is Federer?", "Is he Swiss?"])
    >>> edit = Edit(keep=False, rule=Rule.parse("_"), spans=(Span(0, 2, 3),))
    >>> [(part.text, part.kind.value) for part in diff(EditScript.from_changes(dialogue, [(1, edit)]))]
    [('Is', 'kept'), (' he', 'deleted'), (' Federer', 'span'), (' Swiss?', 'kept')]
    """
    return tuple(_joined(_parts(script)))


def _parts(script: EditScript) -> Iterator[Part]:
    source = script.dialogue.source
    blanks = gaps(source.text)
    placed = {i: list(words) for i, words in groupby(script.placed_words(), key=lambda word: word.edit)}
    for i, edit in enumerate(script.edits):
        if not edit.keep:
            yield Part(blanks[i] + source.words[i].text, Kind.DELETED, i)
        origins = _origins(edit)
        for word in placed.get(i, ()):
            kind, span = next(origins) if word.inserted else (Kind.KEPT, None)
            yield Part(word.text, kind, i, span)
    yield Part(blanks[-1], Kind.KEPT, len(script.edits) - 1)


def _origins(edit: Edit) -> Iterator[tuple[Kind, int | None]]:
    """For each word that an edit inserts: a rule's own, or of which span."""
    sizes = enumerate(map(len, edit.spans))
    for part in edit.rule.parts:
        if part is not SLOT:
            yield Kind.RULE, None
        else:
            span, size = next(sizes)
            yield from [(Kind.SPAN, span)] * size


def _joined(parts: Iterator[Part]) -> Iterator[Part]:
    """Neighbours that came about alike are one part; what is kept is kept by many edits."""
    for _, alike in groupby(parts, key=lambda part: (part.kind, part.kind is Kind.KEPT or part.edit, part.span)):
        first, *others = alike
        if text := "".join(part.text for part in (first, *others)):
            yield first._replace(text=text)
