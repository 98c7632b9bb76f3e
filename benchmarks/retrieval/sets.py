"""The three sets: turns of long chats, each with its relevant passages, and the pools to search.

CAsT 2021 and iKAT 2023: find the passage that answered the turn among the answers of both sets and MTRAG's passages.
MTRAG dev: find the passages marked relevant among those of the turn's domain.

    DATA/wild/cast2021.jsonl.gz       id, history, utterance, rewrite, answer (if known)
    DATA/wild/ikat2023_test.jsonl.gz  the same, and needs_persona: the rewrite uses facts from outside the chat
    DATA/wild/ikat2023_peers.jsonl.gz id, and the rewrite of each peer under its name
    DATA/wild/mtrag_dev.jsonl.gz      id, domain, history, utterance, llm_rewrite, relevant (passage ids)
    DATA/wild/mtrag_pool.jsonl.gz     id, domain, text
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from utterly.files import opened

ANSWERS: Final = "answers"  # the pool that CAsT and iKAT share; MTRAG's pools are named after its domains


@dataclass(frozen=True)
class SearchTurn:
    """The last turn of a chat, its reference rewrite, and the ids of the passages that a search should find."""

    id: str
    context: tuple[str, ...]
    source: str
    reference: str
    pool: str
    relevant: frozenset[str]

    @property
    def turns(self) -> list[str]:
        return [*self.context, self.source]

    @property
    def dialogue(self) -> str:
        """The first turn, which identifies the dialogue."""
        return self.turns[0]


@dataclass(frozen=True)
class SearchSet:
    """Turns scored together, with one of `measures.MEASURES`."""

    name: str
    measure: str
    turns: tuple[SearchTurn, ...]


@dataclass(frozen=True)
class Bench:
    """The sets, the pools to search (passage id to text, by name), and the rewrites of other systems."""

    sets: tuple[SearchSet, ...]
    pools: Mapping[str, Mapping[str, str]]
    peers: Mapping[str, Mapping[str, str]]  # system -> turn id -> rewrite

    @property
    def turns(self) -> Iterator[SearchTurn]:
        return (turn for each in self.sets for turn in each.turns)

    def thinned(self, every: int) -> "Bench":
        """The same turns with fewer passages: the relevant ones, and every `every`-th of the others."""
        if every < 1:
            raise ValueError(f"every must be at least 1, got {every}; 1 keeps all passages")
        needed = {passage for turn in self.turns for passage in turn.relevant}
        others = dict.fromkeys(passage for pool in self.pools.values() for passage in pool if passage not in needed)
        kept = needed | set(list(others)[::every])
        pools = {
            name: {passage: text for passage, text in pool.items() if passage in kept}
            for name, pool in self.pools.items()
        }
        return replace(self, pools=pools)


def read_bench(data: Path, *, mtrag_measure: str = "nDCG@5") -> Bench:
    """The sets in `data`/wild."""
    wild = data / "wild"
    cast = list(json_lines(wild / "cast2021.jsonl.gz"))
    ikat = list(json_lines(wild / "ikat2023_test.jsonl.gz"))
    passages = list(json_lines(wild / "mtrag_pool.jsonl.gz"))
    answers = {str(row["answer"]): str(row["id"]) for row in reversed([*cast, *ikat]) if "answer" in row}
    pools: dict[str, dict[str, str]] = {ANSWERS: {turn: text for text, turn in answers.items()}}
    for passage in passages:
        for pool in (ANSWERS, str(passage["domain"])):
            pools.setdefault(pool, {})[str(passage["id"])] = str(passage["text"])
    sets = (
        SearchSet("CAsT 2021", "MRR", tuple(_answered(cast, answers))),
        SearchSet("iKAT 2023", "MRR", tuple(_answered(ikat, answers))),
        SearchSet("MTRAG dev", mtrag_measure, tuple(_marked(json_lines(wild / "mtrag_dev.jsonl.gz")))),
    )
    return Bench(sets, pools, _peers(json_lines(wild / "ikat2023_peers.jsonl.gz")))


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The object on each line of a file, plain or gzip."""
    with opened(path) as file:
        for number, line in enumerate(file, start=1):
            try:
                row = json.loads(line)
            except ValueError as broken:
                raise ValueError(f"{path}, line {number}: each line must be a JSON object, got {broken}") from None
            yield row


def _answered(rows: Iterable[Mapping[str, Any]], answers: Mapping[str, str]) -> Iterator[SearchTurn]:
    for row in rows:
        if "answer" in row and not row.get("needs_persona"):
            found = frozenset([answers[row["answer"]]])
            yield SearchTurn(row["id"], tuple(row["history"]), row["utterance"], row["rewrite"], ANSWERS, found)


def _marked(rows: Iterable[Mapping[str, Any]]) -> Iterator[SearchTurn]:
    for row in rows:
        if row["relevant"]:  # those without have no rewrite either
            found = frozenset(row["relevant"])
            yield SearchTurn(
                row["id"], tuple(row["history"]), row["utterance"], row["llm_rewrite"], row["domain"], found
            )


def _peers(rows: Iterable[Mapping[str, str]]) -> dict[str, dict[str, str]]:
    peers: dict[str, dict[str, str]] = {}
    for row in rows:
        for system, rewrite in row.items():
            if system != "id":
                peers.setdefault(system, {})[row["id"]] = rewrite
    return peers
