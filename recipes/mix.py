"""Copies of dialogues that show a tagger what a corpus lacks, for training models that people chat with.

    headerless       without the corpus's header turns, where all that the target adds is still there: a chat has none
    self-contained   the target in the place of the source: such a turn is to be left alone
    switched         the target of another dialogue in the place of the source: a new topic, to be left alone
    unpunctuated     without the mark at the end of source and target, as people type

    python recipes/mix.py IN.jsonl OUT.jsonl --headers 2 --headerless 0.4 --self-contained 0.2 \\
        --switched 0.1 --unpunctuated 0.2

The copies alone are written; the shares are of the dialogues that can be copied so.
"""

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.dialogues.jsonl import read_jsonl, write_jsonl
from utterly.labels.function_words import FUNCTION_WORDS

Copy = Callable[[Dialogue], Dialogue | None]


def headerless(dialogue: Dialogue, *, headers: int) -> Dialogue | None:
    """The dialogue without its first turns, if its target needs no word of them."""
    copy = replace(dialogue, context=dialogue.context[headers:])
    if not headers or not copy.context or not copy.target:
        return None
    known = {word.text.casefold() for turn in (*copy.context, copy.source) for word in turn.words}
    said = {word.text.casefold() for word in copy.target.words}
    return copy if said <= known | FUNCTION_WORDS else None


def self_contained(dialogue: Dialogue) -> Dialogue | None:
    """The dialogue whose last turn stands on its own already."""
    if not dialogue.context or not dialogue.target or dialogue.target == dialogue.source:
        return None
    return replace(dialogue, source=dialogue.target)


def switched(dialogue: Dialogue, *, others: Sequence[Turn], rng: random.Random) -> Dialogue | None:
    """The dialogue with a last turn from elsewhere, which has nothing to do with it."""
    if not dialogue.context or not others:
        return None
    turn = rng.choice(others)
    return replace(dialogue, source=turn, target=turn)


def unpunctuated(dialogue: Dialogue) -> Dialogue | None:
    """The dialogue without the mark that ends its last turn."""
    if not dialogue.target:
        return None
    source, target = (turn.text.rstrip(" ?.!？。！") for turn in (dialogue.source, dialogue.target))
    if not source or not target or source == dialogue.source.text.rstrip():
        return None
    return replace(dialogue, source=Turn(source), target=Turn(target))


def copies(
    dialogues: Iterator[Dialogue], shares: dict[str, tuple[Copy, float]], rng: random.Random
) -> Iterator[Dialogue]:
    """Each dialogue's copies, by chance; what a copy is, its id says."""
    for dialogue in dialogues:
        for name, (copy, share) in shares.items():
            if rng.random() < share and (copied := copy(dialogue)):
                yield replace(copied, id=f"{dialogue.id}-{name}" if dialogue.id else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dialogues", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--headers", type=int, default=0, help="how many turns at the beginning are headers")
    for name in ("headerless", "self-contained", "switched", "unpunctuated"):
        parser.add_argument(f"--{name}", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--others", type=Path, help="where switched takes its turns from; else the same file")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    rng = random.Random(wanted.seed)  # noqa: S311 - no secret
    others = [each.target for each in read_jsonl(wanted.others or wanted.dialogues) if each.target]
    shares: dict[str, tuple[Copy, float]] = {
        "headerless": (lambda dialogue: headerless(dialogue, headers=wanted.headers), wanted.headerless),
        "self-contained": (self_contained, wanted.self_contained),
        "switched": (lambda dialogue: switched(dialogue, others=others, rng=rng), wanted.switched),
        "unpunctuated": (unpunctuated, wanted.unpunctuated),
    }
    write_jsonl(wanted.out, copies(read_jsonl(wanted.dialogues), shares, rng))


if __name__ == "__main__":
    main()
