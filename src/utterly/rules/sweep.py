"""The paper's figure: how the threshold decides the number of rules, and that the oracle's scores."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from utterly.errors import RuleBookError
from utterly.extras import require
from utterly.files import bytes_written_whole
from utterly.labels.labels import Labels
from utterly.metrics import Report
from utterly.rules.book import RuleBook
from utterly.rules.build import build_book
from utterly.rules.cluster import Cluster
from utterly.rules.oracle import oracle
from utterly.rules.restrict import Restriction
from utterly.scripts.edits import Rule

PAPER_THRESHOLDS: Final = (0.00225, 0.005, 0.0075, 0.011)
ORACLE_SCORES: Final = ("BLEU-4", "EM")


class SweepPoint(NamedTuple):
    """The book of one threshold, and the scores of its oracle where there were labels to score."""

    threshold: float
    book: RuleBook
    scores: Report | None

    @property
    def rules(self) -> int:
        """The rules beside the null rule, as the paper counts them."""
        return len(self.book) - 1


def sweep(
    clusters: Sequence[Cluster],
    counts: Counter[Rule],
    thresholds: Iterable[float],
    *,
    max_slots: int = 3,
    oracle_labels: Sequence[Labels] | None = None,
) -> Iterator[SweepPoint]:
    """A point per threshold."""
    for threshold in thresholds:
        book = build_book(clusters, counts, threshold=threshold, max_slots=max_slots)
        scores = oracle(map(Restriction(book).restrict, oracle_labels)) if oracle_labels is not None else None
        yield SweepPoint(threshold, book, scores)


def parse_thresholds(text: str) -> tuple[float, ...]:
    """Thresholds as they are given on the command line.

    >>> parse_thresholds("0.005,0.01")
    (0.005, 0.01)
    """
    try:
        return tuple(map(float, text.split(",")))
    except ValueError:
        raise RuleBookError(
            f"thresholds must be numbers apart by commas, but {text!r} came; write them as 0.005,0.01"
        ) from None


def draw_sweep(points: Sequence[SweepPoint], path: Path | str) -> None:
    """The number of rules against the threshold, as a PNG, and the oracle's scores above it."""
    figure = require("matplotlib.figure", extra="labels").Figure(figsize=(6, 4), layout="constrained")
    rules_axis = figure.add_subplot()
    percent = [100 * point.threshold for point in points]
    rules_axis.plot(percent, [point.rules for point in points], "o-", color="tab:grey", label="rules")
    rules_axis.set(xlabel="threshold: % of phrases a cluster must cover", ylabel="rules beside the null rule")
    scored = [(100 * point.threshold, point.scores) for point in points if point.scores]
    if scored:
        scores_axis = rules_axis.twinx()
        scores_axis.set_ylabel("oracle, paper mode")
        for name, style in zip(ORACLE_SCORES, ("s--", "^--"), strict=True):
            values = [scores[name].value for _, scores in scored]
            scores_axis.plot([at for at, _ in scored], values, style, label=f"oracle {name}")
    figure.legend(loc="outside upper center", ncols=1 + len(ORACLE_SCORES))
    with bytes_written_whole(path) as picture:
        figure.savefig(picture, format="png", dpi=150)
