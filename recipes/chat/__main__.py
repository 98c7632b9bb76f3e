"""Write generated chats for training: `python -m recipes.chat --language en --count 20000 --seed 1 chat-en.jsonl`."""

import argparse
import json
from pathlib import Path

from recipes.chat.chinese import read_chinese
from recipes.chat.compose import compose
from recipes.chat.english import read_english
from recipes.chat.templates import TemplateError

READERS = {"en": read_english, "zh": read_chinese}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="JSON lines to write")
    parser.add_argument("--language", choices=sorted(READERS), required=True)
    parser.add_argument("--count", type=int, required=True, help="number of chats, all different")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: 1)")
    parser.add_argument(
        "--scenes",
        choices=("all", "followups", "long"),
        default="all",
        help="scenes to use (default: all); long ones are Chinese only; see README.md",
    )
    args = parser.parse_args()
    try:
        material = READERS[args.language](args.scenes)
    except TemplateError as wrong:
        parser.error(str(wrong))
    with args.out.open("w", encoding="utf-8") as file:
        for record in compose(material, args.count, args.seed):
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
