"""How good scripts are on dev: BLEU-4 and exact match on words, ignoring case. Like `data`, imports no torch."""

from collections.abc import Sequence

import numpy as np

from utterly.metrics.bleu import corpus_bleu
from utterly.scripts.edits import EditScript


def dev_scores(scripts: Sequence[EditScript]) -> tuple[float, float]:
    """BLEU-4 and exact match of scripts against the targets of their dialogues, 0 to 1."""
    rewrites, targets = zip(*map(_rewrite_and_target, scripts), strict=True)
    return corpus_bleu(rewrites, targets), float(np.mean([r == t for r, t in zip(rewrites, targets, strict=True)]))


def is_exact(script: EditScript) -> bool:
    rewrite, target = _rewrite_and_target(script)
    return rewrite == target


def _rewrite_and_target(script: EditScript) -> tuple[list[str], list[str]]:
    """The words of a script's rewrite and of its target, case-folded."""
    target = script.dialogue.target.words if script.dialogue.target else ()
    return [word.casefold() for word in script.words], [word.text.casefold() for word in target]
