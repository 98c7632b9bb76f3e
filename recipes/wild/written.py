"""What a language model wrote, as dialogues to learn from: chats about passages, and its rewrites of unlabelled chats.

    python -m recipes.wild.written $DATA OUT.jsonl --chats written.jsonl.gz --rewrites rewritten.jsonl.gz

A turn is left out where the model was unsure of the rewrite, repeats itself, speaks of an article that nobody
mentioned, or where the chat's opening does not stand on its own. That a script says the rewrite exactly is asked for in
training.
"""

import argparse
import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from recipes.wild.answers import dressed
from recipes.wild.corpora import lines, plain
from recipes.wild.passages import bodies

WRITTEN: Final = Path(__file__).parent / "written.jsonl.gz"
REWRITTEN: Final = Path(__file__).parent / "rewritten.jsonl.gz"
LEAST_LOG_PROBABILITY: Final = -0.4  # mean over the pieces of a rewrite
MOST_WORDS: Final = 40
SHORTENED: Final = 0.25  # share of the answers of which only the beginning is given
_LEANING: Final = re.compile(
    r"\b(?:it|its|he|his|him|she|her|they|their|them|this|these|those|that one|the (?:other|same))\b", re.IGNORECASE
)
_ARTICLE: Final = re.compile(r"\b(?:article|passage|text|document)s?\b", re.IGNORECASE)
_REPEATED: Final = re.compile(r"\b(\w+ \w+ \w+)\b.*\b\1\b", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+")


def is_sound(question: str, rewrite: str, log_probability: float) -> bool:
    """Whether a question and its rewrite look like something a person wrote."""
    if not question or not rewrite or log_probability < LEAST_LOG_PROBABILITY:
        return False
    if len(rewrite.split()) > MOST_WORDS or len(rewrite.split()) < len(question.split()) - 3:
        return False
    return not (_ARTICLE.search(question) or _REPEATED.search(rewrite) or "�" in question + rewrite)


def stands_alone(opening: str) -> bool:
    return len(opening.split()) > 3 and not _LEANING.search(opening) and not _ARTICLE.search(opening)


def from_chats(
    chats: Iterable[dict[str, Any]], passages: Mapping[str, str], name: str, rng: random.Random
) -> Iterator[dict[str, object]]:
    """Every sound follow-up, with the turns before it; answers are the first words of passages."""
    for number, chat in enumerate(chats):
        turns = chat["turns"]
        if not stands_alone(turns[0]["q"]):
            continue
        history: list[str] = []
        for i, turn in enumerate(turns):
            if i and is_sound(turn["q"], turn["r"], turn["logp"]):
                yield _record(f"{name}-{number}-{i}", history, turn["q"], turn["r"])
            if "passage" in turn:
                answer = " ".join(passages[turn["passage"]].split()[: turn["words"]])
                history += [turn["q"], _answer(answer, rng)]


def from_rewrites(rows: Iterable[dict[str, Any]], data: Path) -> Iterator[dict[str, object]]:
    """The sound rewrites of turns of MTRAG-UN; an id names the chat and the place of the turn."""
    chats = {row["id"]: [*row["history"], row["utterance"]] for row in lines(data / "wild/mtrag_un.jsonl.gz")}
    for row in rows:
        chat, _, place = row["id"].partition("@")
        if chat in chats:
            history, question = chats[chat][: int(place)], plain(chats[chat][int(place)])
            if is_sound(question, row["rewrite"], row["logp"]):
                yield _record(row["id"], history, question, row["rewrite"])


def _record(name: str, history: list[str], question: str, rewrite: str) -> dict[str, object]:
    return {"id": name, "lang": "en", "history": list(history), "utterance": question, "rewrite": rewrite}


def _answer(passage: str, rng: random.Random) -> str:
    if rng.random() < SHORTENED:
        said = _SENTENCE_END.split(passage)
        passage = " ".join(said[: rng.randint(1, max(1, len(said) // 2))])
    return dressed(passage, rng)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the corpora")
    parser.add_argument("out", type=Path)
    parser.add_argument("--chats", type=Path, nargs="*", default=[WRITTEN])
    parser.add_argument("--rewrites", type=Path, nargs="*", default=[REWRITTEN])
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    rng = random.Random(wanted.seed)  # noqa: S311 - no secret
    passages = bodies(wanted.data)
    with wanted.out.open("w", encoding="utf-8") as out:
        for number, path in enumerate(wanted.chats):
            for record in from_chats(lines(path), passages, f"written-{number}", rng):
                out.write(json.dumps(record, ensure_ascii=False) + "\n")
        for path in wanted.rewrites:
            for record in from_rewrites(lines(path), wanted.data):
                out.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
