"""Read conversations released as exchanges: the user's turn, its rewrite, and the answer."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from utterly.dialogues.corpora.json_stream import read_rows
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad, Record


class Exchange(NamedTuple):
    id: str
    said: str
    target: str | None
    answer: str | None


def read_exchanges(
    path: Path | str, exchanges: Callable[[Fields], Iterable[Exchange]], on_bad: OnBad | None
) -> Iterator[Dialogue]:
    """An English dialogue for each exchange in a JSON list of conversations, with everything before it as context."""

    def read(record: Record) -> Iterator[Dialogue]:
        context: list[str] = []
        for id_, said, target, answer in exchanges(Fields.parsed(record.text)):
            yield Dialogue.of([*context, said], target, language="en", id=id_)
            context += [said] if answer is None else [said, answer]

    return read_rows(path, read, on_bad)
