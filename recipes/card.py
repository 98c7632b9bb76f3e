"""Write the card of an exported model: a template filled with its test scores and the size of its training data.

    python -m recipes.card MODEL CARD.md --scores SCORES.json --data chats.labels.jsonl more.labels.jsonl

SCORES.json is the output of `utterly evaluate --json`. In the template, `$bleu4` and `$em` are the scores, and `$chats`
is the number of turns in chats.labels.jsonl. The scores also replace those in the model's notes.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from string import Template

from utterly.errors import UtterlyError
from utterly.files import numbered_lines
from utterly.model.folder import CARD, ModelFolder, write_card_and_config


def filled(card: str, scores: Mapping[str, float], data: Iterable[Path]) -> str:
    """The card with its numbers filled in; every name in it must be known."""
    turns = {path.name.partition(".")[0].replace("-", "_"): sum(1 for _ in numbered_lines(path)) for path in data}
    figures = {"bleu4": f"{scores['BLEU-4']:.2f}", "em": f"{scores['EM']:.2f}"}
    return Template(card).substitute(figures | {name: f"{count:,}" for name, count in turns.items()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="folder of the exported model, to be updated")
    parser.add_argument("card", type=Path, help="the template")
    parser.add_argument("--scores", type=Path, required=True, help="scores of the test set")
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="label files it was trained on")
    wanted = parser.parse_args()
    overall = json.loads(wanted.scores.read_text(encoding="utf-8"))["report"]["overall"]
    scores = {name: round(overall[name]["value"], 2) for name in ("BLEU-4", "EM")}
    try:
        card = filled(wanted.card.read_text(encoding="utf-8"), scores, wanted.data)
        model = ModelFolder.read("", wanted.model)
        (test,) = model.config.notes["scores"]
        config = replace(model.config, notes={**model.config.notes, "scores": {test: scores}})
        write_card_and_config(model.path, config, card, files=tuple(set(model.files) - {CARD}))
    except KeyError as name:
        sys.exit(f"{wanted.card}: a card may name bleu4, em and its data by the name of the file, got {name}")
    except UtterlyError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
