"""The distance of two rules, word by word: (insertions + deletions) / (length + length).

With L the length of the longest common subsequence, that is 1 - 2 L / (length + length): 0 for equal rules, 1 for rules
with nothing in common. A slot counts as one word. RapidFuzz calls this the normalised indel distance.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from utterly.extras import require
from utterly.scripts.edits import Rule

Distances = npt.NDArray[np.float32]


def indel_distance(left: Sequence[str | None], right: Sequence[str | None]) -> float:
    """The distance between two rules, given as parts, or between two phrases.

    >>> round(indel_distance(("in", "addition", "to", None), ("in", "addition", None)), 4)  # 1 / (4 + 3)
    0.1429
    """
    distance: float = require("rapidfuzz.distance", extra="labels").Indel.normalized_distance(left, right)
    return distance


def indel_distances(rows: Sequence[Rule], columns: Sequence[Rule]) -> Distances:
    """The distance of every row to every column, computed on all cores."""
    letters: dict[str | None, str] = {}

    def spelled(rule: Rule) -> str:
        # One character per different part: RapidFuzz is fastest on strings.
        return "".join(letters.setdefault(part, chr(0x10000 + len(letters))) for part in rule.parts)

    distances: Distances = require("rapidfuzz.process", extra="labels").cdist(
        [spelled(rule) for rule in rows],
        [spelled(rule) for rule in columns],
        scorer=require("rapidfuzz.distance", extra="labels").Indel.normalized_distance,
        dtype=np.float32,
        workers=-1,
    )
    return distances


def nearest_rule(rule: Rule, candidates: Iterable[Rule]) -> Rule:
    """The nearest candidate with as many slots as the rule; ties go to the first."""
    same_slots = (candidate for candidate in candidates if candidate.slots == rule.slots)
    return min(same_slots, key=lambda candidate: indel_distance(rule.parts, candidate.parts))
