"""The network of Ptr-Gen: an encoder, and a decoder that generates a word or copies one by its attention.

Words of a text that are not in the vocabulary extend it, for that text only, with numbers of their own: they can be
copied, although they have no embedding.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from utterly.baselines.learned import PADDING, UNKNOWN
from utterly.baselines.ptr_gen.beam import State

START: Final = 2
END: Final = 3
_LEAST: Final = 1e-12  # probability of a word


@dataclass(frozen=True, kw_only=True)
class PtrGenShape:
    """The sizes of See et al."""

    words: int  # of the vocabulary
    embedding: int = 128
    hidden: int = 256  # of the decoder, and of each direction of the encoder
    dropout: float = 0.3  # ours
    coverage: bool = False


class Memory(NamedTuple):
    """What the decoder reads of each text."""

    states: Tensor  # (batch, words, 2 * hidden)
    keys: Tensor  # of the attention: (batch, words, hidden)
    there: Tensor  # (batch, words), False for padding
    extended: Tensor  # (batch, words): numbers in the extended vocabulary

    def repeated(self, times: int) -> "Memory":
        """Each text repeated, for the hypotheses of a beam."""
        return Memory(*(each.repeat_interleave(times, dim=0) for each in self))


class _Decoded(NamedTuple):
    """The decoder after one step, or after all steps, stacked: the next word is predicted from it."""

    word: Tensor  # embedding of the last word, and the context of the step before: (batch, embedding + 2 * hidden)
    state: Tensor  # hidden state and cell of the decoder: (batch, 2 * hidden)
    context: Tensor  # the attended mix of encoder states: (batch, 2 * hidden)
    attention: Tensor  # (batch, words)


class PtrGenNetwork(nn.Module):
    """BiLSTM encoder, LSTM decoder with additive attention, and a gate between generating and copying."""

    def __init__(self, shape: PtrGenShape) -> None:
        super().__init__()
        self.shape, hidden = shape, shape.hidden
        self.dropout = nn.Dropout(shape.dropout)
        self.embedding = nn.Embedding(shape.words, shape.embedding, padding_idx=PADDING)
        self.encoder = nn.LSTM(shape.embedding, hidden, batch_first=True, bidirectional=True)
        self.first = nn.Linear(4 * hidden, 2 * hidden)  # the decoder's first state
        self.decoder = nn.LSTMCell(shape.embedding + 2 * hidden, hidden)
        self.key = nn.Linear(2 * hidden, hidden, bias=False)
        self.query = nn.Linear(2 * hidden, hidden)
        self.covered = nn.Linear(1, hidden, bias=False)
        self.score = nn.Linear(hidden, 1, bias=False)
        self.generate = nn.Sequential(nn.Linear(3 * hidden, hidden), nn.Linear(hidden, shape.words))
        self.gate = nn.Linear(6 * hidden + shape.embedding, 1)

    def read(self, extended: Tensor) -> tuple[Memory, State]:
        """Encode padded texts in the extended vocabulary, (batch, words); also returns the decoder's first state.

        Texts are best given on the CPU, where their lengths are needed.
        """
        lengths = (extended != PADDING).sum(dim=1).cpu()
        extended = extended.to(self.gate.weight.device)
        vectors = self.dropout(self.embedding(self._known(extended)))
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        output, (hidden, cell) = self.encoder(packed)
        states, _ = pad_packed_sequence(output, batch_first=True, total_length=extended.shape[1])
        states = self.dropout(states)
        both_ends = torch.cat([*hidden, *cell], dim=-1)  # (batch, 4 * hidden)
        first_hidden, first_cell = self.first(both_ends).tanh().chunk(2, dim=-1)
        context = states.new_zeros(len(states), states.shape[-1])
        coverage = states.new_zeros(extended.shape)
        memory = Memory(states, self.key(states), extended != PADDING, extended)
        return memory, (first_hidden, first_cell, context, coverage)

    def step(self, memory: Memory, state: State, last: Tensor, size: int) -> tuple[Tensor, State]:
        """Log probabilities of the next word in an extended vocabulary of `size` words, (batch, size)."""
        decoded, state = self._decode(memory, state, self.embedding(self._known(last)))
        generated, gate = self._generated(decoded)
        chances = generated.new_zeros(len(generated), size)
        chances[:, : generated.shape[1]] = gate * generated.exp()
        chances = chances.scatter_add(1, memory.extended, (1 - gate) * decoded.attention)
        return chances.clamp_min(_LEAST).log(), state

    def loss(self, extended: Tensor, target: Tensor) -> Tensor:
        """Mean cross-entropy of padded targets with their end, (batch, words); plus the coverage loss, if set."""
        memory, state = self.read(extended)
        target = target.to(memory.states.device)
        before = torch.cat([torch.full_like(target[:, :1], START), target[:, :-1]], dim=1)
        steps = []
        for vectors in self.dropout(self.embedding(self._known(before))).unbind(dim=1):
            decoded, state = self._decode(memory, state, vectors)
            steps.append(decoded)
        decoded = _Decoded(*(torch.stack(each, dim=1) for each in zip(*steps, strict=True)))
        # From here on, all steps at once: (batch, target words, ...)
        log_probs, gate = self._generated(decoded)
        known = log_probs.gather(2, self._known(target).unsqueeze(2)).exp() * (target < self.shape.words).unsqueeze(2)
        attention, mentions = decoded.attention, memory.extended.unsqueeze(1) == target.unsqueeze(2)
        copied = (attention * mentions).sum(dim=2, keepdim=True)
        losses = -(gate * known + (1 - gate) * copied).squeeze(2).clamp_min(_LEAST).log()
        if self.shape.coverage:
            covered = attention.cumsum(dim=1) - attention
            losses = losses + torch.minimum(covered, attention).sum(dim=2)
        there = target != PADDING
        total: Tensor = (losses * there).sum() / there.sum()
        return total

    def _decode(self, memory: Memory, state: State, vectors: Tensor) -> tuple[_Decoded, State]:
        """One step, given the embeddings of the last words: (batch, embedding)."""
        hidden, cell, context, coverage = state
        word = torch.cat([vectors, context], dim=-1)
        hidden, cell = self.decoder(word, (hidden, cell))
        both = torch.cat([hidden, cell], dim=-1)
        compared = memory.keys + self.query(both).unsqueeze(1)
        if self.shape.coverage:
            compared = compared + self.covered(coverage.unsqueeze(-1))
        scores = self.score(compared.tanh()).squeeze(-1).masked_fill(~memory.there, -torch.inf)
        attention = scores.softmax(dim=-1)
        context = (attention.unsqueeze(1) @ memory.states).squeeze(1)
        if self.shape.coverage:
            coverage = coverage + attention
        return _Decoded(word, both, context, attention), (hidden, cell, context, coverage)

    def _generated(self, decoded: _Decoded) -> tuple[Tensor, Tensor]:
        """Log probabilities over the vocabulary, and the probability of generating instead of copying."""
        hidden = decoded.state[..., : self.shape.hidden]
        logits = self.generate(self.dropout(torch.cat([hidden, decoded.context], dim=-1)))
        gate = self.gate(torch.cat([decoded.context, decoded.state, decoded.word], dim=-1)).sigmoid()
        return logits.log_softmax(dim=-1), gate

    def _known(self, extended: Tensor) -> Tensor:
        """Words without an embedding are read as unknown."""
        return extended.where(extended < self.shape.words, UNKNOWN)
