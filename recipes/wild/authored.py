"""Chats written for training: after each long answer, several turns that mean different things.

    python -m recipes.wild.authored recipes/wild/chats/en OUT.jsonl

The folder is named after its language and holds text files, plain or gzip:

    ===                                     a chat begins
    U: which kettle is good for tea?        a turn of the user, on one line
    A: Three come up often: ...             the answer, up to the next mark
    ? ordinal | is the second one loud? | is the Bonavita loud?     a turn that could follow, and its rewrite
    ? stay | thanks!                        a turn that stands on its own
    U: does it beep?                        the turn that did follow,
    R: pronoun | does the Bonavita beep?    and its rewrite, if it needs one
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from utterly.errors import DialogueError, UtterlyError
from utterly.files import opened, written_whole

STAY: Final = "stay"
KINDS: Final = frozenset(
    (STAY, *"pronoun candidates hidden ordinal compare offer clarify why-no return switch long markup".split())
)


def records(path: Path) -> Iterator[dict[str, object]]:
    """Every labelled turn of a file as a record of the JSON lines format, with the turns before it."""
    turns: list[str] = []
    chats = 0
    with opened(path) as file:
        lines = file.read().decode().splitlines()
    for number, line in enumerate(lines, start=1):
        mark, _, said = line.partition(" ")
        if mark == "===":
            turns = []
            chats += 1
        elif mark == "U:":
            turns.append(said)
        elif mark == "A:":
            turns.append(f"{said}\n")
        elif mark in ("?", "R:") and turns:
            kind, *texts = said.split(" | ")
            history = turns
            if mark == "R:":
                *history, utterance = turns
                texts = [utterance, *texts]
            if kind not in KINDS or len(texts) != (1 if kind == STAY else 2):
                raise DialogueError(
                    f"{path}, line {number}: a label must be `kind | turn | rewrite`, or `{STAY} | turn`, with a kind "
                    f"of {', '.join(sorted(KINDS))}; got {said!r}"
                )
            yield {
                "id": f"{path.name.partition('.')[0]}-{chats}-turn{number}",  # recipes/split.py reads the chat from it
                "lang": path.parent.name,
                "phenomenon": kind,
                "history": [turn.strip() for turn in history],
                "utterance": texts[0].strip(),
                "rewrite": texts[-1].strip(),
            }
        elif turns and turns[-1].endswith("\n"):  # an answer goes on
            turns[-1] += f"{line}\n"
        else:
            raise DialogueError(f"{path}, line {number}: a line must begin with ===, U:, A:, R: or ?, got {line!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder of text files, named after its language")
    parser.add_argument("out", type=Path)
    wanted = parser.parse_args()
    try:
        with written_whole(wanted.out) as out:
            for path in sorted((*wanted.folder.glob("*.txt"), *wanted.folder.glob("*.txt.gz"))):
                out.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in records(path))
    except UtterlyError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
