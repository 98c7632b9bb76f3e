"""Confidence: a curve from log probabilities to how often they are right."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utterly.errors import ModelError
from utterly.model.confidence import Confidence, confidence_from_json, raw_confidence


@given(st.floats(-1e6, 1e6), st.floats(-100, 100), st.floats(-100, 100))
def test_it_is_always_a_share(log_probability: float, slope: float, offset: float) -> None:
    assert 0 <= Confidence(slope, offset)(log_probability) <= 1
    assert 0 <= raw_confidence(log_probability) <= 1


def test_fitting_finds_the_curve_that_the_answers_came_from() -> None:
    rng = random.Random(0)  # noqa: S311 - no secret
    truth = Confidence(0.7, 1.5)
    places = [-rng.expovariate(0.3) for _ in range(20_000)]
    right = [rng.random() < truth(place) for place in places]
    found = Confidence.fit(places, right)
    assert found.slope == pytest.approx(0.7, abs=0.05)
    assert found.offset == pytest.approx(1.5, abs=0.05)
    assert sum(map(found, places)) == pytest.approx(sum(right), rel=1e-3)


@given(st.lists(st.tuples(st.floats(-50, 0), st.booleans()), min_size=2))
def test_fitting_gives_a_curve_wherever_some_are_right_and_some_are_not(answers: list[tuple[float, bool]]) -> None:
    places, right = [place for place, _ in answers], [hit for _, hit in answers]
    if len(set(right)) == 1:
        with pytest.raises(ModelError, match="needs rewrites that are right and some that are not"):
            Confidence.fit(places, right)
    else:
        curve = Confidence.fit(places, right)
        assert math.isfinite(curve.slope)
        assert math.isfinite(curve.offset)


def test_a_model_keeps_it_as_json() -> None:
    curve = Confidence(0.25, -1.0)
    assert confidence_from_json(curve.to_json()) == curve
    assert confidence_from_json(None) is None
    with pytest.raises(ModelError, match=r"an object with the numbers slope and offset, but \{'slope': 1\} came"):
        confidence_from_json({"slope": 1})


def test_without_a_curve_the_probability_itself_is_taken() -> None:
    assert raw_confidence(math.log(0.3)) == pytest.approx(0.3)
    assert raw_confidence(0.2) == 1.0
