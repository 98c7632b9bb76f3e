"""Read CANARD (Elgohary et al., 2019): questions about an article, rewritten to stand on their own.

A `History` begins with the article's title and the section's title, which stay context turns.
"""

from collections.abc import Iterator
from pathlib import Path

from utterly.dialogues.corpora.json_stream import read_rows
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad, Record


def read_canard(path: Path | str, *, guessed_titles: bool = False, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of the release's JSON list, or of JSON lines with the same keys.

    `guessed_titles` puts `title_guess`, if there is one, before the history. It replaces a title that was lost
    and was derived from the targets: for training only, never to evaluate.
    """

    def read(record: Record) -> Iterator[Dialogue]:
        row = Fields.parsed(record.text)
        title = row.optional_text("title_guess") if guessed_titles else None
        turns = [*([title] if title else []), *row.texts("History"), row.text("Question")]
        yield Dialogue.of(turns, row.text("Rewrite"), language="en", id=_id(row, record.number))

    return read_rows(path, read, on_bad)


def _id(row: Fields, number: int) -> str:
    if "QuAC_dialog_id" in row:
        return f"{row.text('QuAC_dialog_id')}_q#{row.integer('Question_no')}"
    return str(number)
