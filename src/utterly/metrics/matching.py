"""References and the predictions for them, read from JSON lines and brought into the same order.

    references    utterance and rewrite; lang, domain and id may be left out
    predictions   the field that holds the prediction; id may be left out

Lines are matched by id where every line of every file has one, else by their order. Other fields are
ignored, so one file can be both: its `utterance` predicts that nothing needs rewriting.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.dialogues.fields import Fields
from utterly.dialogues.reading import OnBad, Record, read_records
from utterly.errors import FileError
from utterly.files import numbered_raw_lines

NO_DOMAIN: Final = "(none)"


class Predictions(NamedTuple):
    """A file, and the field of it that holds what a system said."""

    path: Path
    field: str = "rewrite"

    def __str__(self) -> str:
        return f"{self.path}, field {self.field!r}"


@dataclass(frozen=True, slots=True)
class Matched:
    """Everything a score needs, in the order of the references; one list of predictions a system."""

    systems: tuple[list[str], ...]
    references: list[str]
    sources: list[str]
    domains: list[str] | None  # None where no reference has one
    language: str | None  # None where the references do not all name the same
    by: str  # "id" or "order"


def match_files(references: Path, systems: Sequence[Predictions], *, on_bad: OnBad | None = None) -> Matched:
    """Read the references, and what each system said for every one of them.

    A bad line is raised, or given to `on_bad` and left out together with its partners in the other
    files. A line that is not there is always raised.
    """
    gold = _read(references, _reference, on_bad)
    said = [_read(system.path, _prediction(system.field), on_bad) for system in systems]
    by_id = all(file.has_ids for file in (gold, *said))
    if by_id:
        gold, said = gold.by_id(), [file.by_id() for file in said]
    for file in said:
        _check_partners(gold, file, by_id=by_id)
    keys = [key for key in gold.lines if all(key in file.lines for file in said)]
    if not keys:
        raise FileError(references, "must have at least one reference to score against, but has none; check the file")
    lines = [gold.lines[key] for key in keys]
    languages = {line.language for line in lines}
    return Matched(
        systems=tuple([file.lines[key].text for key in keys] for file in said),
        references=[line.text for line in lines],
        sources=[line.source for line in lines],
        domains=[line.domain or NO_DOMAIN for line in lines] if any(line.domain for line in lines) else None,
        language=languages.pop() if len(languages) == 1 else None,
        by="id" if by_id else "order",
    )


class _Line(NamedTuple):
    place: int  # among the lines that are not blank, from 1
    number: int
    id: str | None
    text: str  # the reference, or the prediction
    source: str = ""
    domain: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    lines: Mapping[str | int, _Line]  # by place, or by id
    bad: int  # lines left out

    @property
    def has_ids(self) -> bool:
        return all(line.id is not None for line in self.lines.values())

    def by_id(self) -> "_File":
        return _File(self.path, {line.id: line for line in self.lines.values() if line.id is not None}, self.bad)


def _read(path: Path, line_of: Callable[[Record], _Line], on_bad: OnBad | None) -> _File:
    bad: list[FileError] = []

    def skip(error: FileError) -> None:
        if on_bad is None:
            raise error
        bad.append(error)
        on_bad(error)

    def read(record: Record) -> Iterator[_Line]:
        yield line_of(record)

    lines: dict[str | int, _Line] = {
        line.place: line for line in read_records(path, numbered_raw_lines(path), read, skip)
    }
    return _File(path, lines, len(bad))


def _reference(record: Record) -> _Line:
    fields = Fields.parsed(record.text)
    language = fields.optional_text("lang")
    dialogue = Dialogue.of(
        [fields.text("utterance")],
        target := fields.text("rewrite"),
        language=language or "",
        domain=fields.optional_text("domain"),
        id=fields.optional_text("id"),
    )
    return _Line(
        record.number, record.line, dialogue.id, target, dialogue.source.text, dialogue.domain, language or None
    )


def _prediction(field: str) -> Callable[[Record], _Line]:
    def line_of(record: Record) -> _Line:
        fields = Fields.parsed(record.text)
        return _Line(record.number, record.line, fields.optional_text("id"), Turn(fields.text(field)).text)

    return line_of


def _check_partners(gold: _File, said: _File, *, by_id: bool) -> None:
    """Every line must have its partner, but for as many as were left out: those may be the partners."""
    alone_in_gold = [line for key, line in gold.lines.items() if key not in said.lines]
    alone_in_said = [line for key, line in said.lines.items() if key not in gold.lines]
    missing, extra = len(alone_in_gold) > said.bad, len(alone_in_said) > gold.bad
    if not by_id:
        if missing or extra:
            raise FileError(
                said.path,
                f"must have a line for each line of {gold.path}, but has {len(said.lines) + said.bad} for "
                f"{len(gold.lines) + gold.bad}; predict every one in the same order, or give all lines of both an 'id'",
            )
        _check_ids_on_the_way(gold, said)
    elif missing:
        raise _without_partner(gold, alone_in_gold, said, "predict it, or leave the reference out")
    elif extra:
        raise _without_partner(said, alone_in_said, gold, "add its reference, or leave the prediction out")


def _without_partner(file: _File, alone: Sequence[_Line], other: _File, advice: str) -> FileError:
    line = alone[0]
    more = f", nor are {len(alone) - 1} more" if len(alone) > 1 else ""
    return FileError(
        file.path, f"the id {line.id!r} must also be in {other.path}, but is not{more}; {advice}", line=line.number
    )


def _check_ids_on_the_way(gold: _File, said: _File) -> None:
    for key, line in said.lines.items():
        wanted = gold.lines[key].id if key in gold.lines else None
        if None not in (wanted, line.id) and wanted != line.id:
            raise FileError(
                said.path,
                f"not all lines have an 'id', so they must come in the order of {gold.path}, but here is {line.id!r} "
                f"where {wanted!r} is there; sort the lines, or give all lines of both an 'id'",
                line=line.number,
            )
