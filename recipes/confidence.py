"""Dialogues that the confidence of the English model is fitted to: turns that no tagger learns from.

    python -m recipes.confidence $DATA HELD.jsonl OUT.jsonl
    utterly calibrate MODEL OUT.jsonl --keep-decoding

Chats with long answers: CAsT 2021, iKAT 2023 (without persona), MTRAG dev, and the half of `benchmarks/chats` that
chooses. Others: CoQAR, and the held-out part of CANARD without its titles, as chats have none. Seven numbers are fitted
to them; how well they do on chats that had no part in it is in `benchmarks/log.md`.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.chats.chats import load_chats

from utterly.files import opened

TITLES: Final = 2  # before CANARD's dialogues
SETS: Final = {"cast2021": "rewrite", "ikat2023_test": "rewrite", "mtrag_dev": "llm_rewrite"}  # field of the reference


def dialogues(data: Path, held: Path) -> Iterator[tuple[list[str], str, str]]:
    """Context, source and target."""
    for name, reference in SETS.items():
        for row in _rows(data / f"wild/{name}.jsonl.gz"):
            if row.get(reference) and not row.get("needs_persona"):
                yield row["history"], row["utterance"], row[reference]
    for chat in load_chats(half="choose"):
        if chat.lang == "en":
            yield [*chat.turns], chat.source, chat.source if chat.stays else chat.examples[0]
    for row in _rows(data / "wild/coqar_sample.jsonl.gz"):
        yield row["history"], row["utterance"], row["rewrites"][0]
    for row in _rows(held):
        yield row["history"][TITLES:], row["utterance"], row["rewrite"]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with opened(path) as file:
        yield from map(json.loads, file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the corpora")
    parser.add_argument("held", type=Path, help="held-out dialogues of CANARD with their titles, as JSON lines")
    parser.add_argument("out", type=Path)
    wanted = parser.parse_args()
    with wanted.out.open("w", encoding="utf-8") as out:
        for history, utterance, rewrite in dialogues(wanted.data, wanted.held):
            if history:
                row = {"lang": "en", "history": history, "utterance": utterance, "rewrite": rewrite}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
