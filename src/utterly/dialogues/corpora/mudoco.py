"""Read MuDoCo with query rewrites (Martin et al., 2020; Tseng et al., 2021): requests to a voice assistant.

A file has the dialogues of one domain. Odd-numbered turns are the user's. Turns that are not `graded` have no rewrite,
and some of them are missing, so numbers may jump.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from utterly.dialogues.corpora.json_stream import members_under, value_under
from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.dialogues.fields import Fields, json_name
from utterly.dialogues.reading import OnBad, Record, check_split, read_records
from utterly.errors import FileError

MUDOCO_SPLITS: Final = {"train": "train", "dev": "eval", "test": "test"}  # our names: the release's


def read_mudoco(path: Path | str, *, split: str | None = None, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """A dialogue for each graded user turn, with all turns before it as context."""
    check_split(path, split, MUDOCO_SPLITS)
    domain = value_under(path, "domain")
    if not isinstance(domain, str):
        raise FileError(path, f"must have a string under the key 'domain', got {json_name(domain)}; check the file")

    def read(record: Record) -> Iterator[Dialogue]:
        for name, dialog in Fields.parsed(record.text).objects_by_name().items():
            if split is None or dialog.text("split") == MUDOCO_SPLITS[split]:
                yield from _user_turns(dialog.objects("turns"), f"{domain}-{name}", domain)

    return read_records(path, read, on_bad, records=members_under(path, "dialogs"), unit="entry")


def _user_turns(turns: list[Fields], name: str, domain: str) -> Iterator[Dialogue]:
    spoken = tuple(Turn(turn.text("utterance")) for turn in turns)
    numbers = [turn.integer("number") for turn in turns]
    graded = [turn.boolean("graded") for turn in turns]
    rewrites = [turn.optional_text("rewritten_utterance") for turn in turns]
    for i, number in enumerate(numbers):
        if number % 2 == 1 and graded[i]:
            dialogue = Dialogue(spoken[:i], spoken[i], language="en", domain=domain, id=f"{name}-turn{number - 1}")
            yield dialogue.with_target(rewrites[i])
