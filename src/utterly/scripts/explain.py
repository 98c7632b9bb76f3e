"""An edit script in plain words: one line per edit, with words and turns counted from 1.

word 2 "he": delete, insert "Federer" by rule "_" from turn 1, characters 8-15 "Federer"
"""

import json
import re
from dataclasses import dataclass

from utterly.dialogues.dialogue import Dialogue
from utterly.scripts.edits import NULL_RULE, EditScript, Rule, Span


@dataclass(frozen=True)
class SpanView:
    """The source of copied words: characters start..stop of context turn `turn`, counted from 0, stop exclusive."""

    turn: int
    start: int
    stop: int
    text: str

    @classmethod
    def of(cls, span: Span, dialogue: Dialogue) -> "SpanView":
        start, stop = span.characters_in(dialogue)
        return cls(span.turn, start, stop, dialogue.context[span.turn].text[start:stop])


@dataclass(frozen=True)
class EditView:
    """The effect of an edit at one source word, or at the end (`text` is None): keep or delete, and insert before."""

    word: int
    text: str | None
    deleted: bool
    inserted: str
    rule: Rule
    spans: tuple[SpanView, ...]


def edit_views(script: EditScript) -> tuple[EditView, ...]:
    """The edits that change something."""
    source = script.dialogue.source.words
    return tuple(
        EditView(
            i,
            source[i].text if i < len(source) else None,
            not edit.keep,
            script.inserted_text(i),
            edit.rule,
            tuple(SpanView.of(span, script.dialogue) for span in edit.spans),
        )
        for i, edit in enumerate(script.edits)
        if edit.is_change
    )


def explain(script: EditScript) -> str:
    """The edits, one line each."""
    return "\n".join(map(_line, edit_views(script))) or "no change"


def _line(edit: EditView) -> str:
    where = "end" if edit.text is None else f"word {edit.word + 1} {_quoted(edit.text)}"
    line = f"{where}: {'delete' if edit.deleted else 'keep'}"
    if edit.rule == NULL_RULE:
        return line
    origins = " and".join(
        f" from turn {span.turn + 1}, characters {span.start}-{span.stop} {_quoted(span.text)}" for span in edit.spans
    )
    return f"{line}, insert {_quoted(edit.inserted)} by rule {_quoted(str(edit.rule))}{origins}"


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    # str.splitlines also splits at these, which JSON does not escape
    return re.sub("[\x7f-\x9f\u2028\u2029]", lambda match: f"\\u{ord(match[0]):04x}", quoted)
