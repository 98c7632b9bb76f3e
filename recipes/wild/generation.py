"""Many conversations that a causal model continues side by side, each piece read once.

All rows share the columns of one cache: a stretch takes as many columns as its longest row has pieces, and what a row
does not fill is masked. Networks of the Qwen2 family; their own layers are used, only the attention is written anew, so
that the keys of grouped queries are not repeated while pieces are said one by one.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

_COLUMNS: Final = 16  # attention kernels want lengths that are multiples of this
_PIECES_AT_ONCE: Final = 40_000  # of a long stretch, so that its states fit beside the cache
_LEAST_OF_BEST: Final = 0.03  # share of the best piece's probability, below which a piece is never drawn
_DONE_CHECKED: Final = 4  # steps


class Line(NamedTuple):
    """What a row says up to the end of the line, and the mean log probability of its pieces."""

    pieces: list[int]
    log_probability: float
    ended: bool  # False: it was cut off


class Conversations:
    """Rows that read and say in turn. The network must be in the precision to compute in."""

    def __init__(self, network: Any, rows: int, most_pieces: int, *, end: int) -> None:
        self._model, self._head, self._end = network.base_model, network.get_output_embeddings(), end
        config, weight = network.config, self._head.weight
        self._heads, self._groups = config.num_attention_heads, config.num_key_value_heads
        self._width = self._model.layers[0].self_attn.head_dim
        columns = most_pieces + -most_pieces % _COLUMNS
        shape = (rows, self._groups, columns, self._width)
        self._cache = [
            (
                torch.zeros(shape, dtype=weight.dtype, device=weight.device),
                torch.zeros(shape, dtype=weight.dtype, device=weight.device),
            )
            for _ in self._model.layers
        ]
        self._filled = torch.zeros(rows, columns, dtype=torch.bool, device=weight.device)
        self._used = 0
        self._places = torch.zeros(rows, dtype=torch.long, device=weight.device)
        self._last = torch.zeros(rows, config.hidden_size, dtype=weight.dtype, device=weight.device)

    @property
    def rows(self) -> int:
        return len(self._places)

    @torch.inference_mode()
    def read(self, stretches: Sequence[Sequence[int]]) -> None:
        """Each row reads its stretch, which may be empty."""
        longest = max(map(len, stretches))
        ids = torch.zeros(len(stretches), longest, dtype=torch.long)
        for row, stretch in enumerate(stretches):
            ids[row, : len(stretch)] = torch.tensor(stretch, dtype=torch.long)
        lengths = torch.tensor(list(map(len, stretches)))
        there = torch.arange(longest) < lengths[:, None]
        self._add(ids.to(self._places.device), there.to(self._places.device))

    @torch.inference_mode()
    def say(self, most_pieces: int, *, temperature: float = 0.0) -> list[Line]:
        """Each row says pieces up to the end of the line: drawn by chance, or the most probable at temperature 0."""
        said, log_probabilities = [], []
        going = torch.ones_like(self._places, dtype=torch.bool)
        for step in range(most_pieces):
            log_probs = self._head(self._last).float().log_softmax(-1)
            piece = _drawn(log_probs / temperature) if temperature else log_probs.argmax(-1)
            said.append(piece.where(going, -1))
            log_probabilities.append(log_probs.gather(1, piece[:, None])[:, 0].where(going, 0.0))
            self._add(piece[:, None], going[:, None])
            going = going & (piece != self._end)
            if step % _DONE_CHECKED == 0 and not going.any():
                break
        self._add(torch.full_like(said[-1], self._end)[:, None], going[:, None])
        pieces, means = torch.stack(said, 1), torch.stack(log_probabilities, 1).sum(1)
        counts = (pieces >= 0).sum(1)
        each = zip(pieces.tolist(), (means / counts).tolist(), going.tolist(), strict=True)
        return [Line([p for p in row if p >= 0 and p != self._end], mean, not cut) for row, mean, cut in each]

    def _add(self, ids: Tensor, there: Tensor) -> None:
        start, stop = self._used, self._used + ids.shape[1]
        self._used = stop
        self._filled[:, start:stop] = there
        at_once = max(1, _PIECES_AT_ONCE // ids.shape[1]) if ids.shape[1] > 1 else len(ids)
        for first in range(0, len(ids), at_once):
            rows = slice(first, first + at_once)
            self._forward(rows, ids[rows], there[rows], start, stop)
        self._places += there.sum(1)

    def _forward(self, rows: slice, ids: Tensor, there: Tensor, start: int, stop: int) -> None:
        places = self._places[rows, None] + (there.cumsum(1) - 1).clamp(min=0)
        columns = min(stop + -stop % _COLUMNS, self._filled.shape[1])
        mask = self._filled[rows, None, None, :columns]  # (rows, 1, 1, columns)
        if ids.shape[1] > 1:
            before = torch.arange(columns, device=ids.device) <= torch.arange(start, stop, device=ids.device)[:, None]
            mask = mask & before
        states = self._model.embed_tokens(ids)
        cosine, sine = (each.unsqueeze(1) for each in self._model.rotary_emb(states, places))
        for layer, (keys, values) in zip(self._model.layers, self._cache, strict=True):
            attention, normed = layer.self_attn, layer.input_layernorm(states)
            query, key, value = (
                each(normed).unflatten(-1, (-1, self._width)).transpose(1, 2)
                for each in (attention.q_proj, attention.k_proj, attention.v_proj)
            )  # (rows, heads, pieces, width)
            keys[rows, :, start:stop] = _rotated(key, cosine, sine)
            values[rows, :, start:stop] = value
            read = self._attend(_rotated(query, cosine, sine), keys[rows, :, :columns], values[rows, :, :columns], mask)
            states = states + attention.o_proj(read)
            states = states + layer.mlp(layer.post_attention_layernorm(states))
        states = self._model.norm(states)
        lengths = there.sum(1)
        last = states[torch.arange(len(states), device=ids.device), (lengths - 1).clamp(min=0)]
        self._last[rows] = last.where((lengths > 0)[:, None], self._last[rows])

    def _attend(self, query: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
        pieces, share = query.shape[2], self._heads // self._groups
        if pieces == 1:  # the queries of a group as pieces of one head
            read = scaled_dot_product_attention(query.reshape(len(query), self._groups, share, -1), keys, values, mask)
            return read.reshape(len(query), 1, -1)
        keys, values = (each.repeat_interleave(share, 1) for each in (keys, values))
        return scaled_dot_product_attention(query, keys, values, mask).transpose(1, 2).flatten(2)


def _rotated(heads: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    left, right = heads.chunk(2, -1)
    return heads * cosine + torch.cat([-right, left], -1) * sine


def _drawn(log_probs: Tensor) -> Tensor:
    """A piece of each row by chance, none that is far less probable than the best."""
    probs = log_probs.softmax(-1)
    probs = probs.where(probs >= _LEAST_OF_BEST * probs.max(-1, keepdim=True).values, 0.0)
    return (probs / torch.empty_like(probs).exponential_()).argmax(-1)
