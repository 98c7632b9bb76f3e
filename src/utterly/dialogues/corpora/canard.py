"""Read CANARD (Elgohary et al., 2019): questions about an article, rewritten to stand on their own.

A `History` begins with the titles of the article and the section, which become context turns.
"""

from collections.abc import Iterator
from pathlib import Path

from utterly.dialogues.corpora.json_stream import read_rows
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad, Record


def read_canard(path: Path | str, *, guessed_titles: bool = False, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of the released JSON list, or of JSON lines with the same keys.

    `guessed_titles` puts `title_guess`, if present, before the history. It replaces a lost title and was derived from
    the targets: use it for training, never for evaluation.
    """

    def read(record: Record) -> Iterator[Dialogue]:
        row = Fields.parsed(record.text)
        title = row.optional_text("title_guess") if guessed_titles else None
        turns = [*([title] if title else []), *row.texts("History"), row.text("Question")]
        quac = row.optional_text("QuAC_dialog_id")
        id_ = f"{quac}_q#{row.integer('Question_no')}" if quac is not None else str(record.number)
        yield Dialogue.of(turns, row.text("Rewrite"), language="en", id=id_)

    return read_rows(path, read, on_bad)
