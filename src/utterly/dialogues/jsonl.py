"""Our own format: one dialogue a line, as JSON.

    history     list of strings, oldest turn first
    utterance   string, the turn to rewrite
    rewrite     string, how it reads on its own                     (optional)
    lang        string, such as "en" or "zh"; detected if missing   (optional)
    domain      string                                              (optional)
    id          string, unique in its file                          (optional)

A null is the same as a missing field. Other fields are ignored: files of labels and of predictions
are this format with more fields. A row that `utterly rewrite` wrote is refused: its `rewrite` is a model's.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad, Record, read_records
from utterly.errors import DialogueError
from utterly.files import numbered_raw_lines, written_whole

_WRITTEN_BESIDE: Final = ("confidence", "changed")  # by `utterly rewrite`, beside its `rewrite`


def read_jsonl(path: Path | str, *, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of a file, one line in memory at a time."""

    def read(record: Record) -> Iterator[Dialogue]:
        yield _dialogue(Fields.parsed(record.text))

    return read_records(path, numbered_raw_lines(path), read, on_bad)


def write_jsonl(path: Path | str, dialogues: Iterable[Dialogue], *, replace: bool = True) -> int:
    """Write dialogues as they come; returns how many there were. Without `replace`, a file that exists is an error."""
    count = 0
    with written_whole(path, replace=replace) as file:
        for count, dialogue in enumerate(dialogues, start=1):  # noqa: B007 - counts
            file.write(dialogue_to_line(dialogue))
    return count


def dialogue_to_line(dialogue: Dialogue) -> str:
    """The dialogue as a line, with its line end."""
    return json.dumps(dialogue_to_json(dialogue), ensure_ascii=False) + "\n"


def dialogue_from_json(value: object) -> Dialogue:
    """The dialogue that a parsed line describes.

    >>> dialogue_from_json({"history": ["Who is Federer?"], "utterance": "Is he Swiss?"}).source.text
    'Is he Swiss?'
    """
    return _dialogue(Fields(value, "a dialogue"))


def dialogue_to_json(dialogue: Dialogue) -> dict[str, object]:
    """The inverse of `dialogue_from_json`; what the dialogue does not have is left out."""
    fields: dict[str, object] = {
        "id": dialogue.id,
        "lang": dialogue.language,
        "domain": dialogue.domain,
        "history": [turn.text for turn in dialogue.context],
        "utterance": dialogue.source.text,
        "rewrite": None if dialogue.target is None else dialogue.target.text,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _dialogue(fields: Fields) -> Dialogue:
    return Dialogue.of(
        [*fields.texts("history"), fields.text("utterance")],
        correct_rewrite(fields),
        language=fields.optional_text("lang") or "",
        domain=fields.optional_text("domain"),
        id=fields.optional_text("id"),
    )


def correct_rewrite(fields: Fields) -> str | None:
    """How the utterance of a row reads on its own, to learn from or to compare with; None if the row does not say."""
    if "rewrite" in fields and all(name in fields for name in _WRITTEN_BESIDE):
        raise DialogueError(
            "the 'rewrite' of a row must be a correct one, but `utterly rewrite` wrote this row; give the file it was "
            f"made from (to use a model's rewrites on purpose, remove {' and '.join(map(repr, _WRITTEN_BESIDE))})"
        )
    return fields.optional_text("rewrite")
