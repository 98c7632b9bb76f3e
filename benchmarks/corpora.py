"""The corpora as benchmarks use them: dialogues by corpus and split, and labels for them."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from utterly.dialogues import Dialogue, read_canard, read_jsonl, read_rewrite
from utterly.labels.extract import LabelExtractor
from utterly.labels.labels import Labels
from utterly.labels.parse_cache import CachedSyntax
from utterly.labels.syntax import load_syntax

_AT_ONCE: Final = 500
Read = Callable[[Path], Iterator[Dialogue]]


class Corpus(NamedTuple):
    """Where rules come from (`train`), and what settings are chosen on (`dev`) and reported on (`test`)."""

    train: Read
    dev: Read
    test: Read


def mudoco_rules(folder: Path) -> Iterator[Dialogue]:
    """Four of six train domains are not to be had, so rules come from dev too."""
    return chain(*(read_jsonl(folder / "mudoco" / f"{name}.jsonl.gz") for name in ("train_news_weather", "dev")))


CORPORA: Final = {
    # Train lost its titles; guessed ones stand in. Dev and test have the true ones.
    "canard": Corpus(
        train=lambda folder: read_canard(folder / "canard" / "train.jsonl.gz", guessed_titles=True),
        dev=lambda folder: read_canard(folder / "canard" / "dev.json.gz"),
        test=lambda folder: read_canard(folder / "canard" / "test.jsonl.gz"),
    ),
    "mudoco": Corpus(
        train=mudoco_rules,
        dev=lambda folder: read_jsonl(folder / "mudoco" / "dev.jsonl.gz"),
        test=lambda folder: read_jsonl(folder / "mudoco" / "test.jsonl.gz"),
    ),
    "rewrite": Corpus(
        train=lambda folder: read_rewrite(folder / "rewrite" / "corpus.txt.gz", split="train"),
        dev=lambda folder: read_rewrite(folder / "rewrite" / "corpus.txt.gz", split="dev"),
        test=lambda folder: read_rewrite(folder / "rewrite" / "corpus.txt.gz", split="test"),
    ),
}


def labelled(dialogues: Iterator[Dialogue], syntax: str) -> list[Labels]:
    """Labels with a syntax provider by its name; parses are kept in the user's cache."""
    extractor = LabelExtractor(CachedSyntax(load_syntax(syntax)) if syntax != "none" else load_syntax(syntax))
    everything: Sequence[Dialogue] = list(dialogues)
    return [
        labels
        for start in range(0, len(everything), _AT_ONCE)
        for labels in extractor.extract(everything[start : start + _AT_ONCE])
    ]
