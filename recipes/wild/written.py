"""What a language model wrote about passages, as dialogues to learn from.

    python -m recipes.wild.written $DATA OUT.jsonl --chats written.jsonl.gz

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
from recipes.wild.corpora import lines
from recipes.wild.passages import bodies

WRITTEN: Final = Path(__file__).parent / "written.jsonl.gz"
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
                yield {
                    "id": f"{name}-{number}-{i}",
                    "lang": "en",
                    "history": list(history),
                    "utterance": turn["q"],
                    "rewrite": turn["r"],
                }
            if "passage" in turn:
                answer = " ".join(passages[turn["passage"]].split()[: turn["words"]])
                history += [turn["q"], _answer(answer, rng)]


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
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    rng = random.Random(wanted.seed)  # noqa: S311 - no secret
    passages = bodies(wanted.data)
    with wanted.out.open("w", encoding="utf-8") as out:
        for number, path in enumerate(wanted.chats):
            for record in from_chats(lines(path), passages, f"written-{number}", rng):
                out.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
