"""Label a file of dialogues: JSON lines in, label lines out, in order, by several processes."""

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.jsonl import dialogue_from_fields
from utterly.dialogues.reading import OnBad, Record, read_records
from utterly.errors import DialogueError
from utterly.files import check_output, written_whole
from utterly.labels.coverage import Coverage
from utterly.labels.extract import LabelExtractor
from utterly.labels.labels import labels_to_json
from utterly.labels.syntax import default_syntax, load_syntax
from utterly.parallel import in_processes

_BATCH: Final = 64  # dialogues; neighbours share turns, which are parsed once per batch


def label_file(
    path: Path | str,
    out: Path | str,
    *,
    syntax: str | None = None,
    literal: bool = False,
    jobs: int = 1,
    replace: bool = True,
    on_bad: OnBad | None = None,
    progress: Callable[[Iterable[Dialogue]], Iterable[Dialogue]] = iter,
) -> Coverage:
    """Write the labels of all dialogues in a file, and return how much they cover.

    `syntax` is a name for `load_syntax`; by default it depends on the language of the first dialogue. `literal` is
    passed to `LabelExtractor`. `progress` passes dialogues on and shows how many were taken. Without `replace`, an
    existing `out` is an error.
    """
    check_output(out, inputs=[path], replace=replace)
    dialogues = iter(progress(_read(path, on_bad)))
    first = list(islice(dialogues, 1))
    labeller = Labeller(syntax or default_syntax(first[0].language if first else ""), literal)
    left = chain(first, dialogues)
    coverage = Coverage(labeller.settings)
    with written_whole(out, replace=replace) as file:
        batches = iter(lambda: list(islice(left, _BATCH)), [])
        for lines, covered in in_processes(labeller, batches, workers=jobs):
            file.writelines(lines)
            coverage.merge(covered)
    return coverage


class Labeller:
    """Dialogues in, label lines and their coverage out. Pickled as its settings: each process loads its own parser."""

    def __init__(self, syntax: str, literal: bool = False) -> None:
        self._syntax, self._literal = syntax, literal
        provider = load_syntax(syntax)
        self._extractor = LabelExtractor(provider, literal=literal)
        self.settings = f"syntax:{provider.version}" + ("|literal" if literal else "")

    def __reduce__(self) -> tuple[Any, ...]:
        return Labeller, (self._syntax, self._literal)

    def __call__(self, dialogues: list[Dialogue]) -> tuple[list[str], Coverage]:
        coverage, lines = Coverage(self.settings), []
        for labels in self._extractor.extract(dialogues):
            coverage.add(labels)
            lines.append(json.dumps(labels_to_json(labels), ensure_ascii=False) + "\n")
        return lines, coverage


def _read(path: Path | str, on_bad: OnBad | None) -> Iterator[Dialogue]:
    """The dialogues of a file; a missing target makes a bad record."""

    def read(record: Record) -> Iterator[Dialogue]:
        dialogue = dialogue_from_fields(Fields.parsed(record.text))
        if dialogue.target is None:
            raise DialogueError("labels need a target, but the field 'rewrite' is missing; add it, or use --skip-bad")
        yield dialogue

    return read_records(path, read, on_bad)
