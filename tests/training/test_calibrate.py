"""Decode settings fitted to held-out dialogues."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from tests import tiny
from tests.networks.models import KINDS, untrained
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import TrainingError
from utterly.labels.extract import LabelExtractor
from utterly.labels.syntax import NoSyntax
from utterly.model.decode import ScoredScript, Signals
from utterly.model.settings import DecodeSettings
from utterly.scripts.edits import EditScript
from utterly.training.calibrate import (
    EMPTY_DELETE_COSTS,
    NULL_BIASES,
    STAY_PROBABILITIES,
    WEIGHINGS,
    Trial,
    fit_confidence,
    fit_curve,
    fit_decode,
    most_exact,
)
from utterly.training.dev_scores import dev_scores, worth_of

HELD_OUT = [each.script.dialogue for each in tiny.labels()]


@pytest.mark.parametrize("kind", KINDS)
def test_each_trial_is_what_the_model_scores_with_that_setting_and_the_best_comes_first(
    encoder_folder: Path, kind: str
) -> None:
    model = untrained(kind, encoder_folder).with_config(decode=DecodeSettings(beam=4))
    trials = fit_decode(model, HELD_OUT)
    grids = (NULL_BIASES, EMPTY_DELETE_COSTS, STAY_PROBABILITIES), (NULL_BIASES, WEIGHINGS)
    assert len(trials) == sum(math.prod(map(len, grid)) for grid in grids)
    assert len({trial.settings for trial in trials}) == len(trials)
    assert [trial.value for trial in trials] == sorted((trial.value for trial in trials), reverse=True)
    for trial in (trials[0], trials[20], trials[-1]):
        assert trial.settings.beam == 4
        scripts = [best[0].script for best in model.with_decode(trial.settings).scripts_in_batches(HELD_OUT)]
        assert (trial.bleu4, trial.exact) == pytest.approx([100 * score for score in dev_scores(scripts)])


def test_the_most_exact_setting_is_chosen_among_those_with_enough_bleu() -> None:
    scores = [(63.0, 36.0), (62.0, 37.0), (61.0, 37.0), (60.0, 38.0)]
    trials = [Trial(DecodeSettings(null_bias=float(i)), *each) for i, each in enumerate(scores)]
    chosen = {least: trials.index(most_exact(trials, least_bleu4=least)) for least in (63.0, 62.5, 61.0, 0.0)}
    assert chosen == {63.0: 0, 62.5: 0, 61.0: 1, 0.0: 3}
    with pytest.raises(TrainingError, match=r"no setting reaches 64\.5 BLEU-4, the best has 63; lower the limit"):
        most_exact(trials, least_bleu4=64.5)


def test_fitting_again_gives_the_same_settings(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    fitted = model.with_decode(replace(model.config.decode, candidates=32, temperature=2.0))
    assert fit_decode(fitted, HELD_OUT[:6]) == fit_decode(model, HELD_OUT[:6])


def test_the_same_trials_come_from_one_process_and_from_two(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    assert fit_decode(model, HELD_OUT[:6]) == fit_decode(model, HELD_OUT[:6], workers=2)


def test_a_source_too_long_for_the_encoder_is_left_out(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    long = Dialogue.of(["where " * 90], "where")
    assert fit_decode(model, [long, *HELD_OUT[:3]]) == fit_decode(model, HELD_OUT[:3])
    with pytest.raises(TrainingError, match="sources that fit the encoder, but all are too long"):
        fit_decode(model, [long])


@pytest.mark.parametrize("dialogues", [[], [*HELD_OUT, Dialogue.of(["why"])]])
def test_dialogues_without_a_target_are_refused(encoder_folder: Path, dialogues: list[Dialogue]) -> None:
    counts = f"{max(0, len(dialogues) - 1)} of {len(dialogues)}"
    with pytest.raises(
        TrainingError, match=f"fitting needs dialogues that all have a target, got {counts}; give held-"
    ):
        fit_decode(untrained("hct", encoder_folder), dialogues)


def test_confidence_says_how_often_a_rewrite_helps_rather_than_harms(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    found = [best[0] for best in model.scripts_in_batches(HELD_OUT)]
    dialogues = [
        d.with_target(each.script.apply() if i % 3 else "never said so")
        for i, (d, each) in enumerate(zip(HELD_OUT, found, strict=True))
    ]
    confidence = fit_confidence(model, dialogues)
    assert confidence is not None
    worth = sum(
        worth_of(replace(each.script, dialogue=dialogue)) for each, dialogue in zip(found, dialogues, strict=True)
    )
    calibrated = model.with_config(confidence=confidence)
    assert sum(map(calibrated.confidence, found)) == pytest.approx(worth, abs=0.1)


def scored(log_probability: float, **signals: float) -> ScoredScript:
    return ScoredScript(EditScript.unchanged(HELD_OUT[0]), log_probability, signals=Signals(changed=1.0, **signals))


def test_a_curve_uses_the_signals_that_tell_help_from_harm() -> None:
    scripts = [scored(-1.0 - i % 5, agreement=float(i % 2), stays=-(i % 7)) for i in range(140)]
    curve = fit_curve(scripts, [0.9 if i % 2 else 0.1 for i in range(140)])
    helps, harms = (curve.of(-3.0, Signals(changed=1.0, agreement=agreement, stays=-3)) for agreement in (1.0, 0.0))
    assert helps == pytest.approx(0.9, abs=0.02)
    assert harms == pytest.approx(0.1, abs=0.02)


def test_a_signal_that_would_count_the_wrong_way_is_left_out() -> None:
    scripts = [scored(-1.0 - i % 5, agreement=float(i % 2), stays=-(i % 7)) for i in range(140)]
    curve = fit_curve(scripts, [0.1 if i % 2 else 0.9 for i in range(140)])
    assert "agreement" not in curve.weights
    assert curve.slope >= 0


@pytest.mark.parametrize(
    ("rewrite", "target", "worth"),
    [
        ("is anna swiss ?", "is anna swiss ?", 1.0),
        ("is anna swiss ?", "is the puppy swiss ?", 0.0),
        ("is anna puppy swiss ?", "is anna swiss ?", 0.5),
        ("is anna ?", "is anna swiss ?", 0.5),
        ("is she swiss ?", "is she swiss ?", 1.0),
        ("is she swiss ?", "is anna swiss ?", 0.0),
    ],
)
def test_a_rewrite_is_worth_what_it_adds_and_loses(rewrite: str, target: str, worth: float) -> None:
    dialogue = Dialogue.of(["anna has a puppy .", "is she swiss ?"], target)
    labels = LabelExtractor(NoSyntax()).extract([dialogue.with_target(rewrite)])
    (script,) = (replace(each.script, dialogue=dialogue) for each in labels)
    assert worth_of(script) == worth


def test_without_a_right_rewrite_no_confidence_is_fitted(encoder_folder: Path) -> None:
    never = [dialogue.with_target("never said so") for dialogue in HELD_OUT[:4]]
    assert fit_confidence(untrained("hct", encoder_folder), never) is None
