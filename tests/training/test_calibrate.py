"""Decode settings fitted to held-out dialogues."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests import tiny
from tests.taggers.models import KINDS, untrained
from utterly.decode import DecodeSettings
from utterly.dialogues import Dialogue
from utterly.errors import TrainingError
from utterly.training.calibrate import CANDIDATES, EMPTY_DELETE_COSTS, NULL_BIASES, fit_decode
from utterly.training.trials import dev_scores

HELD_OUT = [each.script.dialogue for each in tiny.labels()]


@pytest.mark.parametrize("kind", KINDS)
def test_each_trial_is_what_the_model_scores_with_that_setting_and_the_best_comes_first(
    encoder_folder: Path, kind: str
) -> None:
    model = replace(untrained(kind, encoder_folder), decode=DecodeSettings(beam=4))
    trials = fit_decode(model, HELD_OUT)
    assert len(trials) == len(NULL_BIASES) * len(EMPTY_DELETE_COSTS) * len(CANDIDATES)
    assert [trial.value for trial in trials] == sorted((trial.value for trial in trials), reverse=True)
    for trial in (trials[0], trials[20], trials[-1]):
        assert trial.settings.beam == 4
        scripts = [best[0].script for best in model.with_decode(trial.settings).predict(HELD_OUT)]
        assert (trial.bleu4, trial.exact) == pytest.approx([100 * score for score in dev_scores(scripts)])


def test_the_same_trials_come_from_one_process_and_from_two(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    assert fit_decode(model, HELD_OUT[:6]) == fit_decode(model, HELD_OUT[:6], workers=2)


def test_a_source_too_long_for_the_encoder_is_left_out(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    long = Dialogue.of(["where " * 90], "where")
    assert fit_decode(model, [long, *HELD_OUT[:3]]) == fit_decode(model, HELD_OUT[:3])
    with pytest.raises(TrainingError, match="a source that fits the encoder, but all are too long"):
        fit_decode(model, [long])


@pytest.mark.parametrize("dialogues", [[], [*HELD_OUT, Dialogue.of(["why"])]])
def test_dialogues_without_a_target_are_refused(encoder_folder: Path, dialogues: list[Dialogue]) -> None:
    with pytest.raises(TrainingError, match="fitting needs dialogues, each with a target; give held-out dialogues"):
        fit_decode(untrained("hct", encoder_folder), dialogues)
