"""A model: three steps, and how sure it is."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import tiny
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ModelError
from utterly.model.decode import ScoredScript, Signals
from utterly.model.encode import PieceEncoder, Pieces
from utterly.model.folder import ModelFolder, find_book
from utterly.model.model import Confidence, Model, ModelConfig
from utterly.model.scores import Scores
from utterly.scripts.edits import EditScript

UNCHANGED = EditScript.unchanged(Dialogue.of(["who ?"]))


class NoScorer:
    def read(self, pieces: Pieces) -> Scores:
        raise AssertionError(f"nothing is scored here, got {pieces}")


def model(confidence: Confidence | None) -> Model:
    config = ModelConfig(tagger="hct", confidence=confidence)
    return Model(config, tiny.BOOK, PieceEncoder(tiny.tokenizer()), NoScorer())


@given(st.floats(-1e6, 1e6), st.floats(-100, 100), st.floats(-100, 100))
def test_confidence_is_always_a_share(log_probability: float, slope: float, offset: float) -> None:
    scored = ScoredScript(UNCHANGED, log_probability)
    assert 0 <= model(Confidence(slope, offset)).confidence(scored) <= 1
    assert 0 <= model(None).confidence(scored) <= 1


def test_confidence_follows_the_curve_or_is_the_probability_itself() -> None:
    scored = ScoredScript(UNCHANGED, math.log(0.3))
    assert model(None).confidence(scored) == pytest.approx(0.3)
    assert model(None).confidence(ScoredScript(UNCHANGED, 0.2)) == 1.0
    expected = 1 / (1 + math.exp(-(0.5 * math.log(0.3) + 2)))
    assert model(Confidence(0.5, 2.0)).confidence(scored) == pytest.approx(expected)


def test_signals_weigh_in_and_all_that_is_not_named_counts_nothing() -> None:
    curve = Confidence(1.0, 0.5, {"agreement": 2.0, "stays": -0.5})
    signals = Signals(changed=1.0, agreement=0.75, mentions=3.0, deletion=-1.0, stays=-2.0)
    expected = 1 / (1 + math.exp(-(-1.0 + 0.5 + 2.0 * 0.75 + 0.5 * 2.0)))
    assert model(curve).confidence(ScoredScript(UNCHANGED, -1.0, signals=signals)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("curve", "wrong"),
    [
        ({"slope": 1, "offset": 0, "weights": {"charm": 1}}, "got charm"),
        ({"slope": 1, "offset": 0, "weights": {"stays": float("nan")}}, "must have finite numbers, got nan"),
        ({"slope": float("inf"), "offset": 0}, "must have finite numbers, got inf"),
    ],
)
def test_a_confidence_that_makes_no_sense_is_refused(curve: dict[str, object], wrong: str) -> None:
    with pytest.raises(ModelError, match=wrong):
        ModelConfig.from_json(ModelConfig(tagger="hct").to_json() | {"confidence": curve})


def test_a_config_comes_back_from_json() -> None:
    for curve in (None, Confidence(0.25, -1.0), Confidence(0.25, -1.0, {"agreement": 2.0})):
        config = ModelConfig(tagger="mst", language="zh", confidence=curve, min_confidence=0.3, notes={"made": "here"})
        assert ModelConfig.from_json(config.to_json()) == config
    with pytest.raises(ModelError, match=r"a setting is missing or wrong \('offset'\); save or export the model again"):
        ModelConfig.from_json(ModelConfig(tagger="hct").to_json() | {"confidence": {"slope": 1}})


@pytest.mark.parametrize("wrong", [-0.1, 1.1, "0.4", True, None])
def test_a_threshold_that_makes_no_sense_is_refused(wrong: object) -> None:
    with pytest.raises(ModelError, match=rf"min_confidence must be a number from 0 to 1, got {wrong!r}"):
        ModelConfig.from_json(ModelConfig(tagger="hct").to_json() | {"min_confidence": wrong})


def test_bundled_models_go_by_their_names_and_a_path_is_a_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert ModelFolder.find("en").language == "en"
    assert len(find_book("zh")) > 1
    with pytest.raises(ModelError, match=r"en: there is no such folder"):
        ModelFolder.find(Path("en"))
