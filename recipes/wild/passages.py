"""Passages that stand in for answers, and a search among them: MTRAG's Wikipedia, cloud manuals and finance forum."""

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from recipes.wild.answers import sentences, words_in
from recipes.wild.corpora import lines, plain

LEAST_WORDS: Final = 40
WORDS: Final = (50, 140)
MOST_CHARACTERS: Final = 1_400
LEAST_LETTERS: Final = 0.85  # share of letters and blanks: less is a table or code
_TITLED: Final = "clapnq"
_SPACED_MARKS: Final = (
    (re.compile(r"``|''"), '"'),
    (re.compile(r"\s+([,.;:?!%)\]]|'(?:s|re|ve|ll|d|m|t)\b|n't\b)"), r"\1"),
    (re.compile(r"([(\[$])\s+"), r"\1"),
    (re.compile(r"(\w) - (\w)"), r"\1-\2"),
)
_WORD: Final = re.compile(r"[a-z0-9]+")
_ENDING: Final = re.compile(r"(?:ies|es|s)$")
_STOP_WORDS: Final = frozenset(
    "a an the of in on at to for and or is are was were be been it its this that these those with by from as what "
    "which who how why when where do does did can could i you he she they we his her their".split()
)


@dataclass(frozen=True)
class Passage:
    id: str
    domain: str
    title: str
    text: str


def read_passages(data: Path, rng: random.Random) -> Iterator[Passage]:
    """Those that read like an answer, each cut to its first sentences."""
    for id_, domain, title, body in _rows(data):
        if words_in(body) < LEAST_WORDS:
            continue
        text = _beginning(body, rng.randint(*WORDS))
        letters = sum(character.isalpha() or character == " " for character in text)
        if len(text) <= MOST_CHARACTERS and letters >= LEAST_LETTERS * len(text):
            yield Passage(id_, domain, title, text)


def bodies(data: Path) -> dict[str, str]:
    """The whole text of every passage by its id: a passage's text is its first words."""
    return {id_: body for id_, _, _, body in _rows(data)}


def _rows(data: Path) -> Iterator[tuple[str, str, str, str]]:
    """Id, domain, title and text of each passage."""
    for row in lines(data / "wild/mtrag_pool.jsonl.gz"):
        title, _, body = row["text"].partition("\n") if row["domain"] == _TITLED else ("", "", row["text"])
        clean = _unspaced if row["domain"] == _TITLED else plain
        yield row["id"], row["domain"], clean(title), clean(body)


class Search:
    """BM25 over passages, many queries at once."""

    def __init__(self, passages: Sequence[Passage], *, device: str = "cpu") -> None:
        self.passages, self._device = passages, device
        counts = [Counter(_terms(f"{each.title} {each.text}")) for each in passages]
        holding = Counter(term for each in counts for term in each)
        self._numbers = {term: number for number, term in enumerate(holding)}
        self._place = {passage.id: place for place, passage in enumerate(passages)}
        mean = sum(map(Counter.total, counts)) / max(len(counts), 1)
        cells, weights = [], []
        for place, count in enumerate(counts):
            longer = 1.2 * (0.25 + 0.75 * count.total() / mean)
            for term, times in count.items():
                rarity = math.log(1 + (len(counts) - holding[term] + 0.5) / (holding[term] + 0.5))
                cells.append((place, self._numbers[term]))
                weights.append(rarity * times * 2.2 / (times + longer))
        shape = len(passages), len(self._numbers)
        weighted = torch.sparse_coo_tensor(torch.tensor(cells).T, torch.tensor(weights), shape, check_invariants=True)
        self._weights = weighted.to(device)

    def best(self, queries: Sequence[str], count: int, *, but: Sequence[Sequence[Passage]]) -> list[list[Passage]]:
        """The passages that match each query best, other than some."""
        asked = torch.zeros(len(self._numbers), len(queries))
        for column, query in enumerate(queries):
            asked[[self._numbers[term] for term in _terms(query) if term in self._numbers], column] = 1.0
        scores = (self._weights @ asked.to(self._device)).T  # (queries, passages)
        for row, others in enumerate(but):
            scores[row, [self._place[each.id] for each in others if each.id in self._place]] = -1.0
        places = scores.topk(min(count, len(self.passages))).indices.tolist()
        return [[self.passages[place] for place in row] for row in places]


def _terms(text: str) -> list[str]:
    return [
        _ENDING.sub("", word) if len(word) > 3 else word
        for word in _WORD.findall(text.lower())
        if word not in _STOP_WORDS
    ]


def _unspaced(text: str) -> str:
    """The text without the blanks that were put around its marks."""
    for pattern, instead in _SPACED_MARKS:
        text = pattern.sub(instead, text)
    return plain(text)


def _beginning(text: str, words: int) -> str:
    said: list[str] = []
    for sentence in sentences(text):
        if said and words_in(" ".join(said)) + words_in(sentence) > words:
            break
        said.append(sentence)
    return " ".join(" ".join(said).split()[: words + 30])
