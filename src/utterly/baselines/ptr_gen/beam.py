"""Beam search over words, for any step that gives the probabilities of the next one."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor

State: TypeAlias = tuple[Tensor, ...]
"""What a step remembers: tensors with a row for each text."""


class Hypothesis(NamedTuple):
    words: tuple[int, ...]  # without the end
    log_probability: float  # with the end

    @property
    def mean(self) -> float:
        """By word and end, so that a text is not less likely for its length alone."""
        return self.log_probability / (len(self.words) + 1)


def beam_search(
    step: Callable[[State, Tensor], tuple[Tensor, State]],
    state: State,
    *,
    start: int,
    end: int,
    width: int,
    longest: int,
) -> list[Hypothesis]:
    """The best `width` of the texts found, by their mean; as many are followed at a time, up to `longest` words.

    `step` takes a state and the last word of each text, (texts,), and gives log probabilities, (texts, words), and the
    next state.
    """
    last = torch.tensor([start], device=state[0].device)
    texts: list[tuple[int, ...]] = [()]
    scores = torch.zeros(1, device=last.device)
    found: list[Hypothesis] = []
    for length in range(longest + 1):
        log_probs, state = step(state, last)
        totals = scores.unsqueeze(1) + log_probs  # (texts, words)
        found += [Hypothesis(text, float(total)) for text, total in zip(texts, totals[:, end], strict=True)]
        found = sorted(found, key=lambda each: -each.mean)[:width]
        totals[:, end] = -torch.inf
        scores, places = totals.flatten().topk(min(width, totals.numel()))
        places, scores = places[scores > -torch.inf], scores[scores > -torch.inf]
        # However a text goes on, its mean is at most this.
        most = float(scores.max()) / (longest + 1) if len(scores) else -torch.inf
        if length == longest or not len(scores) or (len(found) == width and most <= found[-1].mean):
            break
        rows, last = places // totals.shape[1], places % totals.shape[1]
        texts = [(*texts[row], word) for row, word in zip(rows.tolist(), last.tolist(), strict=True)]
        state = tuple(each[rows] for each in state)
    return found
