"""Corpora of short answers in the shape of chats: no headers, long answers, often in Markdown.

    python -m recipes.wild.shaped $DATA OUT.jsonl --share 0.45 --seed 1

Of CANARD train and QReCC. Most answers go on with what later ones of the same conversation say, and some
with a stray sentence of another.
"""

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from recipes.wild.answers import dressed, lengthened, sentences
from recipes.wild.conversations import UNKNOWN, Conversation, canard_conversations, qrecc_conversations

LENGTHENED: Final = 0.75
STRAY: Final = 0.2


def shaped(
    corpus: str, conversations: Iterable[Conversation], rng: random.Random, *, share: float
) -> Iterator[dict[str, object]]:
    """A share of the turns that have a rewrite, each with its own draw of long answers before it."""
    everything = list(conversations)
    for number, conversation in enumerate(everything):
        for i, asked in enumerate(conversation):
            if not i or not asked.rewrite or rng.random() >= share:
                continue
            history = []
            for j, before in enumerate(conversation[:i]):
                later = [each.answer for each in conversation[j + 1 :] if each.answer != UNKNOWN[1]]
                history += [before.question, _answer(before.answer, later, everything, rng)]
            yield {
                "id": f"shaped-{corpus}-{number}-{i}",
                "lang": "en",
                "history": history,
                "utterance": asked.question,
                "rewrite": asked.rewrite,
            }


def _answer(answer: str, later: Sequence[str], others: Sequence[Conversation], rng: random.Random) -> str:
    if not answer or rng.random() >= LENGTHENED:
        return answer or UNKNOWN[1]
    longer = lengthened(answer, later, words=rng.randint(40, 150))
    if rng.random() < STRAY:
        stray = rng.choice(rng.choice(others)).answer
        longer = f"{longer} {sentences(stray)[0]}".strip()
    return dressed(longer, rng)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=0.45, help="of CANARD's turns; all of QReCC's are taken")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    rng = random.Random(wanted.seed)  # noqa: S311 - no secret
    with wanted.out.open("w", encoding="utf-8") as out:
        corpora = {
            "canard": (canard_conversations(wanted.data), wanted.share),
            "qrecc": (qrecc_conversations(wanted.data), 1.0),
        }
        for corpus, (conversations, share) in corpora.items():
            for record in shaped(corpus, conversations, rng, share=share):
                out.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
