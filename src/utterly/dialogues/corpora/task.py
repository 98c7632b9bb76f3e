"""Read TASK, also called GECOR (Quan et al., 2019): restaurant search (CamRest676), with ellipses and pronouns by hand.

A user turn has a complete version and up to two that depend on the context. User turns in the context are complete.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from utterly.dialogues.corpora.json_stream import read_rows
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad, Record

_VERSIONS: Final = ("ellipsis", "coreference")


def read_task(path: Path | str, *, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of CamRest676_annotated.json: one for each dependent version, or else the complete turn."""

    def read(record: Record) -> Iterator[Dialogue]:
        dialog = Fields.parsed(record.text)
        name, context = dialog.integer("dialogue_id"), list[str]()
        for turn in dialog.objects("dial"):
            user, number = turn.object("usr"), turn.integer("turn")
            complete = user.text("transcript_complete").strip()
            versions = {version: user.text(f"transcript_with_{version}").strip() for version in _VERSIONS}
            for version, said in {key: said for key, said in versions.items() if said}.items() or [("", complete)]:
                id_ = f"{name}-{number}-{version}".removesuffix("-")
                yield Dialogue.of([*context, said], complete, language="en", id=id_)
            context += [complete, turn.object("sys").text("sent")]

    return read_rows(path, read, on_bad)
