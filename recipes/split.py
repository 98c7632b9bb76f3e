"""Hold out every n-th dialogue of a file, with all its turns: ids such as news-7-turn2 name the dialogue.

python recipes/split.py IN.jsonl TRAIN.jsonl HELD.jsonl --every 5
"""

import argparse
import re
import sys
from pathlib import Path

from utterly.dialogues.jsonl import read_jsonl, write_jsonl
from utterly.errors import UtterlyError


def whole_dialogue(turn_id: str | None) -> str:
    """The dialogue that a turn's id names: news-7 for news-7-turn2, C_4_q for C_4_q#2."""
    return re.sub(r"(-turn|#)\d+$", "", turn_id or "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dialogues", type=Path, help="JSON lines")
    parser.add_argument("train", type=Path, help="output: the other dialogues")
    parser.add_argument("held", type=Path, help="output: the held-out dialogues")
    parser.add_argument("--every", type=int, default=5, help="hold out every n-th dialogue (default: 5)")
    parser.add_argument("--domain", help="use only dialogues of this domain")
    wanted = parser.parse_args()
    if wanted.every < 2:
        parser.error(f"--every must be at least 2, got {wanted.every}")
    try:
        turns = [turn for turn in read_jsonl(wanted.dialogues) if wanted.domain in (None, turn.domain)]
        held = set(list(dict.fromkeys(whole_dialogue(turn.id) for turn in turns))[:: wanted.every])
        write_jsonl(wanted.train, (turn for turn in turns if whole_dialogue(turn.id) not in held))
        write_jsonl(wanted.held, (turn for turn in turns if whole_dialogue(turn.id) in held))
    except UtterlyError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
