"""Beam search over words, for many texts at once and any step function that scores the next word."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

State = tuple[Tensor, ...]
"""The state of the decoder: tensors with a row for each hypothesis."""


class Hypothesis(NamedTuple):
    words: tuple[int, ...]  # without the end
    log_probability: float  # with the end

    @property
    def mean(self) -> float:
        """Log probability per word, counting the end: a long text is not penalised for its length."""
        return self.log_probability / (len(self.words) + 1)


def beam_search(
    step: Callable[[State, Tensor], tuple[Tensor, State]],
    state: State,
    *,
    start: int,
    end: int,
    width: int,
    longest: Sequence[int],
) -> list[list[Hypothesis]]:
    """The first `width` finished hypotheses of each text, highest mean first.

    `state` has a row for each text, and `longest` is the most words each may have. `step` takes a state and the last
    word of each hypothesis, (texts * width,); it returns log probabilities, (texts * width, words), and the next state.
    """
    texts, device = len(longest), state[0].device
    state = tuple(each.repeat_interleave(width, dim=0) for each in state)
    last = torch.full((texts * width,), start, device=device)
    scores = torch.full((texts, width), -torch.inf, device=device)
    scores[:, 0] = 0.0
    limits = torch.tensor(longest, device=device)
    first_rows = torch.arange(0, texts * width, width, device=device).unsqueeze(1)
    beams: list[list[tuple[int, ...]]] = [[()] * width for _ in range(texts)]
    found: list[list[Hypothesis]] = [[] for _ in range(texts)]
    for length in range(max(longest) + 1):
        log_probs, state = step(state, last)
        words = log_probs.shape[-1]
        totals = scores.unsqueeze(-1) + log_probs.view(texts, width, words)
        must_end = (limits <= length).view(-1, 1, 1) & (torch.arange(words, device=device) != end)
        totals = totals.masked_fill(must_end, -torch.inf).flatten(1)
        # At most `width` of these are ends, which leaves `width` to continue.
        best, places = totals.topk(min(2 * width, width * words))
        continued = torch.zeros((texts, width), dtype=torch.long)
        for i, (values, candidates) in enumerate(zip(best.tolist(), places.tolist(), strict=True)):
            kept: list[int] = []
            for value, place in zip(values, candidates, strict=True):
                if len(found[i]) == width or len(kept) == width or value == -torch.inf:
                    break
                if place % words == end:
                    found[i].append(Hypothesis(beams[i][place // words], value))
                else:
                    kept.append(place)
            going = kept if len(found[i]) < width else []
            beams[i] = [(*beams[i][place // words], place % words) for place in going]
            continued[i, : len(going)] = torch.tensor(going, dtype=torch.long)
        if not any(beams):
            break
        there = torch.tensor([[True] * len(beam) + [False] * (width - len(beam)) for beam in beams], device=device)
        continued = continued.to(device)
        scores = totals.gather(1, continued).masked_fill(~there, -torch.inf)
        last = (continued % words).flatten()
        state = tuple(each[(first_rows + continued // words).flatten()] for each in state)
    return [sorted(each, key=lambda hypothesis: -hypothesis.mean) for each in found]
