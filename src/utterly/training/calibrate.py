"""Fit how scripts are chosen to held-out dialogues: the null rule's bias and the costs of whole-script faults.

The tagger is asked once; each setting decodes its answers again. The best mean of BLEU-4 and exact match wins, on
the dialogues' own words without casing; of equal ones, the first.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from multiprocessing import get_context
from typing import Final, NamedTuple

import numpy as np
import torch

from utterly.decode import DecodeSettings, FoundSpans, Query, TagScores, best_scripts, wanted_queries
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import TrainingError
from utterly.metrics.bleu import bleu, bleu_statistics
from utterly.pieces import Pieces
from utterly.rules.book import RuleBook
from utterly.taggers.model import TaggerModel
from utterly.taggers.scorer import collate, found_spans, tag_scores

NULL_BIASES: Final = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
EMPTY_DELETE_COSTS: Final = (0.0, 1.0, 2.0, 4.0)
REPEAT_COSTS: Final = (2.0, 20.0)


class Trial(NamedTuple):
    """A setting and what it scores, 0 to 100."""

    settings: DecodeSettings
    bleu4: float
    exact: float

    @property
    def value(self) -> float:
        return (self.bleu4 + self.exact) / 2


class _Answer(NamedTuple):
    dialogue: Dialogue
    pieces: Pieces
    tags: TagScores
    spans: Mapping[Query, FoundSpans]


def fit_decode(
    model: TaggerModel, dialogues: Sequence[Dialogue], *, device: str = "cpu", workers: int = 1
) -> list[Trial]:
    """All trials, best first."""
    if not dialogues or any(dialogue.target is None for dialogue in dialogues):
        raise TrainingError("fitting needs dialogues, each with a target; give held-out dialogues that have one")
    answers = _answers(model, dialogues, device)
    grid = [
        replace(model.decode, null_bias=bias, empty_delete_cost=empty, repeat_cost=repeat)
        for bias, empty, repeat in product(NULL_BIASES, EMPTY_DELETE_COSTS, REPEAT_COSTS)
    ]
    if workers == 1:
        trials = [_trial(settings, answers, model.book) for settings in grid]
    else:
        _shared.append((answers, model.book))  # the forked workers inherit it, so that nothing is copied
        try:
            with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
                trials = list(pool.map(_trial_of_shared, grid))
        finally:
            _shared.clear()
    return sorted(trials, key=lambda trial: -trial.value)


_shared: list[tuple[list[_Answer], RuleBook]] = []


def _trial_of_shared(settings: DecodeSettings) -> Trial:
    return _trial(settings, *_shared[-1])


def _trial(settings: DecodeSettings, answers: Sequence[_Answer], book: RuleBook) -> Trial:
    scripts = [best_scripts(*answer, book, settings)[0].script for answer in answers]
    said = [[word.casefold() for word in script.words] for script in scripts]
    meant = [[word.text.casefold() for word in a.dialogue.target.words] for a in answers if a.dialogue.target]
    exact = float(np.mean([s == m for s, m in zip(said, meant, strict=True)]))
    return Trial(settings, 100 * float(bleu(bleu_statistics(said, meant).sum(axis=0))), 100 * exact)


@torch.no_grad()
def _answers(model: TaggerModel, dialogues: Sequence[Dialogue], device: str, batch_size: int = 64) -> list[_Answer]:
    """What the tagger says, with spans for every rule that any setting of the grid may want."""
    tagger = model.tagger.to(device).eval()
    generous = replace(model.decode, null_bias=max(NULL_BIASES))
    answers = []
    for start in range(0, len(dialogues), batch_size):
        some = dialogues[start : start + batch_size]
        pieces = [model.encoder.encode(dialogue) for dialogue in some]
        tags = tagger.tag(collate(pieces).to(device))
        scores = tag_scores(tags, pieces)
        wanted = [wanted_queries(p, each, model.book, generous) for p, each in zip(pieces, scores, strict=True)]
        spans = found_spans(tagger, tags, pieces, wanted, generous)
        answers += map(_Answer, some, pieces, scores, spans)
    return answers
