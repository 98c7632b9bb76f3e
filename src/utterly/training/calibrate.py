"""Tune decoding and confidence on held-out dialogues.

The tagger scores each dialogue once, and every trial decodes those scores with other settings: first when to insert, to
delete and to leave a source unchanged, then how to weigh candidates. The highest mean of BLEU-4 and exact match wins;
of ties, the first. A higher BLEU-4 may cost exact matches: `most_exact` maximises those subject to a least BLEU-4.

Imports no torch, so the processes that run trials start quickly.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import PiecesError, TrainingError
from utterly.model.decode import Decoder, ScoredScript, Signals
from utterly.model.encode import Pieces
from utterly.model.model import Confidence
from utterly.model.scores import FoundSpans, Query, TagScores
from utterly.model.settings import DecodeSettings
from utterly.parallel import in_processes
from utterly.rules.book import RuleBook
from utterly.training.dev_scores import dev_scores, worth_of

if TYPE_CHECKING:
    from utterly.networks.torch_model import TorchModel

NULL_BIASES: Final = (0.0, 0.5, 1.0, 1.5, 2.0)
EMPTY_DELETE_COSTS: Final = (0.0, 2.0)
STAY_PROBABILITIES: Final = (1.0, 0.4, 0.3)
WEIGHINGS: Final = ((8, 1.0), (8, 2.0), (32, 1.0), (32, 2.0), (32, 3.0))  # (candidates, temperature)
SIGNS: Final = Signals(changed=0, agreement=1, mentions=1, certainty=1, deletion=1, stays=-1)
"""1 if more of a signal can only speak for a rewrite, -1 if only against it, 0 if it may do either."""
_BATCH_SIZE: Final = 64
_NEWTON_STEPS: Final = 100
_RIDGE: Final = 1.0  # counts as much as one script


class ScoredDialogue(NamedTuple):
    """A tagger's scores for a dialogue, before decoding."""

    dialogue: Dialogue
    pieces: Pieces
    tags: TagScores
    spans: Mapping[Query, FoundSpans]


class Trial(NamedTuple):
    """Decoding settings and their scores, 0 to 100, on case-folded words."""

    settings: DecodeSettings
    bleu4: float
    exact: float

    @property
    def value(self) -> float:
        return (self.bleu4 + self.exact) / 2


def fit_decode(model: "TorchModel", dialogues: Sequence[Dialogue], *, workers: int = 1) -> list[Trial]:
    """All trials, best first."""
    return fit_decode_to(score_dialogues(model, dialogues), model, workers=workers)


def fit_decode_to(scored: Sequence[ScoredDialogue], model: "TorchModel", *, workers: int = 1) -> list[Trial]:
    """All trials, best first, on dialogues that this model or others with its rule book have scored."""
    attempt = partial(_try, scored=scored, book=model.book)
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


def _try(settings: DecodeSettings, *, scored: Sequence[ScoredDialogue], book: RuleBook) -> Trial:
    decoder = Decoder(book, settings)
    scripts = [decoder.choose(*each)[0].script for each in scored]
    return Trial(settings, *(100 * score for score in dev_scores(scripts)))


def _best_first(trials: Iterable[Trial]) -> list[Trial]:
    return sorted(trials, key=lambda trial: -trial.value)


def most_exact(trials: Sequence[Trial], *, least_bleu4: float) -> Trial:
    """The trial with the most exact matches among those with at least this BLEU-4; of ties, the first."""
    enough = [trial for trial in trials if trial.bleu4 >= least_bleu4]
    if not enough:
        most = max(trial.bleu4 for trial in trials)
        raise TrainingError(f"no setting reaches {least_bleu4:g} BLEU-4, the best has {most:g}; lower the limit")
    return max(enough, key=lambda trial: trial.exact)


def score_dialogues(model: "TorchModel", dialogues: Sequence[Dialogue]) -> list[ScoredDialogue]:
    """The tagger's scores, with spans for every rule that any trial may use.

    A dialogue whose source is too long for the encoder is left out: no setting changes it.
    """
    from utterly.networks.torch_scorer import find_spans

    if not dialogues or any(dialogue.target is None for dialogue in dialogues):
        with_target = sum(dialogue.target is not None for dialogue in dialogues)
        raise TrainingError(
            f"fitting needs dialogues that all have a target, got {with_target} of {len(dialogues)}; "
            "give held-out dialogues that do"
        )
    generous = Decoder(model.book, replace(model.config.decode, null_bias=max(NULL_BIASES)))
    readable: list[tuple[Dialogue, Pieces]] = []
    for dialogue in dialogues:
        try:
            readable.append((dialogue, model.encoder.encode(dialogue)))
        except PiecesError:
            continue
    if not readable:
        raise TrainingError("fitting needs sources that fit the encoder, but all are too long; give other dialogues")
    scored: list[ScoredDialogue] = []
    for start in range(0, len(readable), _BATCH_SIZE):
        some, pieces = zip(*readable[start : start + _BATCH_SIZE], strict=True)
        scores = model.scorer.read_many(pieces)
        scored += map(ScoredDialogue, some, pieces, (s.tags for s in scores), find_spans(generous, pieces, scores))
    return scored


def fit_confidence(model: "TorchModel", dialogues: Sequence[Dialogue]) -> Confidence | None:
    """Confidence, the probability that a rewrite helps rather than harms, from log probability and signals.

    None if no rewrite helps, or none harms: then no curve can be fitted.
    """
    found = [best[0] for best in model.scripts_in_batches(dialogues)]
    read = [each for each in found if each.reason is None]
    worth = [worth_of(each.script) for each in read]
    return fit_curve(read, worth) if {0.0, 1.0} <= set(worth) else None


def fit_curve(scripts: Sequence[ScoredScript], worth: Sequence[float]) -> Confidence:
    """The logistic curve that fits the worth of scripts, each 0 to 1, best.

    A weight with the wrong sign is an accident of these scripts: its signal is left out.
    """
    rows = np.array([(each.log_probability, *each.signals) for each in scripts], dtype=np.float64)
    targets, signs = np.array(worth, dtype=np.float64), np.array((1.0, *SIGNS))
    used = rows.std(axis=0) > 0
    while True:
        weights = np.zeros(len(signs))
        weights[used], offset = _logistic(rows[:, used], targets)
        wrong = weights * signs < 0
        if not wrong.any():
            break
        used &= ~wrong
    named = {name: float(weight) for name, weight in zip(Signals._fields, weights[1:], strict=True) if weight}
    return Confidence(float(weights[0]), offset, named)


def _logistic(rows: NDArray[np.float64], targets: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Weights and offset for the rows as given, by Newton's method, with a little ridge against overconfidence."""
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    x = np.column_stack([(rows - mean) / scale, np.ones(len(rows))])
    ridge = np.diag([*np.full(rows.shape[1], _RIDGE), 1e-6])
    weights = np.zeros(x.shape[1])
    for _ in range(_NEWTON_STEPS):  # the gradient of the cross-entropy over its curvature
        probs = np.exp(-np.logaddexp(0, -(x @ weights)))
        curvature = (x * (probs * (1 - probs) + 1e-9)[:, None]).T @ x + ridge
        step = np.linalg.solve(curvature, x.T @ (probs - targets) + ridge @ weights)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    plain = weights[:-1] / scale
    return plain, float(weights[-1] - plain @ mean)
