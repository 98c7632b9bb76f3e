"""Conversations of the corpora: what was asked, what was meant, and what came back.

CANARD train           CC BY-SA 4.0   the first question is replaced by its rewrite, as a chat has no title
QReCC                  CC BY-SA 3.0   the longest conversations that its rows tell
TREC CAsT 2019, 2020   MIT            questions only
TREC iKAT 2023 train   MIT
MTRAG-UN               Apache-2.0     without rewrites; chats that share a question with MTRAG dev are left out
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from recipes.wild.corpora import lines, plain

UNKNOWN: Final = ("CANNOTANSWER", "I don't know.")
_SHORT: Final = 2  # words of a question that many chats have in common


@dataclass(frozen=True)
class Asked:
    """A turn of a conversation: what was asked, what was meant if that is known, and what came back."""

    question: str
    rewrite: str | None
    answer: str


Conversation = tuple[Asked, ...]


def canard_conversations(data: Path) -> Iterator[Conversation]:
    """CANARD's, each from its own first question on."""
    dialogues: dict[str, list[dict[str, Any]]] = {}
    for row in lines(data / "canard/train.jsonl.gz"):
        dialogues.setdefault(row["QuAC_dialog_id"], []).append(row)
    for rows in dialogues.values():
        last = max(rows, key=lambda row: len(row["History"]))
        rewrites = {len(row["History"]) // 2: row["Rewrite"] for row in rows}
        if 0 in rewrites:
            yield conversation([*last["History"], last["Question"]], rewrites)


def qrecc_conversations(data: Path) -> Iterator[Conversation]:
    """The longest of those that rows tell, with every rewrite that is known for a turn."""
    return _longest([*lines(data / "wild/qrecc_human.jsonl.gz"), *lines(data / "more/qrecc_sample.jsonl.gz")])


def ikat_conversations(data: Path) -> Iterator[Conversation]:
    """iKAT's train part, told likewise."""
    return _longest(list(lines(data / "more/ikat2023_train.jsonl.gz")))


def cast_conversations(data: Path) -> Iterator[Conversation]:
    """CAsT's, which have questions only."""
    for year in (2019, 2020):
        told: dict[str, dict[int, tuple[str, str]]] = {}
        for row in lines(data / f"more/cast{year}.jsonl.gz"):
            questions = [*row["history"], row["utterance"]]
            told.setdefault(questions[0], {})[len(questions)] = (row["utterance"], row["rewrite"])
        for turns in told.values():
            yield tuple(Asked(plain(turns[i][0]), plain(turns[i][1]), "") for i in sorted(turns))


def unlabelled_conversations(data: Path) -> Iterator[tuple[str, Conversation]]:
    """MTRAG-UN's with their ids, but none that asks what a chat of MTRAG dev asks: these sets overlap."""
    dev = {plain(turn).casefold() for row in lines(data / "wild/mtrag_dev.jsonl.gz") for turn in _questions(row)}
    for row in lines(data / "wild/mtrag_un.jsonl.gz"):
        asked = (plain(turn).casefold() for turn in _questions(row))
        if not any(question in dev and len(question.split()) > _SHORT for question in asked):
            yield row["id"], conversation([*row["history"], row["utterance"]], {})


def _questions(row: dict[str, Any]) -> list[str]:
    return [*row["history"], row["utterance"]][::2]


def _longest(rows: Iterable[dict[str, Any]]) -> Iterator[Conversation]:
    known = {(*row["history"], row["utterance"]): row["rewrite"] for row in rows}
    told: set[tuple[str, ...]] = set()
    for turns in sorted(known, key=len, reverse=True):
        if turns not in told:
            beginnings = [turns[: i + 1] for i in range(0, len(turns), 2)]
            told.update(beginnings)
            rewrites = {i: known[each] for i, each in enumerate(beginnings) if each in known}
            yield conversation(turns, {0: turns[0]} | rewrites)


def conversation(turns: Sequence[str], rewrites: dict[int, str]) -> Conversation:
    answers = [*turns[1::2], ""]
    asked = [
        Asked(plain(question), plain(rewrites[i]) if i in rewrites else None, plain(answer).replace(*UNKNOWN))
        for i, (question, answer) in enumerate(zip(turns[::2], answers, strict=True))
    ]
    return (Asked(asked[0].rewrite or asked[0].question, asked[0].rewrite, asked[0].answer), *asked[1:])
