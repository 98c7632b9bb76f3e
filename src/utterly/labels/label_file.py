"""Label a file of dialogues: JSON lines in, label lines out, in order, in several processes, resumable."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from utterly import __version__
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.jsonl import dialogue_from_json
from utterly.dialogues.reading import OnBad, Record, read_records
from utterly.errors import DialogueError, FileError
from utterly.files import numbered_raw_lines, resumed
from utterly.labels.coverage import Coverage
from utterly.labels.extract import LabelExtractor
from utterly.labels.labels import labels_to_json, read_labels
from utterly.labels.parse_cache import CachedSyntax
from utterly.labels.syntax import load_syntax, usual_syntax
from utterly.parallel import in_processes

_BATCH: Final = 64  # dialogues; neighbours share turns, which are parsed once a batch

Progress = Callable[[Iterable[Dialogue], int], Iterable[Dialogue]]
"""Given the dialogues and the number of lines they come from, gives them on as they are taken."""


def label_file(
    path: Path | str,
    out: Path | str,
    *,
    syntax: str | None = None,
    jobs: int = 1,
    cached: bool = True,
    on_bad: OnBad | None = None,
    progress: Progress | None = None,
) -> Coverage:
    """Write the labels of all dialogues of a file, and tell how much they cover.

    `syntax` is a name for `load_syntax`; without it the language of the first dialogue decides. Killed at any
    moment, the same call goes on where it stopped, and `out` comes out the same.
    """
    path = Path(path)
    survey = _survey(path)
    labeller = Labeller(syntax or usual_syntax(_first_language(path, on_bad)), cached=cached)
    made_from = "\n".join([__version__, survey.digest, labeller.settings, "skip bad" if on_bad else ""])
    coverage = Coverage(labeller.settings)
    with resumed(out, made_from=made_from) as part:
        for labels in read_labels(part.path):
            coverage.add(labels)
        dialogues: Iterable[Dialogue] = read_with_targets(path, on_bad=on_bad)
        if progress:
            dialogues = progress(dialogues, survey.lines)
        left = islice(dialogues, part.count, None)
        for labelled in in_processes(labeller, _batches(left), workers=jobs):
            part.write(labelled.lines)
            coverage.merge(labelled.coverage)
    return coverage


def read_with_targets(path: Path | str, *, on_bad: OnBad | None = None) -> Iterator[Dialogue]:
    """The dialogues of a file; one without a target is a bad record."""

    def read(record: Record) -> Iterator[Dialogue]:
        dialogue = dialogue_from_json(Fields.parsed(record.text).values)
        if dialogue.target is None:
            raise DialogueError("labels need a target, but the field 'rewrite' is missing; add it, or use --skip-bad")
        yield dialogue

    return read_records(path, numbered_raw_lines(path), read, on_bad)


class Labelled(NamedTuple):
    lines: list[str]
    coverage: Coverage


class Labeller:
    """From dialogues to label lines. It travels to another process as its settings, and loads its parser there."""

    def __init__(self, syntax: str, *, cached: bool = True) -> None:
        self._how = syntax, cached
        provider = load_syntax(syntax)
        # Without syntax there is nothing that would be quicker to look up.
        self._extractor = LabelExtractor(CachedSyntax(provider) if cached and syntax != "none" else provider)
        self.settings = f"syntax:{provider.version}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _labeller, self._how

    def __call__(self, dialogues: list[Dialogue]) -> Labelled:
        coverage, lines = Coverage(self.settings), []
        for labels in self._extractor.extract(dialogues):
            coverage.add(labels)
            lines.append(json.dumps(labels_to_json(labels), ensure_ascii=False))
        return Labelled(lines, coverage)


def _labeller(syntax: str, cached: bool) -> Labeller:
    return Labeller(syntax, cached=cached)


class _Survey(NamedTuple):
    digest: str  # of all that the lines say
    lines: int


def _survey(path: Path) -> _Survey:
    if path.exists() and not path.is_file():
        raise FileError(path, "dialogues to label must come from a file, since it is read twice; save them to one")
    digest, count = hashlib.sha256(), 0
    for number, raw in numbered_raw_lines(path):
        digest.update(b"%d %d " % (number, len(raw)) + raw)
        count += 1
    return _Survey(digest.hexdigest(), count)


def _first_language(path: Path, on_bad: OnBad | None) -> str:
    return next((dialogue.language for dialogue in read_with_targets(path, on_bad=on_bad)), "")


def _batches(dialogues: Iterable[Dialogue]) -> Iterator[list[Dialogue]]:
    rest = iter(dialogues)
    while batch := list(islice(rest, _BATCH)):
        yield batch
