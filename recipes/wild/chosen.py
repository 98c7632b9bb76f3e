"""The labels of machine-made dialogues that are worth learning from.

    python -m recipes.wild.chosen LABELS.jsonl OUT.jsonl --recipe recipes/bundled-en.toml --unchanged 0.5

A label is left out where its script misses the target in the rules of the recipe's book, or copies a span that no good
rewrite copies: too long, of function words only, or outside the window that the tagger reads. Of turns that stay as
they are a share is taken.
"""

import argparse
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from utterly.errors import PiecesError
from utterly.files import written_whole
from utterly.labels.function_words import worth_a_span
from utterly.labels.labels import Labels, labels_to_json, read_labels
from utterly.model.encode import PieceEncoder
from utterly.model.folder import find_book
from utterly.rules.book import RuleBook
from utterly.rules.restrict import Restriction
from utterly.training.dev_scores import is_exact
from utterly.training.recipe import Recipe

MOST_WORDS: Final = 14  # of a span


def chosen(
    labels: Iterable[Labels], book: RuleBook, encoder: PieceEncoder, rng: random.Random, *, unchanged: float
) -> Iterator[Labels]:
    restriction = Restriction(book)
    for each in labels:
        if not each.script.has_changes and rng.random() >= unchanged:
            continue
        restricted = restriction.restrict(each)
        if is_exact(restricted.script) and _copies_well(restricted, encoder):
            yield each


def _copies_well(labels: Labels, encoder: PieceEncoder) -> bool:
    dialogue = labels.script.dialogue
    try:
        pieces = encoder.encode(dialogue)
    except PiecesError:
        return False
    for mentions in (spans for slots in labels.mentions for spans in slots):
        words = tuple(mentions[0].words_in(dialogue))
        if len(words) > MOST_WORDS or not worth_a_span(words) or not any(map(pieces.ends_of, mentions)):
            return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--recipe", type=Path, required=True, help="whose book, encoder and window decide")
    parser.add_argument("--unchanged", type=float, default=1.0, help="share of turns that stay (default: 1)")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    rng, recipe = random.Random(wanted.seed), Recipe.read(wanted.recipe)  # noqa: S311 - no secret
    tagger = recipe.tagger
    encoder = PieceEncoder.from_folder(
        tagger.encoder, max_length=tagger.max_length, topic_turns=tagger.topic_turns, window=tagger.window
    )
    some = chosen(read_labels(wanted.labels), find_book(recipe.data.book), encoder, rng, unchanged=wanted.unchanged)
    with written_whole(wanted.out) as out:
        out.writelines(json.dumps(labels_to_json(each), ensure_ascii=False) + "\n" for each in some)


if __name__ == "__main__":
    main()
