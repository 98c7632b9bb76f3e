"""Write chat dialogues for training: `python -m recipes.chat --language en --count 20000 --seed 1 chat-en.jsonl`."""

import argparse
import json
from pathlib import Path

from recipes.chat import chinese, english
from recipes.chat.compose import compose

MATERIALS = {
    "all": {"en": english.ENGLISH, "zh": chinese.CHINESE},
    "followups": {"en": english.FOLLOWUPS_ONLY, "zh": chinese.FOLLOWUPS_ONLY},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", choices=sorted(MATERIALS["all"]), required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--scenes",
        choices=sorted(MATERIALS),
        default="all",
        help="which topics: all, or only those of the short follow-ups",
    )
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    with args.out.open("w", encoding="utf-8") as file:
        for record in compose(MATERIALS[args.scenes][args.language], args.count, args.seed):
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
