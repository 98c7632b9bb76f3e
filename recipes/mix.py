"""Copies of dialogues that show a tagger what a corpus lacks, for models that people chat with.

    headerless       without the corpus's header turns, if the target does not need them: chats have none
    self-contained   the target as the source: a turn to be left alone
    switched         another dialogue's target as the source: a new topic, to be left alone
    preceded         another dialogue's first exchange before it: the topic has changed
    unpunctuated     without the mark at the end of source and target, as people type
    rearranged       sentences and list items of the answers in another order, some left out: the same names in other
                     places, so that a tagger reads them instead of remembering where they stood

    python recipes/mix.py IN.jsonl OUT.jsonl --headers 2 --headerless 0.4 --self-contained 0.2 \\
        --switched 0.1 --unpunctuated 0.2 --rearranged 0.5

Only the copies are written. A share is a part of the dialogues that can be copied that way.
"""

import argparse
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from utterly.dialogues.dialogue import Dialogue, Turn, Word, split_words
from utterly.dialogues.jsonl import read_jsonl, write_jsonl
from utterly.errors import UtterlyError
from utterly.labels.function_words import FUNCTION_WORDS

Copy = Callable[[Dialogue], Dialogue | None]
KINDS: Final = ("headerless", "self-contained", "switched", "preceded", "unpunctuated", "rearranged")

_COUNTS: Final = re.compile(  # a turn that may count the items of an answer
    r"\b(\d|first|second|third|fourth|fifth|last|latter|former|next|other|both|top|bottom|option|number|step|one)\b",
    re.IGNORECASE,
)
_ITEM: Final = re.compile(r"(?:[-*•]|\d+[.)]) +")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?]) +(?=[A-Z*\"“])")


def headerless(dialogue: Dialogue, *, headers: int) -> Dialogue | None:
    """The dialogue without its first turns, if its target needs none of their words."""
    copy = replace(dialogue, context=dialogue.context[headers:])
    if not headers or not copy.context or not copy.target:
        return None
    known = {word.text.casefold() for turn in (*copy.context, copy.source) for word in turn.words}
    said = {word.text.casefold() for word in copy.target.words}
    return copy if said <= known | FUNCTION_WORDS else None


def self_contained(dialogue: Dialogue) -> Dialogue | None:
    """The dialogue with a last turn that already stands on its own."""
    if not dialogue.context or not dialogue.target or dialogue.target == dialogue.source:
        return None
    return replace(dialogue, source=dialogue.target)


def switched(dialogue: Dialogue, *, others: Sequence[Turn], rng: random.Random) -> Dialogue | None:
    """The dialogue with an unrelated last turn."""
    if not dialogue.context or not others:
        return None
    turn = rng.choice(others)
    return replace(dialogue, source=turn, target=turn)


def preceded(dialogue: Dialogue, *, openings: Sequence[Sequence[Turn]], rng: random.Random) -> Dialogue | None:
    """The dialogue after an exchange about something else."""
    if not dialogue.context or not openings:
        return None
    return replace(dialogue, context=(*rng.choice(openings), *dialogue.context))


def unpunctuated(dialogue: Dialogue) -> Dialogue | None:
    """The dialogue without the mark that ends its last turn."""
    if not dialogue.target:
        return None
    source, target = (turn.text.rstrip(" ?.!？。！") for turn in (dialogue.source, dialogue.target))
    if not source or not target or source == dialogue.source.text.rstrip():
        return None
    return replace(dialogue, source=Turn(source), target=Turn(target))


def rearranged(dialogue: Dialogue, *, rng: random.Random) -> Dialogue | None:
    """The dialogue with its answers in another order, unless the last turn counts their items."""
    if not dialogue.target or _COUNTS.search(dialogue.source.text):
        return None
    added = _content(dialogue.target.words) - _content(dialogue.source.words)
    context = list(dialogue.context)
    for place in range(len(context) - 1, -1, -2):
        if "```" not in context[place].text:
            context[place] = Turn(_in_other_order(context[place].text, added, rng))
    return replace(dialogue, context=tuple(context)) if tuple(context) != dialogue.context else None


def _in_other_order(answer: str, needed: set[str], rng: random.Random) -> str:
    """Paragraphs with the sentences after their first shuffled, lists with their items shuffled; of both a part."""
    lines: list[str] = []
    items: list[str] = []
    for line in [*answer.splitlines(), ""]:
        if mark := _ITEM.match(line):
            items.append(line[mark.end() :])
            lines.append(mark[0])
            continue
        if items:  # the list has ended
            chosen = _some(items, needed, rng)
            marks = lines[len(lines) - len(items) :]
            lines[len(lines) - len(items) :] = [mark + item for mark, item in zip(marks, chosen, strict=False)]
            items = []
        first, *others = [line] if line.startswith("|") else _SENTENCE_END.split(line)
        lines.append(" ".join([first, *_some(others, needed, rng)]))
    return "\n".join(lines).rstrip("\n")


def _some(texts: list[str], needed: set[str], rng: random.Random) -> list[str]:
    """The texts shuffled, without a fifth of those that have no needed word."""
    if len(texts) == 1:
        return texts
    shuffled = rng.sample(texts, len(texts))
    return [text for text in shuffled if rng.random() > 0.2 or needed & _content(split_words(text))]


def _content(words: Iterable[Word]) -> set[str]:
    return {text for word in words if (text := word.text.casefold()) not in FUNCTION_WORDS}


def copies(
    dialogues: Iterator[Dialogue], shares: dict[str, tuple[Copy, float]], rng: random.Random
) -> Iterator[Dialogue]:
    """Each dialogue's copies, at random; the id says what kind of copy it is."""
    for dialogue in dialogues:
        for name, (copy, share) in shares.items():
            if rng.random() < share and (copied := copy(dialogue)):
                yield replace(copied, id=f"{dialogue.id}-{name}" if dialogue.id else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dialogues", type=Path, help="JSON lines with targets")
    parser.add_argument("out", type=Path, help="JSON lines to write")
    parser.add_argument("--headers", type=int, default=0, help="number of header turns (default: 0)")
    for name in KINDS:
        parser.add_argument(f"--{name}", type=float, default=0.0, metavar="SHARE", help="share to copy (default: 0)")
    parser.add_argument(
        "--others", type=Path, help="whose targets --switched uses, and openings --preceded (default: the same file)"
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    wanted = parser.parse_args()
    share = {name: getattr(wanted, name.replace("-", "_")) for name in KINDS}
    for name, given in share.items():
        if not 0 <= given <= 1:
            parser.error(f"--{name} must be between 0 and 1, got {given}")
    rng = random.Random(wanted.seed)  # noqa: S311 - no secret
    others: list[Turn] = []
    openings: list[Sequence[Turn]] = []
    ways: dict[str, Copy] = {
        "headerless": lambda dialogue: headerless(dialogue, headers=wanted.headers),
        "self-contained": self_contained,
        "switched": lambda dialogue: switched(dialogue, others=others, rng=rng),
        "preceded": lambda dialogue: preceded(dialogue, openings=openings, rng=rng),
        "unpunctuated": unpunctuated,
        "rearranged": lambda dialogue: rearranged(dialogue, rng=rng),
    }
    try:
        for each in read_jsonl(wanted.others or wanted.dialogues):
            others += [each.target] if each.target else []
            openings += [each.context[:2]] if len(each.context) > 1 else []
        write_jsonl(wanted.out, copies(read_jsonl(wanted.dialogues), {n: (ways[n], share[n]) for n in KINDS}, rng))
    except UtterlyError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
