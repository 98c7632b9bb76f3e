"""Score Pro-Sub on dev and save it. It learns nothing."""

import json
import math
from pathlib import Path

from utterly.baselines.pro_sub import KIND, ProSub
from utterly.errors import TrainingError
from utterly.model.model import Confidence, ModelConfig
from utterly.training.data import read_dev
from utterly.training.dev_scores import dev_scores
from utterly.training.recipe import Recipe, Report


def train(recipe: Recipe, *, report: Report | None = None) -> ProSub:  # noqa: ARG001 - there are no epochs to report
    """Write a run's folder as training does: `model`, and `log.jsonl` with the scores on dev."""
    dev = read_dev(recipe.data.dev, recipe.training.dev_limit)
    if not dev:
        raise TrainingError(f"{recipe.data.dev}: dev needs dialogues with a rewrite, got none; check data.dev")
    config = ModelConfig(tagger=KIND, language=dev[0].language, topic_turns=recipe.tagger.topic_turns)
    bleu, exact = dev_scores([ProSub(config).scripts(dialogue)[0].script for dialogue in dev])
    event = {"dev": len(dev), "dev_bleu4": round(100 * bleu, 2), "dev_em": round(100 * exact, 2)}
    share = min(max(exact, 0.01), 0.99)  # so its log odds are finite
    found = ProSub(config).with_config(
        confidence=Confidence(0.0, math.log(share / (1 - share))), notes={"recipe": recipe.to_dict(), "dev": event}
    )
    found.save(Path(recipe.out) / "model")
    (Path(recipe.out) / "log.jsonl").write_text(json.dumps(event) + "\n", encoding="utf-8")
    return found
