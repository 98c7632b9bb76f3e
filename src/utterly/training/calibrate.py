"""Fit to held-out dialogues how scripts are chosen, and how sure a rewrite is.

The tagger is asked once; each setting decodes its answers again: first when to insert, to delete and to let a source
stay, then how candidates are weighed. The best mean of BLEU-4 and exact match wins; of equal ones, the first. What
raises BLEU-4 may cost exact matches: `most_exact` takes the most of these that a least BLEU-4 allows.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Final

import numpy as np
import torch

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import PiecesError, TrainingError
from utterly.model.decode import Decoder
from utterly.model.encode import Pieces
from utterly.model.folder import Confidence
from utterly.networks.torch_model import TorchModel
from utterly.parallel import in_processes
from utterly.training.dev_scores import is_exact
from utterly.training.trials import Answer, Trial, try_setting

NULL_BIASES: Final = (0.0, 0.5, 1.0, 1.5, 2.0)
EMPTY_DELETE_COSTS: Final = (0.0, 2.0)
STAY_PROBABILITIES: Final = (1.0, 0.4, 0.3)
WEIGHINGS: Final = ((8, 1.0), (8, 2.0), (32, 1.0), (32, 2.0), (32, 3.0))  # candidates and temperature
_BATCH_SIZE: Final = 64
_NEWTON_STEPS: Final = 100


def fit_decode(model: TorchModel, dialogues: Sequence[Dialogue], *, workers: int = 1) -> list[Trial]:
    """All trials, best first."""
    return fit_decode_to(ask(model, dialogues), model, workers=workers)


def fit_decode_to(answers: Sequence[Answer], model: TorchModel, *, workers: int = 1) -> list[Trial]:
    """All trials on these answers, best first: the model's own, or those of several that share its rule book."""
    attempt = partial(try_setting, answers=answers, book=model.book)
    alone = replace(model.config.decode, candidates=1, temperature=1.0)
    edits = [
        replace(alone, null_bias=bias, empty_delete_cost=empty, stay_probability=stay)
        for bias, empty, stay in product(NULL_BIASES, EMPTY_DELETE_COSTS, STAY_PROBABILITIES)
    ]
    first = _best_first(in_processes(attempt, edits, workers=workers))
    weighings = [
        replace(first[0].settings, null_bias=bias, candidates=candidates, temperature=temperature)
        for bias, (candidates, temperature) in product(NULL_BIASES, WEIGHINGS)
    ]
    return _best_first([*first, *in_processes(attempt, weighings, workers=workers)])


def most_exact(trials: Sequence[Trial], *, least_bleu4: float) -> Trial:
    """The trial with the most exact matches of those with at least so much BLEU-4; of equal ones, the first."""
    enough = [trial for trial in trials if trial.bleu4 >= least_bleu4]
    if not enough:
        most = max(trial.bleu4 for trial in trials)
        raise TrainingError(
            f"a setting must reach {least_bleu4:g} BLEU-4, but the best of these has {most:g}; ask for less"
        )
    return max(enough, key=lambda trial: trial.exact)


def _best_first(trials: Iterable[Trial]) -> list[Trial]:
    return sorted(trials, key=lambda trial: -trial.value)


def fit_confidence(model: TorchModel, dialogues: Sequence[Dialogue]) -> Confidence | None:
    """How often a rewrite of such a log probability is the target, to the word, ignoring case.

    None if all rewrites are, or none is: then there is nothing to tell apart.
    """
    found = [best[0] for best in model.scripts_in_batches(dialogues)]
    read = [each for each in found if each.reason is None]
    right = [is_exact(each.script) for each in read]
    return fit_curve([each.log_probability for each in read], right) if 0 < sum(right) < len(right) else None


def fit_curve(log_probabilities: Sequence[float], right: Sequence[bool]) -> Confidence:
    """The curve under which what was `right` is most probable, with Platt's targets against certainty."""
    x = np.array(log_probabilities, dtype=np.float64)
    hits, misses = sum(right), len(right) - sum(right)
    if not hits or not misses:
        raise TrainingError(
            f"fitting a confidence needs right and wrong rewrites, got {hits} right of {len(right)}; "
            "give more held-out dialogues"
        )
    targets = np.where(right, (hits + 1) / (hits + 2), 1 / (misses + 2))
    slope, offset = 0.0, math.log(hits / misses)
    for _ in range(_NEWTON_STEPS):  # the gradient of the cross-entropy over its curvature
        probs = np.exp(-np.logaddexp(0, -(slope * x + offset)))
        away, weights = probs - targets, probs * (1 - probs) + 1e-9
        by_slope, by_offset = (away * x).sum(), away.sum()
        xx, x1, one = (weights * x * x).sum(), (weights * x).sum(), weights.sum()
        determinant = xx * one - x1 * x1 + 1e-12
        step = (one * by_slope - x1 * by_offset) / determinant, (xx * by_offset - x1 * by_slope) / determinant
        slope, offset = float(slope - step[0]), float(offset - step[1])
        if max(map(abs, step)) < 1e-9:
            break
    return Confidence(slope, offset)


@torch.no_grad()
def ask(model: TorchModel, dialogues: Sequence[Dialogue]) -> list[Answer]:
    """What the tagger says, with spans for every rule that any setting of the grid may want."""
    if not dialogues or any(dialogue.target is None for dialogue in dialogues):
        raise TrainingError("fitting needs dialogues that all have a target; give held-out dialogues that do")
    generous = Decoder(model.book, replace(model.config.decode, null_bias=max(NULL_BIASES)))
    readable = list(_in_pieces(model, dialogues))
    answers: list[Answer] = []
    for start in range(0, len(readable), _BATCH_SIZE):
        some = readable[start : start + _BATCH_SIZE]
        read = model.scorer.read_many([pieces for _, pieces in some])
        for (dialogue, pieces), scores in zip(some, read, strict=True):
            answers.append(Answer(dialogue, pieces, scores.tags, generous.find_spans(pieces, scores)))
    if not answers:
        raise TrainingError("fitting needs a source that fits the encoder, but all are too long; give other dialogues")
    return answers


def _in_pieces(model: TorchModel, dialogues: Sequence[Dialogue]) -> Iterator[tuple[Dialogue, Pieces]]:
    """The dialogues that the encoder can read; the others stay as they are, whatever the setting."""
    for dialogue in dialogues:
        try:
            yield dialogue, model.encoder.encode(dialogue)
        except PiecesError:
            continue
