"""Read FollowUp (Liu et al., 2019): questions about a table, each depending on the one before it."""

from collections.abc import Iterator
from pathlib import Path

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.reading import OnBad, Record, read_records
from utterly.errors import DialogueError


def read_followup(path: Path | str, *, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of train.tsv or test.tsv."""

    def read(record: Record) -> Iterator[Dialogue]:
        columns = record.text.split("\t")
        if len(columns) != 4:
            raise DialogueError(
                "a line must have 4 columns separated by tabs (precedent, follow-up, fused question, table), "
                f"got {len(columns)}"
            )
        precedent, source, target, _ = columns
        yield Dialogue.of([precedent, source], target, language="en", id=str(record.number))

    return read_records(path, read, on_bad)
