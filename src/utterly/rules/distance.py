"""How far apart two rules are, word by word: (insertions + deletions) / (length + length).

With L the length of the longest common subsequence that is 1 - 2 L / (length + length): 0 for equal rules,
1 for rules that share nothing. A slot counts as one word. RapidFuzz calls this the normalised indel distance.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from utterly.edits import Rule

Distances = npt.NDArray[np.float32]


def indel_distance(left: Rule, right: Rule) -> float:
    """The distance between two rules.

    >>> indel_distance(Rule.parse("in addition to _"), Rule.parse("in addition _"))
    0.14285714285714285
    """
    return Indel.normalized_distance(left.parts, right.parts)


def indel_distances(rows: Sequence[Rule], columns: Sequence[Rule], *, threads: int = -1) -> Distances:
    """The distance of every row rule to every column rule, by as many threads as there are cores."""
    letters: dict[str | None, str] = {}

    def spelled(rule: Rule) -> str:
        # One character per different part: RapidFuzz is fastest on strings.
        return "".join(letters.setdefault(part, chr(0x10000 + len(letters))) for part in rule.parts)

    distances: Distances = cdist(
        [spelled(rule) for rule in rows],
        [spelled(rule) for rule in columns],
        scorer=Indel.normalized_distance,
        dtype=np.float32,
        workers=threads,
    )
    return distances
