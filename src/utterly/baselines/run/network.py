"""The network of RUN: words to contextual vectors, pairs of words to features, features to cells.

Shapes: `rows` context and extra words, `columns` source words and the end, `width` of both LSTM directions together.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import PackedSequence, pad_sequence

from utterly.baselines.learned import PADDING
from utterly.baselines.run.grid import Cell
from utterly.networks.layers import Batch, Encoder

_EVEN: Final = 8  # features are padded to a multiple of it, which is faster on a GPU


@dataclass(frozen=True, kw_only=True)
class RunShape:
    """The sizes of RUN's release for CANARD."""

    words: int  # of the vocabulary
    embedding: int = 100
    hidden: int = 200  # of each direction
    channels: int = 128
    dropout: float = 0.2  # before and after the LSTM; a feature is dropped in all words of a text
    weights: Sequence[float] = (0.1, 0.4, 0.5)  # in the loss: none, substitute, insert
    encoder: Mapping[str, Any] | None = None  # the shape of a pre-trained encoder, if words are read by one
    first_piece: int = 0  # the encoder reads it before a text: [CLS]


class RunNetwork(nn.Module):
    """Word vectors, LSTM, pair features, U-Net."""

    def __init__(self, shape: RunShape, encoder: Encoder | None = None) -> None:
        super().__init__()
        if encoder:
            self.vectors: nn.Module = EncodedWords(encoder, shape.first_piece)
        else:
            self.vectors = LearnedWords(shape.words, shape.embedding)
        self.dropout = nn.Dropout1d(shape.dropout)
        before = encoder.width if encoder else shape.embedding
        self.lstm = nn.LSTM(before, shape.hidden, batch_first=True, bidirectional=True)
        width = 2 * shape.hidden
        self.bilinear = nn.Linear(width, width, bias=False)
        self.of_row, self.of_column = nn.Linear(width, 1), nn.Linear(width, 1, bias=False)
        self._features = math.ceil((width + 4) / _EVEN) * _EVEN
        self.unet = UNet(self._features, shape.channels, len(Cell))
        self.unet.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def forward(self, rows: Tensor, columns: Tensor) -> Tensor:
        """Padded words, (batch, rows or columns, pieces), to logits, (batch, cells, rows, columns).

        Words are best given on the CPU, where their counts are needed: then no step waits for the GPU.
        """
        there = (rows[..., 0] != PADDING).unsqueeze(2) & (columns[..., 0] != PADDING).unsqueeze(1)
        there = there.to(self.bilinear.weight.device, non_blocking=True)
        context, source = self._read(rows, columns)
        product = context.unsqueeze(2) * source.unsqueeze(1)  # (batch, rows, columns, width)
        dot = context @ source.mT  # (batch, rows, columns)
        lengths = context.norm(dim=-1).unsqueeze(2) * source.norm(dim=-1).unsqueeze(1)
        linear = self.of_row(context) + self.of_column(source).mT
        bilinear = self.bilinear(context) @ source.mT
        numbers = torch.stack([dot, dot / lengths.clamp_min(1e-6), linear, bilinear], dim=-1)
        filling = numbers.new_zeros(*dot.shape, self._features - product.shape[-1] - numbers.shape[-1])
        features = torch.cat([product, numbers, filling], dim=-1)
        logits: Tensor = self.unet(features.permute(0, 3, 1, 2), there.unsqueeze(1).to(features))
        return logits

    def _read(self, rows: Tensor, columns: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors of rows and columns, read as one text: (batch, rows or columns, width). Those of padding vary."""
        row_counts, column_counts = ((words[..., 0] != PADDING).sum(dim=1) for words in (rows, columns))
        texts = zip(rows, row_counts.tolist(), columns, column_counts.tolist(), strict=True)
        text = pad_sequence([torch.cat([r[:i], c[:j]]) for r, i, c, j in texts], batch_first=True)
        device = self.bilinear.weight.device
        packing = Packing.of((row_counts + column_counts).cpu())
        columns_at = torch.arange(columns.shape[1]) + row_counts.cpu().unsqueeze(1)
        at = torch.cat([torch.arange(rows.shape[1]).expand(len(rows), -1), columns_at], dim=1)  # (batch, words)
        words, places = (each.to(device, non_blocking=True) for each in (packing.words, packing.places_of(at)))
        vectors = self._dropped(self.vectors(text, row_counts)).float()
        with torch.autocast(device.type, enabled=False):  # on a GPU, the LSTM would use fp16
            packed = PackedSequence(vectors.flatten(end_dim=1).index_select(0, words), packing.sizes)
            read = self.lstm(packed)[0].data.index_select(0, places.flatten()).unflatten(0, places.shape)
        read = self._dropped(read)
        return read[:, : rows.shape[1]], read[:, rows.shape[1] :]

    def _dropped(self, vectors: Tensor) -> Tensor:
        """Dropout of the same features in all words of a text: (batch, words, width)."""
        return self.dropout(vectors.mT).mT  # type: ignore[no-any-return]


class Packing(NamedTuple):
    """Texts of different lengths, packed: their first words, then their second words and so on, longest text first.

    torch's own packing makes the CPU wait for the GPU, and copies a text word by word.
    """

    words: Tensor  # (all words,): the place of each packed word in the flattened texts, (batch * longest,)
    sizes: Tensor  # (longest,): how many texts have a first word, a second word, ...
    places: Tensor  # (batch, longest): where each word is packed; 0 for padding

    @classmethod
    def of(cls, lengths: Tensor) -> "Packing":
        """Of texts with these lengths, (batch,), on the CPU."""
        longest = int(lengths.max())
        order = lengths.argsort(descending=True, stable=True)
        place = torch.arange(longest)
        has_word = lengths[order] > place.unsqueeze(1)  # (longest, batch)
        words = (order * longest + place.unsqueeze(1))[has_word]
        places = torch.zeros(len(lengths) * longest, dtype=torch.long)
        places[words] = torch.arange(len(words))
        return cls(words, has_word.sum(dim=1), places.view(len(lengths), longest))

    def places_of(self, at: Tensor) -> Tensor:
        """Where the words at these places of each text are packed, (batch, n); any place beyond a text."""
        return self.places.gather(1, at.clamp(max=self.places.shape[1] - 1))


class LearnedWords(nn.Embedding):
    """Embeddings learned from scratch; a word is one piece."""

    def __init__(self, words: int, width: int) -> None:
        super().__init__(words, width, padding_idx=PADDING)

    def forward(self, text: Tensor, source_at: Tensor) -> Tensor:  # type: ignore[override]  # noqa: ARG002 - as below
        """(batch, words, pieces) to (batch, words, width)."""
        return super().forward(text[..., 0].to(self.weight.device, non_blocking=True))


class EncodedWords(nn.Module):
    """The states of a pre-trained encoder at the first piece of each word."""

    def __init__(self, encoder: Encoder, first_piece: int) -> None:
        super().__init__()
        self.encoder, self.first_piece = encoder, first_piece

    def forward(self, text: Tensor, source_at: Tensor) -> Tensor:
        """(batch, words, pieces), and the word where the source begins, (batch,), to (batch, words, width)."""
        counts = (text != PADDING).sum(dim=-1)  # (batch, words)
        ends = 1 + counts.cumsum(dim=1)
        first = torch.tensor([self.first_piece])
        ids = [torch.cat([first, words[words != PADDING].cpu() - 1]) for words in text]
        lengths = torch.tensor([len(each) for each in ids])
        padded = pad_sequence(ids, batch_first=True)  # (batch, pieces)
        place = torch.arange(padded.shape[1])
        starts = (ends - counts).clamp(max=padded.shape[1] - 1).cpu()
        batch = Batch(
            ids=padded,
            types=(place >= starts.gather(1, source_at.cpu().unsqueeze(1))).long(),
            mask=place < lengths.unsqueeze(1),
            source=starts,
            source_mask=(counts > 0).cpu(),
            context=starts[:, :1],
            context_mask=starts[:, :1] > 0,
        )
        states: Tensor = self.encoder(batch.to(next(self.parameters()).device)).source
        return states


class UNet(nn.Module):
    """Two steps down and two up, with skip connections: the channels of RUN's release.

    Padding is 0 at every level, so it changes nothing.
    """

    def __init__(self, features: int, channels: int, classes: int) -> None:
        super().__init__()
        c = channels
        self.first = _Convolutions(features, c)
        self.down = nn.ModuleList([_Convolutions(c, 2 * c), _Convolutions(2 * c, 2 * c)])
        self.up = nn.ModuleList([_Convolutions(4 * c, c), _Convolutions(2 * c, c // 2)])
        self.last = nn.Conv2d(c // 2, classes, kernel_size=1)

    def forward(self, features: Tensor, there: Tensor) -> Tensor:
        """(batch, features, rows, columns), and 1 for cells or 0 for padding, to (batch, classes, rows, columns)."""
        levels = [(self.first(features * there, there), there)]
        for step in self.down:
            found, there = (functional.max_pool2d(each, 2, ceil_mode=True) for each in levels[-1])
            levels.append((step(found, there), there))
        found, _ = levels.pop()
        for step in self.up:
            before, there = levels.pop()
            grown = functional.interpolate(found, scale_factor=2)[:, :, : before.shape[2], : before.shape[3]]
            found = step(torch.cat([before, grown * there], dim=1), there)
        logits: Tensor = self.last(found)
        return logits


class _Convolutions(nn.Module):
    """Two convolutions, each with batch norm and ReLU."""

    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(nn.Conv2d(each, after, 3, padding=1) for each in (before, after))
        self.norms = nn.ModuleList(nn.BatchNorm2d(after) for _ in range(2))

    def forward(self, features: Tensor, there: Tensor) -> Tensor:
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            features = norm(convolution(features)).relu() * there
        return features
