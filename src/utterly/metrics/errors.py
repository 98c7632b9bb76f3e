"""The kinds of error in a rewrite, found by comparing it with its target word by word.

Rewrite and target are aligned by their longest common subsequence. Between aligned words are *differences*: words that
only the target has (missing) and words that only the rewrite has (extra). A missing or extra word is from the source if
it is aligned to a source word, else it was added; an added word is content unless it is a function word or a mark.
`MEANINGS` defines each kind.

A rewrite may have several kinds. All but *harmful* are decided one difference at a time, so a rewrite has one of them
if and only if its words are not the target's.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from utterly.labels.function_words import worth_a_span
from utterly.labels.lcs import aligned_pairs
from utterly.metrics.bleu import sentence_bleu

Words = Sequence[str]


class ErrorKind(StrEnum):
    UNDER_INSERTED = "under-inserted"
    WRONG_SPAN = "wrong span"
    WRONG_RULE = "wrong rule"
    DELETED = "deleted"
    KEPT = "kept"
    AGREEMENT = "agreement"
    HARMFUL = "harmful"


MEANINGS: Final = {
    ErrorKind.UNDER_INSERTED: "the target adds content here, the rewrite adds none",
    ErrorKind.WRONG_SPAN: "the rewrite adds content here that the target does not have",
    ErrorKind.WRONG_RULE: "what is added here differs, but only in function words or marks, such as “besides” or “'s”",
    ErrorKind.DELETED: "the target has a word of the source here, the rewrite does not",
    ErrorKind.KEPT: "the rewrite has a word of the source here, the target does not, and nothing is missing",
    ErrorKind.AGREEMENT: "a word is here in another form, such as “was” for “were”",
    ErrorKind.HARMFUL: "the rewrite is farther from the target than the source is, by sentence BLEU",
}

_FORMS: Final = {
    form: number
    for number, forms in enumerate(
        (
            "be am is are was were been being 'm 're",
            "have has had having 've",
            "do does did done doing",
            "go goes went gone going",
            "can could",
            "will would 'll",
            "this these",
            "that those",
            "a an",
        )
    )
    for form in forms.split()
}
_ENDINGS: Final = frozenset(["", "e", "s", "es", "d", "ed", "ing", "y", "ies", "ied"])
_SHORTEST_STEM: Final = 3


def losses(rewrites: Sequence[Words], targets: Sequence[Words]) -> NDArray[np.float64]:
    """How far each rewrite is from its target, 0 to 1: 1 less the sentence BLEU-4 that training rewards."""
    return 1.0 - sentence_bleu(rewrites, targets)


def error_kinds(source: Words, target: Words, rewrite: Words) -> frozenset[ErrorKind]:
    """The kinds of error in one rewrite. Words must be lower-cased.

    >>> source, target = "did he win ?".split(), "did the band win ?".split()
    >>> [*map(str, sorted(error_kinds(source, target, "did win ?".split())))]
    ['harmful', 'under-inserted']
    """
    if rewrite == target:
        return frozenset()
    rewrite_loss, source_loss = losses([rewrite, source], [target, target])
    kinds = frozenset(_kinds(source, target, rewrite))
    return kinds | {ErrorKind.HARMFUL} if rewrite_loss > source_loss else kinds


def same_word(left: str, right: str) -> bool:
    """Whether two words look like forms of the same word.

    >>> same_word("injury", "injuries"), same_word("making", "made"), same_word("was", "were"), same_word("his", "hit")
    (True, False, True, False)
    """
    if left in _FORMS or right in _FORMS:
        return _FORMS.get(left) == _FORMS.get(right)
    return any(
        left[:stem] == right[:stem] and left[stem:] in _ENDINGS and right[stem:] in _ENDINGS
        for stem in range(_SHORTEST_STEM, min(len(left), len(right)) + 1)
    )


def _kinds(source: Words, target: Words, rewrite: Words) -> Iterator[ErrorKind]:
    """The kinds of each difference between rewrite and target."""
    target_kept, rewrite_kept = ({j for _, j in aligned_pairs(source, text)} for text in (target, rewrite))
    i = j = 0
    for next_i, next_j in (*aligned_pairs(rewrite, target), (len(rewrite), len(target))):
        extra, missing = set(range(i, next_i)), set(range(j, next_j))
        for k, m in product(sorted(extra), sorted(missing)):
            if k in extra and m in missing and same_word(rewrite[k], target[m]):
                extra.remove(k)
                missing.remove(m)
                yield ErrorKind.AGREEMENT
        added, wanted = [rewrite[k] for k in extra - rewrite_kept], [target[m] for m in missing - target_kept]
        if worth_a_span(added):
            yield ErrorKind.WRONG_SPAN
        elif worth_a_span(wanted):
            yield ErrorKind.UNDER_INSERTED
        elif added or wanted:
            yield ErrorKind.WRONG_RULE
        if missing & target_kept:
            yield ErrorKind.DELETED
        if extra and not added and not missing:
            yield ErrorKind.KEPT
        i, j = next_i + 1, next_j + 1
