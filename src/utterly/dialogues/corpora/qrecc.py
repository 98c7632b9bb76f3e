"""Read QReCC (Anantha et al., 2021): open questions, from QuAC, TREC CAsT and Natural Questions."""

from collections.abc import Iterator
from pathlib import Path

from utterly.dialogues.corpora.json_stream import read_rows
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad, Record


def read_qrecc(path: Path | str, *, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of qrecc_train.json or qrecc_test.json; the origin of a question is its domain."""

    def read(record: Record) -> Iterator[Dialogue]:
        row = Fields.parsed(record.text)
        yield Dialogue.of(
            [*row.texts("Context"), row.text("Question")],
            row.text("Rewrite"),
            language="en",
            domain=row.optional_text("Conversation_source"),
            id=f"{row.integer('Conversation_no')}_{row.integer('Turn_no')}",
        )

    return read_rows(path, read, on_bad)
