"""Pairwise BLEU: the same as the metric's, pair by pair."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from utterly.metrics.bleu import sentence_bleu
from utterly.model.likeness import pairwise_bleu


@given(st.lists(st.lists(st.sampled_from("where was he federer born ?".split()), max_size=9), min_size=1, max_size=5))
def test_it_is_sentence_bleu_of_every_pair(sentences: list[list[str]]) -> None:
    expected = [sentence_bleu([each] * len(sentences), sentences) for each in sentences]
    assert np.array_equal(pairwise_bleu(sentences), np.array(expected))
