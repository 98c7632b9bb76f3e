"""Label a file of dialogues: JSON lines in, label lines out, in order, in several processes, resumable."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from utterly import __version__
from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.fields import Fields
from utterly.dialogues.jsonl import dialogue_from_json
from utterly.dialogues.reading import OnBad, Record, read_records
from utterly.errors import DialogueError, FileError
from utterly.files import Progress, check_output, numbered_raw_lines, resumed
from utterly.labels.cache import CachedSyntax
from utterly.labels.coverage import Coverage
from utterly.labels.extract import LabelExtractor
from utterly.labels.labels import labels_to_json, read_labels
from utterly.labels.syntax import default_syntax, load_syntax
from utterly.parallel import in_processes

_BATCH: Final = 64  # dialogues; neighbours share turns, which are parsed once a batch


def label_file(
    path: Path | str,
    out: Path | str,
    *,
    syntax: str | None = None,
    jobs: int = 1,
    cached: bool = True,
    replace: bool = True,
    on_bad: OnBad | None = None,
    progress: Progress[Dialogue] | None = None,
) -> Coverage:
    """Write the labels of all dialogues of a file, and return how much they cover.

    `syntax` is a name for `load_syntax`; by default the language of the first dialogue decides. If interrupted, the
    same call continues, and `out` is the same. The file must stay the same meanwhile. Without `replace`, an
    `out` that exists is an error.
    """
    path = Path(path)
    check_output(out, inputs=[path], replace=replace)
    digest, lines = _digest_and_lines(path)
    first = next((dialogue.language for dialogue in _read(path, on_bad, _Digested())), "")
    labeller = Labeller(syntax or default_syntax(first), cached)
    made_from = "\n".join([__version__, digest, labeller.settings, "skip bad" if on_bad else ""])
    coverage = Coverage(labeller.settings)
    with resumed(out, made_from=made_from, replace=replace) as partial:
        reading = _Digested()
        dialogues: Iterable[Dialogue] = _read(path, on_bad, reading)
        left = iter(progress(dialogues, lines) if progress else dialogues)
        for place, labels in enumerate(read_labels(partial.path)):
            dialogue = next(left, None)
            if labels.script.dialogue != dialogue:  # the file was another for a while
                partial.keep(place)
                left = chain([dialogue] if dialogue else [], left)
                break
            coverage.add(labels)
        batches = iter(lambda: list(islice(left, _BATCH)), [])
        for new_lines, covered in in_processes(labeller, batches, workers=jobs):
            partial.write(new_lines)
            coverage.merge(covered)
        if reading.digest != digest:
            raise _changed(path)
    return coverage


def _changed(path: Path) -> FileError:
    return FileError(
        path,
        "the file must stay the same while it is labelled, but it was changed, so nothing was written; run the same "
        "command again",
    )


class Labeller:
    """From dialogues to label lines and their coverage. It is pickled as its settings, and loads its parser anew."""

    def __init__(self, syntax: str, cached: bool) -> None:
        self._how = syntax, cached
        provider = load_syntax(syntax)
        # Without syntax there is nothing that would be quicker to look up.
        self._extractor = LabelExtractor(CachedSyntax(provider) if cached and syntax != "none" else provider)
        self.settings = f"syntax:{provider.version}"

    def __reduce__(self) -> tuple[Any, ...]:
        return Labeller, self._how

    def __call__(self, dialogues: list[Dialogue]) -> tuple[list[str], Coverage]:
        coverage, lines = Coverage(self.settings), []
        for labels in self._extractor.extract(dialogues):
            coverage.add(labels)
            lines.append(json.dumps(labels_to_json(labels), ensure_ascii=False))
        return lines, coverage


class _Digested:
    """Passes the lines of a file on, and knows the digest and the number of those so far."""

    def __init__(self) -> None:
        self._hash, self.count = hashlib.sha256(), 0

    def __call__(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        for number, raw in lines:
            self._hash.update(b"%d %d " % (number, len(raw)) + raw)
            self.count += 1
            yield number, raw

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


def _read(path: Path, on_bad: OnBad | None, reading: _Digested) -> Iterator[Dialogue]:
    """The dialogues of a file; one without a target is a bad record."""

    def read(record: Record) -> Iterator[Dialogue]:
        dialogue = dialogue_from_json(Fields.parsed(record.text).values)
        if dialogue.target is None:
            raise DialogueError("labels need a target, but the field 'rewrite' is missing; add it, or use --skip-bad")
        yield dialogue

    return read_records(path, reading(numbered_raw_lines(path)), read, on_bad)


def _digest_and_lines(path: Path) -> tuple[str, int]:
    if path.exists() and not path.is_file():
        raise FileError(path, "dialogues to label must be in a file, since it is read twice; save them to one")
    reading = _Digested()
    for _ in reading(numbered_raw_lines(path)):
        pass
    return reading.digest, reading.count
