"""The distance of rules in plain Python, which anyone can see is right."""

from collections.abc import Sequence

from utterly.scripts.edits import Rule


def lcs_length(left: Sequence[str | None], right: Sequence[str | None]) -> int:
    """The length of the longest common subsequence, by the table of the textbook."""
    above = [0] * (len(right) + 1)
    for word in left:
        row = [0]
        for column, other in enumerate(right):
            row.append(above[column] + 1 if word == other else max(above[column + 1], row[column]))
        above = row
    return above[-1]


def slow_distance(left: Rule, right: Rule) -> float:
    both = len(left.parts) + len(right.parts)
    return 1 - 2 * lcs_length(left.parts, right.parts) / both if both else 0.0


def slow_distances(rows: Sequence[Rule], columns: Sequence[Rule]) -> list[list[float]]:
    return [[slow_distance(row, column) for column in columns] for row in rows]
