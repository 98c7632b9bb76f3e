"""Read FollowUp (Liu et al., 2019): questions about a table, each after one that it depends on."""

from collections.abc import Iterator
from pathlib import Path

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.reading import OnBad, Record, read_records
from utterly.errors import DialogueError
from utterly.files import numbered_raw_lines


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

    return read_records(path, numbered_raw_lines(path), read, on_bad)
