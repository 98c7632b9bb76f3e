"""Our own format: JSON lines, one dialogue per line.

    history     list of strings, oldest turn first
    utterance   string, the turn to rewrite
    rewrite     string, how it reads on its own                     (optional)
    lang        string, such as "en" or "zh"; detected if missing   (optional)
    domain      string                                              (optional)
    id          string, unique in its file                          (optional)

A null counts as a missing field. Other fields are ignored: label files and predictions have the same format with more
fields. A row written by `utterly rewrite` is an error, because its `rewrite` is a model's.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad, read_records
from utterly.errors import DialogueError
from utterly.files import written_whole

_WRITTEN_BESIDE: Final = ("confidence", "changed")  # by `utterly rewrite`, beside its `rewrite`


def read_jsonl(path: Path | str, *, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of a file, one line in memory at a time."""
    return read_records(path, lambda record: [dialogue_from_fields(Fields.parsed(record.text))], on_bad)


def write_jsonl(path: Path | str, dialogues: Iterable[Dialogue], *, replace: bool = True) -> int:
    """Write dialogues one by one and return their number. Without `replace`, an existing file is an error."""
    count = 0
    with written_whole(path, replace=replace) as file:
        for count, dialogue in enumerate(dialogues, start=1):  # noqa: B007 - counts
            file.write(dialogue_to_line(dialogue))
    return count


def dialogue_to_line(dialogue: Dialogue) -> str:
    """The dialogue as a line, with the line break."""
    return json.dumps(dialogue_to_json(dialogue), ensure_ascii=False) + "\n"


def dialogue_from_json(value: object) -> Dialogue:
    """The dialogue that a parsed line describes.

    >>> dialogue_from_json({"history": ["Who is Federer?"], "utterance": "Is he Swiss?"}).source.text
    'Is he Swiss?'
    """
    return dialogue_from_fields(Fields(value, "a dialogue"))


def dialogue_to_json(dialogue: Dialogue) -> dict[str, object]:
    """The inverse of `dialogue_from_json`; absent fields are left out."""
    fields: dict[str, object] = {
        "id": dialogue.id,
        "lang": dialogue.language,
        "domain": dialogue.domain,
        "history": [turn.text for turn in dialogue.context],
        "utterance": dialogue.source.text,
        "rewrite": None if dialogue.target is None else dialogue.target.text,
    }
    return {name: value for name, value in fields.items() if value is not None}


def dialogue_from_fields(fields: Fields, history: Sequence[str] | None = None) -> Dialogue:
    """The dialogue of a row, with the history given here, if any, instead of its own."""
    return Dialogue.of(
        [*(fields.texts("history") if history is None else history), fields.text("utterance")],
        _reference_rewrite(fields),
        language=fields.optional_text("lang") or "",
        domain=fields.optional_text("domain"),
        id=fields.optional_text("id"),
    )


def _reference_rewrite(fields: Fields) -> str | None:
    """The rewrite in a row, which must not be a model's; None if there is none."""
    if "rewrite" in fields and all(name in fields for name in _WRITTEN_BESIDE):
        raise DialogueError(
            "the 'rewrite' of a row must be a reference, but `utterly rewrite` wrote this row; give the file it was "
            f"made from (to use a model's rewrites on purpose, remove {' and '.join(map(repr, _WRITTEN_BESIDE))})"
        )
    return fields.optional_text("rewrite")
