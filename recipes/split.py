"""Hold out some dialogues of a file: all turns of every n-th dialogue, which ids such as news-7-turn2 tell apart.

python recipes/split.py IN.jsonl TRAIN.jsonl HELD.jsonl --every 5
"""

import argparse
import re
from pathlib import Path

from utterly.dialogues.jsonl import read_jsonl, write_jsonl


def whole_dialogue(turn_id: str | None) -> str:
    """What the ids of a dialogue's turns have in common: news-7 of news-7-turn2, C_4_q of C_4_q#2."""
    return re.sub(r"(-turn|#)\d+$", "", turn_id or "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("dialogues", "train", "held"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--domain", help="only this domain's dialogues")
    wanted = parser.parse_args()
    turns = [turn for turn in read_jsonl(wanted.dialogues) if wanted.domain in (None, turn.domain)]
    whole = [whole_dialogue(turn.id) for turn in turns]
    held = set(list(dict.fromkeys(whole))[:: wanted.every])
    write_jsonl(wanted.train, (turn for turn, name in zip(turns, whole, strict=True) if name not in held))
    write_jsonl(wanted.held, (turn for turn, name in zip(turns, whole, strict=True) if name in held))


if __name__ == "__main__":
    main()
