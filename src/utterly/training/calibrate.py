"""Fit to held-out dialogues how scripts are chosen, and how sure a rewrite is.

The tagger is asked once; each setting decodes its answers again: first when to insert, to delete and to let a source
stay, then how candidates are weighed. The best mean of BLEU-4 and exact match wins; of equal ones, the first. What
raises BLEU-4 may cost exact matches: `most_exact` takes the most of these that a least BLEU-4 allows.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Final

import torch

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import PiecesError, TrainingError
from utterly.model.confidence import Confidence
from utterly.model.decode import wanted_queries
from utterly.model.encode import Pieces
from utterly.networks.model import TaggerModel
from utterly.networks.torch_scorer import collate, found_spans, tag_scores, usable_device
from utterly.parallel import in_processes
from utterly.training.dev_scores import is_exact
from utterly.training.trials import Answer, Trial, try_setting

NULL_BIASES: Final = (0.0, 0.5, 1.0, 1.5, 2.0)
EMPTY_DELETE_COSTS: Final = (0.0, 2.0)
STAY_PROBABILITIES: Final = (1.0, 0.4, 0.3)
WEIGHINGS: Final = ((8, 1.0), (8, 2.0), (32, 1.0), (32, 2.0), (32, 3.0))  # candidates and temperature
_BATCH_SIZE: Final = 64


def fit_decode(
    model: TaggerModel, dialogues: Sequence[Dialogue], *, device: str = "cpu", workers: int = 1
) -> list[Trial]:
    """All trials, best first."""
    return fit_decode_to(ask(model, dialogues, device=device), model, workers=workers)


def fit_decode_to(answers: Sequence[Answer], model: TaggerModel, *, workers: int = 1) -> list[Trial]:
    """All trials on these answers, best first: the model's own, or those of several that share its rule book."""
    attempt = partial(try_setting, answers=answers, book=model.book)
    alone = replace(model.decode, candidates=1, temperature=1.0)
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


def fit_confidence(model: TaggerModel, dialogues: Sequence[Dialogue], *, device: str = "cpu") -> Confidence | None:
    """How often a rewrite of such a log probability is the target, to the word, without casing.

    None where all rewrites are, or none is: then there is nothing to tell apart.
    """
    found = [best[0] for best in model.predict(dialogues, device=device)]
    read = [each for each in found if each.reason is None]
    right = [is_exact(each.script) for each in read]
    return Confidence.fit([each.log_probability for each in read], right) if 0 < sum(right) < len(right) else None


@torch.no_grad()
def ask(model: TaggerModel, dialogues: Sequence[Dialogue], *, device: str = "cpu") -> list[Answer]:
    """What the tagger says, with spans for every rule that any setting of the grid may want."""
    if not dialogues or any(dialogue.target is None for dialogue in dialogues):
        raise TrainingError("fitting needs dialogues, each with a target; give held-out dialogues that have one")
    tagger = model.tagger.to(usable_device(device)).eval()
    generous = replace(model.decode, null_bias=max(NULL_BIASES))
    readable = list(_in_pieces(model, dialogues))
    answers: list[Answer] = []
    for start in range(0, len(readable), _BATCH_SIZE):
        some, pieces = zip(*readable[start : start + _BATCH_SIZE], strict=True)
        tags = tagger.tag(collate(pieces).to(device))
        scores = tag_scores(tags, pieces)
        wanted = [wanted_queries(p, each, model.book, generous) for p, each in zip(pieces, scores, strict=True)]
        spans = found_spans(tagger, tags, pieces, wanted, generous)
        answers += map(Answer, some, pieces, scores, spans)
    if not answers:
        raise TrainingError("fitting needs a source that fits the encoder, but all are too long; give other dialogues")
    return answers


def _in_pieces(model: TaggerModel, dialogues: Sequence[Dialogue]) -> Iterator[tuple[Dialogue, Pieces]]:
    """The dialogues that the encoder can read; the others stay as they are, whatever the setting."""
    for dialogue in dialogues:
        try:
            yield dialogue, model.encoder.encode(dialogue)
        except PiecesError:
            continue
