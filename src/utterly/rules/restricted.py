"""Files of labels in the rules of one book: what training reads.

A line is a label line (see `utterly.labels.labels`) with two fields more: `book`, the fingerprint of the rule book,
and `oracle`, the rewrite that the script gives, to be scored against `rewrite`.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import Record, read_records
from utterly.errors import DialogueError, EditError
from utterly.files import numbered_raw_lines, written_whole
from utterly.labels.labels import Labels, labels_from_json, labels_to_json
from utterly.rules.book import RuleBook
from utterly.rules.restrict import Restriction


def restricted_to_json(labels: Labels, book: RuleBook) -> dict[str, Any]:
    """A line, for labels that are in rules of the book."""
    return {**labels_to_json(labels), "oracle": labels.script.apply(), "book": book.fingerprint}


def write_restricted(path: Path | str, labels: Iterable[Labels], restriction: Restriction) -> int:
    """Restrict and write labels as they come; returns how many there were."""
    count = 0
    with written_whole(path) as file:
        for count, each in enumerate(labels, start=1):  # noqa: B007 - counts
            line = restricted_to_json(restriction.restrict(each), restriction.book)
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return count


def read_restricted(path: Path | str, book: RuleBook) -> Iterator[Labels]:
    """The labels of a file, one line in memory at a time; they must be in rules of this very book."""

    def read(record: Record) -> Iterator[Labels]:
        fields = Fields.parsed(record.text)
        if fields.values.get("book") != book.fingerprint:
            raise DialogueError(
                f"labels must be in the rules of the book with fingerprint {book.fingerprint}, but 'book' is "
                f"{fields.values.get('book')!r}; restrict them to that book with `utterly restrict`"
            )
        try:
            yield labels_from_json(fields.values)
        except EditError as wrong:
            raise DialogueError(str(wrong)) from None

    return read_records(path, numbered_raw_lines(path), read, None)
