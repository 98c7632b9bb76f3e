"""Scores of scripts on dev: BLEU-4, exact match, help and harm; on words, ignoring case. Imports no torch."""

from collections.abc import Iterable, Sequence

import numpy as np

from utterly.labels.function_words import is_content
from utterly.metrics.bleu import corpus_bleu
from utterly.scripts.edits import EditScript


def dev_scores(scripts: Sequence[EditScript]) -> tuple[float, float]:
    """BLEU-4 and exact match of scripts against the targets of their dialogues, 0 to 1."""
    rewrites, targets = zip(*map(rewrite_and_target, scripts), strict=True)
    return corpus_bleu(rewrites, targets), float(np.mean([r == t for r, t in zip(rewrites, targets, strict=True)]))


def is_exact(script: EditScript) -> bool:
    rewrite, target = rewrite_and_target(script)
    return rewrite == target


def worth_of(script: EditScript) -> float:
    """1 if a rewrite helps, 0 if it harms, 0.5 if neither; leaving a turn unchanged helps if its target adds nothing.

    Content words decide: adding words of the target helps, adding others or deleting words of the target harms.
    """
    rewrite, target = map(_content, rewrite_and_target(script))
    source = _content(word.text.casefold() for word in script.dialogue.source.words)
    if not script.has_changes:
        return float(target <= source)
    added = rewrite - source
    balance = len(added & target) - len(added - target) - len((source & target) - rewrite)
    return (1 + np.sign(balance)) / 2 if rewrite != target else 1.0


def _content(words: Iterable[str]) -> frozenset[str]:
    return frozenset(filter(is_content, words))


def rewrite_and_target(script: EditScript) -> tuple[list[str], list[str]]:
    """The words of a script's rewrite and of its target, case-folded."""
    target = script.dialogue.target.words if script.dialogue.target else ()
    return [word.casefold() for word in script.words], [word.text.casefold() for word in target]
