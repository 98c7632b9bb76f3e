"""The network of Ptr-Gen: an encoder, and a decoder that generates a word or copies one by its attention.

Words have numbers in a vocabulary. Words of a text that are not in it have further numbers, for that text alone: with
them the vocabulary is extended, and they can be copied although they have no vector of their own.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from utterly.baselines.learned import UNKNOWN
from utterly.baselines.ptr_gen.beam import State

PADDING: Final = 0
START: Final = 2
END: Final = 3


@dataclass(frozen=True, kw_only=True)
class PtrGenShape:
    """The sizes of See et al."""

    words: int  # of the vocabulary
    embedding: int = 128
    hidden: int = 256  # of the decoder, and of each direction of the encoder
    coverage: bool = False


class Memory(NamedTuple):
    """What the encoder read, for each text."""

    states: Tensor  # (batch, words, 2 * hidden)
    keys: Tensor  # the same, as attention compares it: (batch, words, hidden)
    there: Tensor  # (batch, words), False for padding
    extended: Tensor  # (batch, words): numbers in the extended vocabulary

    def of(self, text: int, times: int) -> "Memory":
        """That of one text, again and again."""
        return Memory(*(each[text : text + 1].expand(times, *each.shape[1:]) for each in self))


class PtrGenNetwork(nn.Module):
    """BiLSTM encoder, LSTM decoder with additive attention, and a gate between generating and copying."""

    def __init__(self, shape: PtrGenShape) -> None:
        super().__init__()
        self.shape, hidden = shape, shape.hidden
        self.embedding = nn.Embedding(shape.words, shape.embedding, padding_idx=PADDING)
        self.encoder = nn.LSTM(shape.embedding, hidden, batch_first=True, bidirectional=True)
        self.first = nn.Linear(4 * hidden, 2 * hidden)  # the decoder's first state
        self.decoder = nn.LSTMCell(shape.embedding + 2 * hidden, hidden)
        self.key = nn.Linear(2 * hidden, hidden, bias=False)
        self.query = nn.Linear(2 * hidden, hidden)
        self.covered = nn.Linear(1, hidden, bias=False)
        self.score = nn.Linear(hidden, 1, bias=False)
        self.generate = nn.Sequential(nn.Linear(3 * hidden, hidden), nn.Linear(hidden, shape.words))
        self.gate = nn.Linear(2 * hidden + 2 * hidden + shape.embedding + 2 * hidden, 1)

    def read(self, extended: Tensor) -> tuple[Memory, State]:
        """Texts in the extended vocabulary, (batch, words), padded; gives the decoder's first state too."""
        there = extended != PADDING
        vectors = self.embedding(self._known(extended))
        packed = pack_padded_sequence(vectors, there.sum(dim=1).cpu(), batch_first=True, enforce_sorted=False)
        output, (hidden, cell) = self.encoder(packed)
        states, _ = pad_packed_sequence(output, batch_first=True, total_length=extended.shape[1])
        both_ends = torch.cat([*hidden, *cell], dim=-1)  # (batch, 4 * hidden)
        first_hidden, first_cell = self.first(both_ends).tanh().chunk(2, dim=-1)
        context = states.new_zeros(len(states), states.shape[-1])
        coverage = states.new_zeros(extended.shape)
        return Memory(states, self.key(states), there, extended), (first_hidden, first_cell, context, coverage)

    def step(self, memory: Memory, state: State, last: Tensor, size: int) -> tuple[Tensor, State]:
        """Log probabilities of the next word in an extended vocabulary of `size` words, (batch, size)."""
        hidden, cell, context, coverage = state
        word = torch.cat([self.embedding(self._known(last)), context], dim=-1)
        hidden, cell = self.decoder(word, (hidden, cell))
        both = torch.cat([hidden, cell], dim=-1)
        compared = memory.keys + self.query(both).unsqueeze(1)
        if self.shape.coverage:
            compared = compared + self.covered(coverage.unsqueeze(-1))
        scores = self.score(compared.tanh()).squeeze(-1).masked_fill(~memory.there, -torch.inf)
        attention = scores.softmax(dim=-1)  # (batch, words)
        context = (attention.unsqueeze(1) @ memory.states).squeeze(1)
        generated = self.generate(torch.cat([hidden, context], dim=-1)).softmax(dim=-1)
        gate = self.gate(torch.cat([context, both, word], dim=-1)).sigmoid()
        chances = generated.new_zeros(len(generated), size)
        chances[:, : generated.shape[1]] = gate * generated
        chances = chances.scatter_add(1, memory.extended, (1 - gate) * attention)
        return chances.clamp_min(1e-12).log(), (hidden, cell, context, coverage + attention)

    def loss(self, extended: Tensor, target: Tensor, size: int) -> Tensor:
        """Mean cross-entropy of target words and end, (batch, words), padded; with coverage, its loss too."""
        memory, state = self.read(extended)
        last = torch.full_like(target[:, 0], START)
        losses = []
        for wanted in target.T:
            before = state[3]
            log_probs, state = self.step(memory, state, last, size)
            here = -log_probs.gather(1, wanted.unsqueeze(1)).squeeze(1)
            if self.shape.coverage:
                here = here + torch.minimum(before, state[3] - before).sum(dim=1)
            losses.append(here * (wanted != PADDING))
            last = wanted
        total: Tensor = torch.stack(losses).sum() / (target != PADDING).sum()
        return total

    def _known(self, extended: Tensor) -> Tensor:
        """Words without a vector of their own are read as unknown."""
        return extended.where(extended < self.shape.words, UNKNOWN)
