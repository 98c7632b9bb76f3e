"""An edit script as JSON, and back.

A list of objects, one per edit that changes something, all counted from 0: `word` is the source word (the number of
words means the end), null in `rule` is a slot, and `words` and `characters` of a span are half-open ranges in context
turn `turn`.
"""

import json
from typing import Any

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import json_name
from utterly.errors import EditError
from utterly.scripts.edits import Edit, EditScript, Rule, Span
from utterly.scripts.explain import edit_views


def script_to_json(script: EditScript) -> list[dict[str, Any]]:
    """The edits that change something."""
    return [
        {
            "word": edit.word,
            "text": edit.text,
            "keep": not edit.deleted,
            "insert": edit.inserted,
            "rule": list(edit.rule.parts),
            "spans": [
                {
                    "turn": span.turn,
                    "words": [span.start, span.stop],
                    "characters": [view.start, view.stop],
                    "text": view.text,
                }
                for span, view in zip(script.edits[edit.word].spans, edit.spans, strict=True)
            ],
        }
        for edit in edit_views(script)
    ]


def script_from_json(changes: Any, dialogue: Dialogue) -> EditScript:
    """The inverse of `script_to_json`, given the dialogue that the script was made from."""
    if not isinstance(changes, list):
        raise EditError(f"a script in JSON must be a list of edits, got {json_name(changes)}; use `script_to_json`")
    return EditScript.from_changes(dialogue, [_edit_from_json(change, dialogue) for change in changes])


def _edit_from_json(change: Any, dialogue: Dialogue) -> tuple[int, Edit]:
    try:
        i, keep, text = change["word"], change["keep"], change["text"]
        spans = tuple(Span(span["turn"], *span["words"]) for span in change["spans"])
        edit = Edit(keep, Rule(tuple(change["rule"])), spans)
        if type(i) is not int or type(change["rule"]) is not list:
            raise TypeError("word must be an integer and rule a list")
    except (KeyError, TypeError) as wrong:
        raise EditError(
            "an edit in JSON needs word, text, keep, rule (strings and nulls) and spans (each with turn and words), "
            f"got {json.dumps(change, ensure_ascii=False, default=str)[:200]} ({wrong!r})"
        ) from None
    words = dialogue.source.words
    here = words[i].text if 0 <= i < len(words) else None
    if text != here:
        raise EditError(
            f"the edit at word {i}, counted from 0, was made for {text!r}, but the source has {here!r}; "
            "give the dialogue the script was made from"
        )
    return i, edit
