"""Files of predictions: what a tagger made of dialogues, ready to be scored.

A line is the dialogue (see `utterly.dialogues.jsonl`) with its right rewrite, where that is known, as `target`, and

    rewrite           how the source reads on its own, as predicted
    log_probability   of the script that says so
    edits             that script (see `utterly.scripts.serialize`)
    reason            why the source had to stay as it is            (only there)
    alternatives      the next best, each with the first three       (only where several were asked for)
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from utterly.dialogues.jsonl import dialogue_to_json
from utterly.files import written_whole
from utterly.model.decode import ScoredScript
from utterly.scripts.serialize import script_to_json


def write_predictions(path: Path | str, answers: Iterable[Sequence[ScoredScript]]) -> int:
    """Write the scripts of each dialogue, best first, as they come; returns how many dialogues there were."""
    count = 0
    with written_whole(path) as file:
        for count, scripts in enumerate(answers, start=1):  # noqa: B007 - counts
            file.write(json.dumps(prediction_to_json(scripts), ensure_ascii=False) + "\n")
    return count


def prediction_to_json(scripts: Sequence[ScoredScript]) -> dict[str, Any]:
    """A line, from the scripts of one dialogue, best first."""
    best, *others = scripts
    dialogue = dialogue_to_json(best.script.dialogue)
    if "rewrite" in dialogue:
        dialogue["target"] = dialogue.pop("rewrite")
    line = dialogue | _scored(best)
    if best.reason:
        line["reason"] = best.reason
    if others:
        line["alternatives"] = [_scored(other) for other in others]
    return line


def _scored(scored: ScoredScript) -> dict[str, Any]:
    return {
        "rewrite": scored.script.apply(),
        "log_probability": round(scored.log_probability, 4),
        "edits": script_to_json(scored.script),
    }
