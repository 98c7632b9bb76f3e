"""Beam search against every text there is, on tiny vocabularies."""

from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from utterly.baselines.ptr_gen.beam import Hypothesis, State, beam_search

END, LONGEST = 0, 3


def chances(seed: int, words: int) -> dict[tuple[int, ...], torch.Tensor]:
    """The log probabilities of the next word after each text."""
    rng = torch.Generator().manual_seed(seed)
    texts = [text for length in range(LONGEST + 1) for text in product(range(1, words), repeat=length)]
    return {text: (3 * torch.randn(words, generator=rng)).log_softmax(-1) for text in texts}


def searched(table: dict[tuple[int, ...], torch.Tensor], width: int) -> list[Hypothesis]:
    def step(state: State, last: torch.Tensor) -> tuple[torch.Tensor, State]:
        said = torch.cat([state[0], last.unsqueeze(1)], dim=1)  # the texts so far, after a start of -1
        texts = [tuple(word for word in text if word >= 0) for text in said.tolist()]
        after_the_end = torch.zeros(len(table[()]))  # rows that a hypothesis no longer needs
        return torch.stack([table.get(text, after_the_end) for text in texts]), (said,)

    empty = torch.empty((1, 0), dtype=torch.long)
    (found,) = beam_search(step, (empty,), start=-1, end=END, width=width, longest=[LONGEST])
    return found


def every_text(table: dict[tuple[int, ...], torch.Tensor]) -> list[Hypothesis]:
    found = []
    for text in table:
        steps = [table[text[:i]][word] for i, word in enumerate(text)]
        found.append(Hypothesis(text, float(sum(steps) + table[text][END])))
    return sorted(found, key=lambda each: -each.mean)


@given(seed=st.integers(0, 10_000), words=st.integers(2, 4))
def test_a_beam_as_wide_as_all_texts_finds_the_best_of_them(seed: int, words: int) -> None:
    table = chances(seed, words)
    best, found = every_text(table), searched(table, width=len(table))
    assert [each.words for each in found] == [each.words for each in best]
    assert [each.mean for each in found] == pytest.approx([each.mean for each in best], abs=1e-5)


@given(seed=st.integers(0, 10_000), width=st.integers(1, 4))
def test_a_narrow_beam_finds_texts_with_their_true_probabilities(seed: int, width: int) -> None:
    table = chances(seed, 4)
    true = {each.words: each.log_probability for each in every_text(table)}
    found = searched(table, width=width)
    assert 1 <= len(found) <= width
    assert [each.log_probability for each in found] == pytest.approx([true[each.words] for each in found], abs=1e-5)
    assert [each.mean for each in found] == sorted((each.mean for each in found), reverse=True)


def test_a_longer_text_wins_by_its_mean() -> None:
    sure, torn = torch.tensor([0.0, -1e9]), torch.tensor([0.4, 0.6]).log()
    table = {(): torn, (1,): sure, (1, 1): sure, (1, 1, 1): sure}
    # the empty text: log 0.4; the text of one word: log 0.6 over two
    assert [each.words for each in searched(table, width=2)] == [(1,), ()]
