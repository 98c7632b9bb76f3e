"""The layers of all taggers, each an equation of the paper.

Shapes: batch (dialogues), pieces, source (words and the end), context (the stop symbol and words), width, and queries:
the source words that need spans, flattened over the batch. Spans are computed for queries only, so their cost grows
with what is inserted, not with the length of the source.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn


@dataclass(frozen=True)
class Batch:
    """Dialogues as tensors. Index 0 of the context is [CLS]; masks are False for padding."""

    ids: Tensor  # (batch, pieces)
    types: Tensor  # (batch, pieces)
    mask: Tensor  # (batch, pieces)
    source: Tensor  # (batch, source): piece of each source word and of the end
    source_mask: Tensor  # (batch, source)
    context: Tensor  # (batch, context): piece of [CLS] and of each context word
    context_mask: Tensor  # (batch, context)

    def to(self, device: torch.device | str) -> "Batch":
        return Batch(**{name: tensor.to(device, non_blocking=True) for name, tensor in vars(self).items()})


@dataclass(frozen=True)
class States:
    """The encoder's states of a batch, by word."""

    source: Tensor  # (batch, source, width): E_x
    context: Tensor  # (batch, context, width): E_c
    context_mask: Tensor  # (batch, context)


class SpanLogits(NamedTuple):
    """Where each span starts and ends; minus infinity for padding."""

    start: Tensor  # (queries, slots, context)
    end: Tensor  # (queries, slots, context)


