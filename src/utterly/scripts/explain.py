"""An edit script as people read it and as programs read it, and both back again.

For people, a line per edit, with words and turns counted from 1:

    word 2 "he": delete, insert "Federer" by rule "_" from turn 1, characters 8-15 "Federer"

For programs, a list of JSON objects, one per edit that changes something, all counted from 0: `word`
is the source word (the number of words stands for the end), null in `rule` is a slot, `words` and
`characters` of a span are half-open ranges in context turn `turn`.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import json_name
from utterly.errors import EditError
from utterly.scripts.edits import NULL_RULE, Edit, EditScript, Rule, Span

_NO_CHANGE: Final = "no change"
_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_FROM: Final = rf" (?:and )?from turn (\d+), characters (\d+)-(\d+) {_STRING}"
_LINE: Final = re.compile(
    rf"(?:word (?P<word>\d+) (?P<text>{_STRING})|end): (?P<action>keep|delete)"
    rf"(?:, insert {_STRING} by rule (?P<rule>{_STRING})(?P<spans>(?:{_FROM})*))?"
)


@dataclass(frozen=True)
class SpanView:
    """Where inserted words were copied from: characters start..stop of context turn `turn`, from 0, stop exclusive."""

    turn: int
    start: int
    stop: int
    text: str


@dataclass(frozen=True)
class EditView:
    """What is done at one source word, or at the end (`text` is None): deleted or kept, and inserted before it."""

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
            tuple(_span_view(span, script.dialogue) for span in edit.spans),
        )
        for i, edit in enumerate(script.edits)
        if edit.changes
    )


def explain(script: EditScript) -> str:
    """The edits for people, a line each."""
    return "\n".join(_explained(script, i) for i, edit in enumerate(script.edits) if edit.changes) or _NO_CHANGE


def script_from_explanation(explanation: str, dialogue: Dialogue) -> EditScript:
    """The script that `explain` described, for the dialogue it was made from."""
    lines = [] if explanation == _NO_CHANGE else explanation.splitlines()
    return EditScript.from_changes(dialogue, [_read_line(line, dialogue) for line in lines])


def script_to_json(script: EditScript) -> list[dict[str, Any]]:
    """The edits for programs."""
    return [
        {
            "word": view.word,
            "text": view.text,
            "keep": not view.deleted,
            "insert": view.inserted,
            "rule": list(view.rule.parts),
            "spans": [span_to_json(span, script.dialogue) for span in script.edits[view.word].spans],
        }
        for view in edit_views(script)
    ]


def script_from_json(changes: Any, dialogue: Dialogue) -> EditScript:
    """The script that `script_to_json` wrote, for the dialogue it was made from."""
    if not isinstance(changes, list):
        raise EditError(
            f"a script in JSON must be a list of edits, but {json_name(changes)} came; make it with `script_to_json`"
        )
    return EditScript.from_changes(dialogue, [_read_change(change, dialogue) for change in changes])


def span_to_json(span: Span, dialogue: Dialogue) -> dict[str, Any]:
    """Where a span lies and what it says."""
    view = _span_view(span, dialogue)
    return {
        "turn": span.turn,
        "words": [span.start, span.stop],
        "characters": [view.start, view.stop],
        "text": view.text,
    }


def _span_view(span: Span, dialogue: Dialogue) -> SpanView:
    start, stop = span.characters_in(dialogue)
    return SpanView(span.turn, start, stop, dialogue.context[span.turn].text[start:stop])


def _explained(script: EditScript, i: int) -> str:
    edit, dialogue = script.edits[i], script.dialogue
    words = dialogue.source.words
    where = f"word {i + 1} {_quoted(words[i].text)}" if i < len(words) else "end"
    line = f"{where}: {'keep' if edit.keep else 'delete'}"
    if edit.rule == NULL_RULE:
        return line
    line += f", insert {_quoted(script.inserted_text(i))} by rule {_quoted(str(edit.rule))}"
    for j, span in enumerate(edit.spans):
        view = _span_view(span, dialogue)
        where = f"turn {view.turn + 1}, characters {view.start}-{view.stop} {_quoted(view.text)}"
        line += f"{' and' if j else ''} from {where}"
    return line


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    # splitlines also cuts at these, which JSON leaves as they are
    return re.sub("[\x7f-\x9f\u2028\u2029]", lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _read_line(line: str, dialogue: Dialogue) -> tuple[int, Edit]:
    match = _LINE.fullmatch(line)
    if not match:
        raise _not_explained(line)
    try:
        said, rule_text = (json.loads(match[name] or "null") for name in ("text", "rule"))
    except ValueError:  # an escape that JSON does not have
        raise _not_explained(line) from None
    i = int(match["word"]) - 1 if match["word"] else len(dialogue.source.words)
    _must_agree(i, said, dialogue)
    rule = Rule.parse(rule_text) if match["rule"] else NULL_RULE
    places = [tuple(map(int, numbers)) for numbers in re.findall(_FROM, match["spans"] or "")]
    spans = tuple(_span_at(turn - 1, start, stop, dialogue) for turn, start, stop in places)
    return i, Edit(match["action"] == "keep", rule, spans)


def _not_explained(line: str) -> EditError:
    return EditError(
        f"a line of an explanation must read as `explain` writes it, but {line!r} came; explain the script again"
    )


def _span_at(turn: int, start: int, stop: int, dialogue: Dialogue) -> Span:
    """The span of the words that lie at these characters."""
    words = dialogue.context[turn].words if 0 <= turn < len(dialogue.context) else ()
    first = next((k for k, word in enumerate(words) if word.start == start), None)
    last = next((k for k, word in enumerate(words) if word.stop == stop), None)
    if first is None or last is None:
        raise EditError(
            f"characters {start}-{stop} of turn {turn + 1} must be whole words of the context, but they are not; "
            "the explanation belongs to another dialogue"
        )
    return Span(turn, first, last + 1)


def _read_change(change: Any, dialogue: Dialogue) -> tuple[int, Edit]:
    try:
        i, keep, said = change["word"], change["keep"], change["text"]
        spans = tuple(Span(span["turn"], *span["words"]) for span in change["spans"])
        edit = Edit(keep, Rule(tuple(change["rule"])), spans)
        if type(i) is not int or type(change["rule"]) is not list:
            raise TypeError("word must be a whole number and rule a list")
    except (KeyError, TypeError) as wrong:
        raise EditError(
            "an edit in JSON needs word, text, keep, rule (strings and nulls) and spans (each with turn and words), "
            f"but {json.dumps(change, ensure_ascii=False, default=str)[:200]} came ({wrong!r})"
        ) from None
    _must_agree(i, said, dialogue)
    return i, edit


def _must_agree(i: int, said: str | None, dialogue: Dialogue) -> None:
    words = dialogue.source.words
    here = words[i].text if 0 <= i < len(words) else None
    if said != here:
        raise EditError(
            f"the edit at word {i}, counted from 0, was made for {said!r}, but the source has {here!r} there; "
            "give the dialogue the script was made from"
        )
