"""Read REWRITE (Su et al., 2019): Chinese dialogues of two context turns and a source with its rewrite."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.reading import OnBad, Record, check_split, read_records
from utterly.errors import DialogueError

# Lines of the full corpus, counted from 1: the HCT paper's 18,000 / 1,000 / 1,000, in file order.
REWRITE_SPLITS: Final = {
    "train": range(1, 18_001),
    "dev": range(18_001, 19_001),
    "test": range(19_001, 20_001),
}


def read_rewrite(path: Path | str, *, split: str | None = None, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of corpus.txt. Splits are ranges of line numbers, so they need the full file."""
    check_split(path, split, REWRITE_SPLITS)

    def read(record: Record) -> Iterator[Dialogue]:
        if split is None or record.line in REWRITE_SPLITS[split]:
            yield _dialogue(record)

    return read_records(path, read, on_bad)


def _dialogue(record: Record) -> Dialogue:
    columns = record.text.split("\t\t")
    if len(columns) != 4:
        raise DialogueError(
            "a line must be two context turns, the source and the rewrite with two tabs between them, "
            f"got {len(columns)} column(s)"
        )
    *turns, target = columns
    return Dialogue.of(turns, target, language="zh", id=f"rewrite-{record.line}")
