"""The acceptance set, and whether a rewrite passes: the same for the tests and for `benchmarks.acceptance`.

A turn that must stay passes only untouched, to the byte. A rewrite passes when it is one of the accepted wordings;
case, white space, the width of punctuation and one mark at the end do not count.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

DIALOGUES: Final = Path(__file__).with_name("dialogues.jsonl")
Rewrite = Callable[[Sequence[str]], str]  # all turns, the last of which is to be rewritten

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff"
_BLANK_BESIDE_HAN: Final = re.compile(rf"(?<=[{_HAN}]) | (?=[{_HAN}])")
_FINAL_MARK: Final = re.compile(r" ?[.?!。]$")


@dataclass(frozen=True)
class Case:
    """One dialogue with all wordings of its last turn that are right."""

    id: str
    kind: str
    lang: str
    setting: str
    history: tuple[str, ...]
    utterance: str
    accept: tuple[str, ...]

    @property
    def turns(self) -> list[str]:
        return [*self.history, self.utterance]

    @property
    def must_stay(self) -> bool:
        return self.accept == (self.utterance,)

    @cached_property
    def wordings(self) -> frozenset[str]:
        return frozenset(map(normalised, self.accept))


class Outcome(NamedTuple):
    """What came for a case."""

    case: Case
    text: str

    @property
    def passed(self) -> bool:
        return passes(self.case, self.text)


class Tally(NamedTuple):
    passed: int
    total: int

    def __str__(self) -> str:
        return f"{self.passed}/{self.total}"


def load_cases(path: Path = DIALOGUES) -> list[Case]:
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Case(**{**record, **{name: tuple(record[name]) for name in ("history", "accept")}}) for record in records]


def normalised(text: str) -> str:
    """A text without what does not count."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'").casefold()
    text = _BLANK_BESIDE_HAN.sub("", " ".join(text.split()))
    return _FINAL_MARK.sub("", text)


def passes(case: Case, text: str) -> bool:
    """Whether a text is right for a case."""
    return text == case.utterance if case.must_stay else normalised(text) in case.wordings


def run(rewrite: Rewrite, cases: Iterable[Case]) -> list[Outcome]:
    return [Outcome(case, rewrite(case.turns)) for case in cases]


def tallies(outcomes: Iterable[Outcome], key: Callable[[Case], str] = lambda case: case.kind) -> dict[str, Tally]:
    """How many pass, by kind or by whatever else of a case; in the order they come."""
    groups: dict[str, list[bool]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome.case), []).append(outcome.passed)
    return {name: Tally(sum(passed), len(passed)) for name, passed in groups.items()}


def summary(rewrite: Rewrite, cases: Iterable[Case] | None = None) -> Mapping[str, Tally]:
    """How many cases of each kind pass."""
    return tallies(run(rewrite, load_cases() if cases is None else cases))
