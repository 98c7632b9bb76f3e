"""ROUGE-1, ROUGE-2 and ROUGE-L as the `rouge` package (1.0.1) defines them, F1 of each pair.

This is neither Lin's ROUGE nor that of `rouge-score`: n-grams are sets, so a repeated one counts once; full stops, even
the one in `3.5`, split a text into sentences and disappear; ROUGE-L counts the *distinct* words of one longest common
subsequence per pair of sentences. Published scores are computed this way.

A side without words scores 0, where the package raises. The package adds 1e-8 to the denominator; without that, equal
texts score exactly 1.
"""

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

VARIANTS: Final = ("1", "2", "L")


def rouge_f1(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """F1, 0 to 1, of ROUGE-1, ROUGE-2 and ROUGE-L for each pair: shape (pairs, 3).

    >>> rouge_f1([["is", "he", "swiss"]], [["is", "federer", "swiss"]]).round(3)
    array([[0.667, 0.   , 0.667]])
    """
    rows = [_pair(*map(_sentences, pair)) for pair in zip(hypotheses, references, strict=True)]
    return np.array(rows, dtype=np.float64).reshape(-1, len(VARIANTS))


def common_subsequence(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """The words of a longest common subsequence, last first; of several, the one that `rouge` picks.

    Bit-parallel (Hyyrö 2004). Bit j of row i is set if the subsequence of `left[:i]` and `right` grows at `right[j]`,
    so cell (i, j) of the textbook table is the number of bits below j.
    """
    places: dict[str, int] = {}
    for column, word in enumerate(right):
        places[word] = places.get(word, 0) | 1 << column
    full = (1 << len(right)) - 1
    rows, same = [0], full
    for word in left:
        hits = same & places.get(word, 0)
        same = (same + hits | same - hits) & full
        rows.append(full & ~same)
    shared = []
    i, j = len(left), len(right)
    while i and j:
        if left[i - 1] == right[j - 1]:
            shared.append(left[i - 1])
            i, j = i - 1, j - 1
        elif (rows[i - 1] & (1 << j) - 1).bit_count() > (rows[i] & (1 << j - 1) - 1).bit_count():
            i -= 1
        else:
            j -= 1
    return shared


def _sentences(words: Sequence[str]) -> list[list[str]]:
    # Spaces between two full stops become one empty word, as in the package.
    return [part.split() or [""] for part in " ".join(words).split(".") if part]


def _pair(hypothesis: list[list[str]], reference: list[list[str]]) -> tuple[float, float, float]:
    found, wanted = list(chain(*hypothesis)), list(chain(*reference))
    found_words, wanted_words = set(found), set(wanted)
    found_pairs, wanted_pairs = set(pairwise(found)), set(pairwise(wanted))
    in_order = {word for left in reference for right in hypothesis for word in common_subsequence(left, right)}
    return (
        _f1(len(found_words & wanted_words), len(found_words), len(wanted_words)),
        _f1(len(found_pairs & wanted_pairs), len(found_pairs), len(wanted_pairs)),
        _f1(len(in_order), len(found_words), len(wanted_words)),
    )


def _f1(shared: int, found: int, wanted: int) -> float:
    """2PR / (P + R) with P = shared / found and R = shared / wanted."""
    return 2 * shared / (found + wanted) if shared else 0.0
