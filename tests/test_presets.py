"""Presets: how sure a model must be, in one word, and that the higher of preset and threshold counts."""

import asyncio
import json
import re
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from utterly import Rewriter, RewriterError
from utterly.model.folder import bundled_folders
from utterly.presets import Preset
from utterly.rewriter import RewriteOptions

SURE = ["Who wrote Dune?", "Frank Herbert.", "When was it published?"]


def test_presets_are_surer_and_surer() -> None:
    assert [preset.min_confidence for preset in Preset] == sorted(preset.min_confidence for preset in Preset)
    assert Preset.EAGER.min_confidence == 0


@pytest.mark.parametrize(
    ("preset", "given", "counts"),
    [("eager", 0.0, 0.0), ("balanced", 0.0, 0.4), ("careful", 0.1, 0.7), (Preset.CAREFUL, 0.9, 0.9)],
)
def test_the_higher_of_preset_and_threshold_counts(preset: str, given: float, counts: float) -> None:
    assert RewriteOptions(min_confidence=given).with_preset(preset).min_confidence == counts


def test_every_call_takes_a_preset() -> None:
    rewriter = Rewriter.load("en")
    eager = rewriter.rewrite(SURE, preset="eager")
    assert eager.changed
    assert RewriteOptions().with_preset(None).min_confidence is None
    for preset in Preset:
        held_back = eager.confidence < preset.min_confidence
        results = [rewriter.rewrite(SURE, preset=preset), *rewriter.rewrite_many([SURE], preset=preset.value)]
        results.append(asyncio.run(rewriter.arewrite(SURE, preset=preset)))
        assert {result.abstained for result in results} == {held_back}
    assert rewriter.rewrite(SURE, preset="careful", min_confidence=1.0).abstained


def test_the_page_has_the_same_thresholds() -> None:
    script = (files("utterly.server") / "page" / "snippets.js").read_text(encoding="utf-8")
    (thresholds,) = re.findall(r"LEAST_CONFIDENCE = \{(.*?)\}", script)
    found = {name: float(value) for name, value in re.findall(r"(\w+): ([\d.]+)", thresholds)}
    assert found == {preset.value: preset.min_confidence for preset in Preset}


@pytest.mark.parametrize("name", ["en", "zh"])
def test_bundled_models_are_balanced_by_default(name: str) -> None:
    config = json.loads((bundled_folders()[name] / "config.json").read_text(encoding="utf-8"))
    assert config["min_confidence"] == Preset.BALANCED.min_confidence


def test_a_models_own_threshold_counts_if_none_is_asked_for(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(bundled_folders()["en"], tmp_path / "model"))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"min_confidence": 0.99}), encoding="utf-8")
    rewriter = Rewriter.load(folder)
    held_back = rewriter.rewrite(SURE)
    assert (held_back.text, held_back.abstained) == (SURE[-1], True)
    assert held_back.reason == f"confidence {held_back.confidence:.2f} is below 0.99"
    for result in (rewriter.rewrite(SURE, preset="eager"), rewriter.rewrite(SURE, min_confidence=0.0)):
        assert (result.changed, result.abstained) == (True, False)


@pytest.mark.parametrize("name", ["bold", "", 3])
def test_an_unknown_preset_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(RewriterError, match=f"^preset must be one of eager, balanced, careful, got {name!r}$"):
        RewriteOptions().with_preset(name)