class Encoder(nn.Module):
    """Eq. 1: one pass over context and source. The LayerNorm is for encoders with small outputs, such as MPNet."""

    graphed: Callable[..., Tensor] | None = None  # the network as CUDA graphs, in training

    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network = network
        self.width: int = network.config.hidden_size
        self.embedding_width: int = network.get_input_embeddings().embedding_dim  # smaller in some RoFormers
        self.reads_types = getattr(network.config, "type_vocab_size", 0) == 2
        self.norm = nn.LayerNorm(self.width)

    def forward(self, batch: Batch) -> States:
        types = {"token_type_ids": batch.types} if self.reads_types else {}
        hidden = self.norm(self._hidden(input_ids=batch.ids, attention_mask=batch.mask.long(), **types))
        return States(rows_at(hidden, batch.source), rows_at(hidden, batch.context), batch.context_mask)

    def read_embeddings(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        """Run the encoder on piece embeddings and return its states at [CLS]: (sequences, width)."""
        hidden = self._hidden(inputs_embeds=embeddings, attention_mask=mask.long())
        states: Tensor = self.norm(hidden[:, 0])
        return states

    def _hidden(self, **inputs: Tensor) -> Tensor:
        if self.training and self.graphed:
            return self.graphed(**inputs)
        hidden: Tensor = self.network(**inputs).last_hidden_state
        return hidden

    def __getstate__(self) -> dict[str, Any]:
        """A copy has no CUDA graphs: they read the weights of the original."""
        return {name: value for name, value in vars(self).items() if name != "graphed"}

    def embed(self, ids: Tensor) -> Tensor:
        """The encoder's input embeddings of pieces."""
        embedded: Tensor = self.network.get_input_embeddings()(ids)
        return embedded


class AdditiveAttention(nn.Module):
    """Eq. 4: v . tanh(W_k e_k + W_q u), a score for each context word (Bahdanau attention)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.key = nn.Linear(width, width, bias=False)
        self.query = nn.Linear(width, width)
        self.score = nn.Linear(width, 1, bias=False)

    def scores(self, keys: Tensor, query: Tensor) -> Tensor:
        """keys W_k e (context, width) or (queries, context, width), query (queries, width) -> (queries, context)."""
        scores: Tensor = self.score(torch.tanh(keys + self.query(query).unsqueeze(1))).squeeze(-1)
        return scores


class SpanPredictor(nn.Module):
    """Eqs. 3 to 6 and the appendix: one span after another, each from the attention of the one before.

    u_j = ReLU(W_u [context mixed by the attention of step j - 1; u_(j - 1)]). Before the first step, attention is
    uniform over the context and u is the query's embedding. The attention passed on is the mean of start's and end's:
    the paper names one distribution but predicts two.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.update = nn.Linear(2 * width, width)
        self.start = AdditiveAttention(width)
        self.end = AdditiveAttention(width)

    def forward(self, query: Tensor, dialogue: Tensor, context: Tensor, mask: Tensor, *, slots: int) -> SpanLogits:
        """Logits for `slots` spans of each query.

        query (queries, width), dialogue (queries,), context (batch, context, width), mask (batch, context). The keys
        of a dialogue are computed once for all its queries.
        """
        keys = SpanKeys(*(each[dialogue] for each in self.keys(context, mask)))
        attention = keys.uniform_attention(len(query))
        found = []
        for _ in range(slots):
            query, attention, logits = self.step(query, attention, keys)
            found.append(logits)
        return SpanLogits(*(torch.stack(each, dim=1) for each in zip(*found, strict=True)))

    def keys(self, context: Tensor, mask: Tensor) -> "SpanKeys":
        """The context as every step reads it."""
        return SpanKeys(context, self.start.key(context), self.end.key(context), mask)

    def step(self, query: Tensor, attention: Tensor, keys: "SpanKeys") -> tuple[Tensor, Tensor, SpanLogits]:
        """The next span of each query: u, the attention to pass on, and the logits, (queries, context)."""
        query = torch.relu(self.update(torch.cat([keys.mixed(attention), query], dim=-1)))
        start = self.start.scores(keys.start, query).masked_fill(~keys.mask, float("-inf"))
        end = self.end.scores(keys.end, query).masked_fill(~keys.mask, float("-inf"))
        return query, (start.softmax(dim=-1) + end.softmax(dim=-1)) / 2, SpanLogits(start, end)


class SpanKeys(NamedTuple):
    """The context as the span predictor attends to it: one for all queries or, with a leading axis, one each."""

    context: Tensor  # (..., context, width)
    start: Tensor  # W_k e for starts, the same shape
    end: Tensor  # W_k e for ends, the same shape
    mask: Tensor  # (..., context)

    def uniform_attention(self, queries: int) -> Tensor:
        """(queries, context)."""
        return (self.mask / self.mask.sum(dim=-1, keepdim=True)).expand(queries, -1)

    def mixed(self, attention: Tensor) -> Tensor:
        """(queries, context) -> (queries, width)."""
        attention = attention.to(self.context.dtype)
        if self.context.dim() == 2:
            return attention @ self.context
        return torch.einsum("qc,qcw->qw", attention, self.context)


class RuleEmbeddings(nn.Module):
    """Rules as the encoder reads them: [CLS] and the rule's pieces, with a learned embedding per slot.

    Negative pieces are slots: -1 is the first, -2 the second. Training recomputes the embeddings, as the encoder
    changes; a saved tagger stores them.
    """

    pieces: Tensor
    mask: Tensor

    def __init__(self, rules: list[list[int]], embedding_width: int, slots: int) -> None:
        super().__init__()
        pieces, mask = padded(rules)
        self.register_buffer("pieces", pieces, persistent=False)
        self.register_buffer("mask", mask, persistent=False)
        self.slots = nn.Embedding(slots, embedding_width)
        nn.init.normal_(self.slots.weight, std=0.02)

    def forward(self, encoder: Encoder) -> Tensor:
        """(rules, width)."""
        words = encoder.embed(self.pieces.clamp(min=0))
        slots = self.slots((-1 - self.pieces).clamp(min=0)).to(words.dtype)
        embeddings = torch.where((self.pieces < 0).unsqueeze(-1), slots, words)
        return encoder.read_embeddings(embeddings, self.mask)


def head_parameters(tagger: nn.Module) -> list[nn.Parameter]:
    """All parameters outside the pre-trained network."""
    return [p for name, p in tagger.named_parameters() if "encoder.network." not in name]


def rows_at(hidden: Tensor, index: Tensor) -> Tensor:
    """(batch, pieces, width), (batch, n) -> (batch, n, width)."""
    return hidden.gather(1, index.unsqueeze(-1).expand(-1, -1, hidden.shape[-1]))


def padded(rows: Sequence[Sequence[int] | NDArray[np.int64]]) -> tuple[Tensor, Tensor]:
    """Rows of different lengths as one tensor, padded with zeros, and a mask that is False for padding."""
    lengths = np.array([len(row) for row in rows])
    mask = np.arange(lengths.max()) < lengths[:, None]
    whole = np.zeros(mask.shape, dtype=np.int64)
    whole[mask] = np.concatenate(rows)
    return torch.from_numpy(whole), torch.from_numpy(mask)
