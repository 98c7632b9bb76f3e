"""Write chat dialogues for training: `python -m recipes.chat --language en --count 20000 --seed 1 chat-en.jsonl`."""

import argparse
import json
from pathlib import Path

from recipes.chat.chinese import CHINESE
from recipes.chat.compose import compose
from recipes.chat.english import ENGLISH

MATERIALS = {material.language: material for material in (ENGLISH, CHINESE)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", choices=sorted(MATERIALS), required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    with args.out.open("w", encoding="utf-8") as file:
        for record in compose(MATERIALS[args.language], args.count, args.seed):
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
