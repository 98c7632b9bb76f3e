"""What the list of function words does to labels: phrases by what says them, and the number of distinct rules.

Neither needs a model nor a score; how far scripts with few rules get is in quality.md.

    python -m benchmarks.function_words runs/canard-train.jsonl    # as `utterly convert` writes it
"""

import argparse
from collections import Counter
from itertools import islice
from pathlib import Path

from utterly.dialogues import read_jsonl
from utterly.edits import NULL_RULE, Rule
from utterly.labels.coverage import Coverage, Says
from utterly.labels.extract import LabelExtractor
from utterly.labels.function_words import FUNCTION_WORDS
from utterly.labels.syntax import NoSyntax


def main() -> None:
    parser = argparse.ArgumentParser(description="Labels with and without the list of function words.")
    parser.add_argument("dialogues", type=Path)
    path: Path = parser.parse_args().dialogues
    for name, words in (("full list", FUNCTION_WORDS), ("no list", frozenset[str]())):
        coverage, rules = count(path, words)
        phrases = coverage.phrases.total()
        spans = sum(slots * n for slots, n in coverage.slots.items())
        often = [(rule, n) for rule, n in rules.most_common() if n >= 0.005 * phrases]
        print(f"{name}, {coverage.settings}, {phrases:,} phrases")
        print("  by " + ", ".join(f"{kind} {coverage.phrases[kind] / phrases:.1%}" for kind in Says))
        print(f"  {spans / phrases:.2f} spans and {coverage.rule_words / phrases:.2f} rule words a phrase")
        print(f"  {len(rules):,} distinct rules, of which {len(often)} are the rule of at least 0.5 % of the phrases:")
        print("  " + ", ".join(f"`{rule}` {n:,}" for rule, n in often))


def count(path: Path, function_words: frozenset[str]) -> tuple[Coverage, Counter[Rule]]:
    extractor = LabelExtractor(NoSyntax(), function_words=function_words)
    coverage, rules = Coverage("syntax:none"), Counter[Rule]()
    dialogues = read_jsonl(path)
    while batch := list(islice(dialogues, 64)):
        for labels in extractor.extract(batch):
            coverage.add(labels)
            rules.update(edit.rule for edit in labels.script.edits if edit.rule != NULL_RULE)
    return coverage, rules


if __name__ == "__main__":
    main()
