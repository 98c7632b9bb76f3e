"""Dialogues to learn from without a rewrite: what taggers say of them is the label.

    python -m recipes.wild.unlabelled OUT.jsonl --inexact A.labels.jsonl B.labels.jsonl \
        --left ALL.labels.jsonl CHOSEN.labels.jsonl --chats CHATS.jsonl --recipe recipes/bundled-en.toml --seed 5

Of `--inexact`, those whose rewrite the rules of the recipe's book cannot say. Of `--left`, most of those in the first
file that are not in the second. Of `--chats`, some turns with less context than they have, or with the beginning of
another chat before it.
"""

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.jsonl import dialogue_to_json, read_jsonl
from utterly.files import written_whole
from utterly.labels.labels import read_labels
from utterly.model.folder import find_book
from utterly.rules.book import RuleBook
from utterly.rules.restrict import Restriction
from utterly.training.dev_scores import is_exact
from utterly.training.recipe import Recipe

OF_LEFT: Final = 0.7  # the share that is taken
OF_CHATS: Final = 0.26
MOST_BEFORE: Final = 3  # exchanges of another chat


def inexact(path: Path, book: RuleBook) -> Iterator[Dialogue]:
    restriction = Restriction(book)
    for labels in read_labels(path):
        if not is_exact(restriction.restrict(labels).script):
            yield labels.script.dialogue


def left_out(everything: Path, chosen: Path, rng: random.Random) -> Iterator[Dialogue]:
    taken = {labels.script.dialogue for labels in read_labels(chosen)}
    for labels in read_labels(everything):
        if labels.script.dialogue not in taken and rng.random() < OF_LEFT:
            yield labels.script.dialogue


def moved(chats: Sequence[Dialogue], rng: random.Random) -> Iterator[Dialogue]:
    """Some turns, with the first exchanges of their chat taken away or exchanges of another put before them."""
    for chat in rng.sample(chats, int(OF_CHATS * len(chats))):
        context = [turn.text for turn in chat.context]
        if rng.random() < 0.5:
            other = [turn.text for turn in rng.choice(chats).context]
            most = min(MOST_BEFORE, len(other) // 2)
            context = other[: 2 * rng.randint(min(1, most), most)] + context
        elif len(context) >= 4:
            context = context[2 * rng.randrange(1, len(context) // 2) :]
        else:
            continue
        yield Dialogue.of([*context, chat.source.text], language=chat.language)


def write(dialogues: Iterable[Dialogue], out: Path) -> None:
    """One line each, without targets."""
    with written_whole(out) as file:
        for number, dialogue in enumerate(dialogues):
            row = dialogue_to_json(dialogue.with_target(None)) | {"id": f"unlabelled-{number}"}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--inexact", type=Path, nargs="+", default=[], help="label files")
    parser.add_argument("--left", type=Path, nargs=2, action="append", default=[], help="all labels, those chosen")
    parser.add_argument("--chats", type=Path, help="JSON lines")
    parser.add_argument("--recipe", type=Path, required=True, help="whose book decides")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    rng = random.Random(wanted.seed)  # noqa: S311 - no secret
    book = find_book(Recipe.read(wanted.recipe).data.book)
    parts = [
        *(inexact(path, book) for path in wanted.inexact),
        *(left_out(everything, chosen, rng) for everything, chosen in wanted.left),
        moved(list(read_jsonl(wanted.chats)) if wanted.chats else [], rng),
    ]
    dialogues = list(chain.from_iterable(parts))
    rng.shuffle(dialogues)
    write(dialogues, wanted.out)


if __name__ == "__main__":
    main()
