"""How many gold constituents each syntax provider finds: unlabelled precision and recall.

A constituent is a set of characters: what counts are those of several words, each once (unary chains and empty
elements collapse), without the whole sentence, which nobody can miss. Gold words are joined by blanks and split
again by us, so that a provider reads what it would read in a dialogue.

    python -m benchmarks.constituents --data FOLDER    # with syntax/ewt_dev.jsonl.gz
"""

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations
from pathlib import Path
from typing import NamedTuple

from utterly.dialogues.words import split_words
from utterly.files import numbered_lines
from utterly.labels.syntax import load_syntax

Range = tuple[int, int]


class Sentence(NamedTuple):
    text: str
    gold: frozenset[Range]  # in characters


def main() -> None:
    parser = argparse.ArgumentParser(description="Unlabelled precision and recall of constituents.")
    parser.add_argument("--data", type=Path, required=True, help="folder with syntax/ewt_dev.jsonl.gz")
    parser.add_argument("--syntax", nargs="*", default=["none", "spacy"], help="providers, as for `utterly label`")
    options = parser.parse_args()
    sentences = list(read(options.data / "syntax" / "ewt_dev.jsonl.gz"))
    print(f"{len(sentences):,} sentences, {sum(len(s.gold) for s in sentences):,} constituents of several words")
    for name in options.syntax:
        syntax = load_syntax(name)
        parses = syntax.parse([s.text for s in sentences])
        found = [
            found_constituents(s.text, every_range(s.text) if parse.constituents is None else parse.constituents)
            for s, parse in zip(sentences, parses, strict=True)
        ]
        report(syntax.version, sentences, found)


def report(name: str, sentences: list[Sentence], found: list[frozenset[Range]]) -> None:
    right = sum(len(s.gold & ranges) for s, ranges in zip(sentences, found, strict=True))
    precision, recall = right / sum(map(len, found)), right / sum(len(s.gold) for s in sentences)
    f1 = 2 * precision * recall / (precision + recall)
    print(f"{name:50} precision {precision:6.2%}  recall {recall:6.2%}  F1 {f1:6.2%}")


def read(path: Path) -> Iterator[Sentence]:
    for _, line in numbered_lines(path):
        row = json.loads(line)
        if len(row["words"]) > 1:
            yield Sentence(" ".join(row["words"]), gold_constituents(row["tree"], row["words"]))


def gold_constituents(tree: str, words: list[str]) -> frozenset[Range]:
    """The ranges of a bracketed tree, whose leaves are the words in order."""
    ranges, open_at, at = [], [], 0
    for bracket, leaf in re.findall(r"(\(\S*|\))|([^\s()]+)", tree):  # a bracket opens with its label
        if leaf:
            at += 1
        elif bracket != ")":
            open_at.append(at)
        else:
            ranges.append((open_at.pop(), at))
    assert at == len(words), tree
    stops = list(accumulate(len(word) + 1 for word in words))  # of each word, and the blank after it
    edges = [(stop - len(word) - 1, stop - 1) for word, stop in zip(words, stops, strict=True)]
    return in_characters(ranges, edges)


def found_constituents(text: str, ranges: Iterable[Range]) -> frozenset[Range]:
    """Ranges of our words of a text."""
    return in_characters(ranges, [(word.start, word.stop) for word in split_words(text)])


def in_characters(ranges: Iterable[Range], words: Sequence[Range]) -> frozenset[Range]:
    """Ranges of several words, but not of all, as ranges of characters."""
    return frozenset((words[i][0], words[k - 1][1]) for i, k in ranges if 1 < k - i < len(words))


def every_range(text: str) -> list[Range]:
    return list(combinations(range(len(split_words(text)) + 1), 2))


if __name__ == "__main__":
    main()
