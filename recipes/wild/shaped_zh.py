"""REWRITE and Restoration-200K in the shape of chats with an assistant: long answers, often in Markdown.

    python -m recipes.wild.shaped_zh $DATA OUT.jsonl --share 0.35 --seed 1

The last answer goes on with what other dialogues say of the same thing, and with sentences that fit anywhere. Some
chats begin with an exchange about something else.
"""

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import Final

from recipes.chat.chinese import read_chinese
from recipes.chat.compose import Exchange, Fillers, Material

from utterly.dialogues.corpora import read_corpus
from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.dialogues.jsonl import read_jsonl, write_jsonl

BEFORE: Final = 0.4  # share of chats that begin with something else
MOST_RELATED: Final = 4
_END: Final = "。！？!?~"


def missing(dialogue: Dialogue) -> str:
    """The longest text that the target adds."""
    source, target = dialogue.source.text, dialogue.target.text if dialogue.target else ""
    edits = SequenceMatcher(None, source, target, autojunk=False).get_opcodes()
    return max((target[a:b] for kind, _, _, a, b in edits if kind in ("insert", "replace")), key=len, default="")


def shaped(dialogues: Sequence[Dialogue], rng: random.Random, *, share: float) -> Iterator[Dialogue]:
    """A share of the dialogues, each with a long last answer."""
    material = read_chinese("long")
    fitting = [row["name"] for table in ("answer_more", "list_closing") for row in material.tables[table]]
    exchanges = [exchange[:2] for exchange in _openings(material, rng)]
    said = "".join(sorted({f"{turn.text}\n" for dialogue in dialogues for turn in dialogue.context}))
    for dialogue in dialogues:
        if not dialogue.context or rng.random() >= share:
            continue
        *before, last = (turn.text for turn in dialogue.context)
        related = [text for text in _about(missing(dialogue), said) if text != last]
        related = rng.sample(related, min(len(related), rng.randint(0, MOST_RELATED)))
        sentences = [_ended(each) for each in (last, *related, *rng.sample(fitting, rng.randint(1, 3)))]
        history = [*before, _set(sentences, rng)]
        if rng.random() < BEFORE:
            history = [*rng.choice(exchanges), *history]
        yield replace(dialogue, id=f"shaped-{dialogue.id}", context=tuple(map(Turn, history)))


def _openings(material: Material, rng: random.Random) -> Iterator[Exchange]:
    """How generated chats with long answers begin."""
    for scene in material.scenes:
        for _ in range(4):
            fillers = Fillers(rng, material.tables)
            yield tuple(map(fillers.fill, rng.choice(scene.openings)))


def _about(topic: str, said: str) -> list[str]:
    """Lines in which the topic is mentioned, the first few."""
    places = (found.start() for found in re.finditer(re.escape(topic), said)) if len(topic) > 1 else ()
    lines = (
        said[said.rfind("\n", 0, place) + 1 : said.find("\n", place)] for place in islice(places, 5 * MOST_RELATED)
    )
    return [line for line in dict.fromkeys(lines) if len(line) > len(topic) + 2]


def _ended(sentence: str) -> str:
    return sentence if sentence[-1:] in _END else f"{sentence}。"


def _set(sentences: Sequence[str], rng: random.Random) -> str:
    """Sentences as one paragraph, or as a list."""
    (kind,) = rng.choices(("plain", "bullets", "numbers", "paragraphs"), (55, 15, 15, 15))
    first, *rest = sentences
    if kind == "plain":
        return "".join(sentences)
    if kind == "paragraphs":
        return f"{first}\n\n" + "".join(rest)
    marks = (f"{number}. " if kind == "numbers" else "- " for number in range(1, len(sentences)))
    return "\n".join((first, *map("".join, zip(marks, rest, strict=True))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the corpora")
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=0.35)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    rng = random.Random(wanted.seed)  # noqa: S311 - no secret
    dialogues = [
        *read_corpus("rewrite", wanted.data / "rewrite/corpus.txt.gz", split="train"),
        *read_jsonl(wanted.data / "more/restoration200k_valid.jsonl.gz"),
    ]
    write_jsonl(wanted.out, shaped(dialogues, rng, share=wanted.share))


if __name__ == "__main__":
    main()
