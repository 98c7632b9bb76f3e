"""The bundled models pass at least so much of the acceptance set: below it, something broke.

The floors stand a little under what `python -m benchmarks.acceptance` prints; raise them with the models.
"""

from collections.abc import Callable

import pytest

from tests.acceptance.scoring import Case, Outcome, load_cases, run, tallies
from utterly import Rewriter


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    rewriter = Rewriter.load()
    return list(run(lambda turns: rewriter.rewrite(list(turns)).text, load_cases()))


@pytest.mark.parametrize(
    ("which", "floor"),
    [
        (lambda case: case.lang == "en", 0.78),
        (lambda case: case.lang == "zh", 0.78),
        (lambda case: case.lang == "en" and case.must_stay, 0.94),
        (lambda case: case.lang == "zh" and case.must_stay, 0.87),
    ],
    ids=["English", "Chinese", "English that must stay", "Chinese that must stay"],
)
def test_enough_passes(outcomes: list[Outcome], which: Callable[[Case], bool], floor: float) -> None:
    judged = [outcome for outcome in outcomes if which(outcome.case)]
    assert judged
    assert sum(outcome.passed for outcome in judged) / len(judged) >= floor


def test_leaving_every_turn_alone_would_not_pass(outcomes: list[Outcome]) -> None:
    needed = [outcome for outcome in outcomes if not outcome.case.must_stay]
    assert tallies(needed, lambda _: "all")["all"].passed > len(needed) / 2
