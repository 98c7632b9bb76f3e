"""Read Restoration-200K (Pan et al., 2019): Chinese chats with the last turn restored.

    valid.sr    turn <split> turn <split> turn || source | restored words
    valid.tr    the target on the same line

Characters are separated by spaces.
"""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from utterly.dialogues.dialogue import Dialogue, is_cjk
from utterly.dialogues.reading import OnBad, Record, read_records
from utterly.errors import DialogueError, FileError
from utterly.files import numbered_raw_lines


def read_restoration(path: Path | str, *, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of an .sr file; the .tr file of the same name must be next to it."""
    return read_records(path, _dialogue, on_bad, records=_lines(Path(path)))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Each line of the .sr file, joined by a line break with that of the .tr file."""
    targets = path.with_name(path.name.replace(".sr", ".tr"))
    if targets == path:
        raise FileError(path, "the file name must contain .sr, to find the .tr file next to it")
    for source, target in zip_longest(numbered_raw_lines(path), numbered_raw_lines(targets)):
        if source is None or target is None:
            raise FileError(
                path,
                f"must have a line for each line of {targets}, but has {'fewer' if source is None else 'more'}; "
                "in the release, lines 3223 and 3224 of test.sr are one: join them",
            )
        yield source[0], source[1] + b"\n" + target[1]


def _dialogue(record: Record) -> Iterator[Dialogue]:
    line, target = record.text.split("\n")
    turns, bars, source = line.rpartition("|")[0].rpartition(" || ")
    if not bars:
        raise DialogueError("a line must be 'turn <split> turn || source | restored words'; check the marks")
    said = [*turns.split("<split>"), source]
    yield Dialogue.of([*map(_joined, said)], _joined(target), language="zh", id=str(record.number))


def _joined(text: str) -> str:
    """The text without the spaces beside Chinese characters."""
    words = text.split()
    joins = [not i or is_cjk(word) or is_cjk(words[i - 1][-1]) for i, word in enumerate(words)]
    return "".join(word if joined else f" {word}" for word, joined in zip(words, joins, strict=True))
