"""Write the dialogues that the English model's confidence is fitted to: turns that no tagger is trained on.

    python -m recipes.confidence $DATA HELD.jsonl CHATS.jsonl OUT.jsonl
    utterly calibrate MODEL OUT.jsonl --keep-decoding

Chats with long answers: CAsT 2021, iKAT 2023 (without persona), MTRAG dev, the half of `benchmarks/chats` for
choosing, and the held-out part of the chats written for training. Others: CoQAR, and the held-out part of CANARD
without its titles, which chats do not have. Up to seven numbers are fitted to them; `benchmarks/log.md` has the results
on chats that were not used.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.chats.chats import load_chats
from benchmarks.retrieval.sets import json_lines

TITLES: Final = 2  # before CANARD's dialogues
SETS: Final = {"cast2021": "rewrite", "ikat2023_test": "rewrite", "mtrag_dev": "llm_rewrite"}  # field of the reference


def dialogues(data: Path, held: Path, chats: Path) -> Iterator[tuple[list[str], str, str]]:
    """Context, source and target."""
    for name, reference in SETS.items():
        for row in json_lines(data / f"wild/{name}.jsonl.gz"):
            if row.get(reference) and not row.get("needs_persona"):
                yield row["history"], row["utterance"], row[reference]
    for chat in load_chats(half="choose"):
        if chat.lang == "en":
            yield [*chat.turns], chat.source, chat.source if chat.stays else chat.examples[0]
    for row in json_lines(chats):
        yield row["history"], row["utterance"], row["rewrite"]
    for row in json_lines(data / "wild/coqar_sample.jsonl.gz"):
        yield row["history"], row["utterance"], row["rewrites"][0]
    for row in json_lines(held):
        yield row["history"][TITLES:], row["utterance"], row["rewrite"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the corpora")
    parser.add_argument("held", type=Path, help="held-out dialogues of CANARD with their titles, as JSON lines")
    parser.add_argument("chats", type=Path, help="held-out chats written for training, as JSON lines")
    parser.add_argument("out", type=Path)
    wanted = parser.parse_args()
    with wanted.out.open("w", encoding="utf-8") as out:
        for history, utterance, rewrite in dialogues(wanted.data, wanted.held, wanted.chats):
            if history:
                row = {"lang": "en", "history": history, "utterance": utterance, "rewrite": rewrite}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
