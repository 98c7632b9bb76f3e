"""MTRAG-UN's follow-ups with the rewrites written for them, as dialogues to learn from.

    python -m recipes.wild.rewritten $DATA OUT.jsonl

`rewritten.jsonl.gz` has the rewrite of each follow-up, often the turn itself; an id names the chat and the turn's place
in it. They were written turn by turn, with a large language model. Chats that ask a question of MTRAG dev are left out,
as are turns that refer to something the chat never mentions.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from recipes.wild.conversations import unlabelled_conversations
from recipes.wild.corpora import lines, plain

REWRITTEN: Final = Path(__file__).parent / "rewritten.jsonl.gz"


def records(rewrites: Iterable[dict[str, Any]], data: Path) -> Iterator[dict[str, object]]:
    chats = {row["id"]: [*row["history"], row["utterance"]] for row in lines(data / "wild/mtrag_un.jsonl.gz")}
    unlike_dev = {name for name, _ in unlabelled_conversations(data)}
    for row in rewrites:
        chat, _, place = row["id"].partition("@")
        if chat in unlike_dev:
            turns = chats[chat]
            yield {
                "id": row["id"],
                "lang": "en",
                "history": turns[: int(place)],
                "utterance": plain(turns[int(place)]),
                "rewrite": row["rewrite"],
            }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the corpora")
    parser.add_argument("out", type=Path)
    parser.add_argument("--rewrites", type=Path, default=REWRITTEN)
    wanted = parser.parse_args()
    with wanted.out.open("w", encoding="utf-8") as out:
        for record in records(lines(wanted.rewrites), wanted.data):
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
