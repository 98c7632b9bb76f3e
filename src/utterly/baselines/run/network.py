"""The network of RUN: words to contextual vectors, pairs of words to features, features to cells.

Shapes: `rows` context and extra words, `columns` source words and the end, `width` of both LSTM directions together.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from utterly.baselines.run.grid import Cell
from utterly.networks.layers import Batch, Encoder, rows_at

PADDING = 0
_EVEN = 8  # features are padded to a multiple of it, which is faster on a GPU


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

        Words are best given on the CPU, where their counts are needed.
        """
        context, source = self._read(rows, columns)
        product = context.unsqueeze(2) * source.unsqueeze(1)  # (batch, rows, columns, width)
        dot = context @ source.mT  # (batch, rows, columns)
        lengths = context.norm(dim=-1).unsqueeze(2) * source.norm(dim=-1).unsqueeze(1)
        linear = self.of_row(context) + self.of_column(source).mT
        bilinear = self.bilinear(context) @ source.mT
        numbers = torch.stack([dot, dot / lengths.clamp_min(1e-6), linear, bilinear], dim=-1)
        features = torch.cat([product, numbers], dim=-1)
        features = functional.pad(features, (0, self._features - features.shape[-1]))
        there = (rows[..., 0] != PADDING).unsqueeze(2) & (columns[..., 0] != PADDING).unsqueeze(1)
        logits: Tensor = self.unet(features.permute(0, 3, 1, 2), there.unsqueeze(1).to(features))
        return logits

    def _read(self, rows: Tensor, columns: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors of rows and columns, read as one text: (batch, rows or columns, width)."""
        length = rows.shape[1] + columns.shape[1]
        row_counts, column_counts = ((words[..., 0] != PADDING).sum(dim=1) for words in (rows, columns))
        texts = zip(rows, row_counts, columns, column_counts, strict=True)
        text = pad_sequence([torch.cat([r[:i], c[:j]]) for r, i, c, j in texts], batch_first=True)
        device = self.bilinear.weight.device
        packed = pack_padded_sequence(
            self._dropped(self.vectors(text, row_counts)).float(),
            (row_counts + column_counts).cpu(),
            batch_first=True,
            enforce_sorted=False,
        )
        with torch.autocast(device.type, enabled=False):  # on a GPU, the LSTM would use fp16
            read, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=length)
        read = self._dropped(read)
        columns_at = (torch.arange(columns.shape[1], device=rows.device) + row_counts.unsqueeze(1)).to(device)
        return read[:, : rows.shape[1]], rows_at(read, columns_at)

    def _dropped(self, vectors: Tensor) -> Tensor:
        """Dropout of the same features in all words of a text: (batch, words, width)."""
        return self.dropout(vectors.mT).mT  # type: ignore[no-any-return]


class LearnedWords(nn.Embedding):
    """Embeddings learned from scratch; a word is one piece."""

    def __init__(self, words: int, width: int) -> None:
        super().__init__(words, width, padding_idx=PADDING)

    def forward(self, text: Tensor, source_at: Tensor) -> Tensor:  # type: ignore[override]  # noqa: ARG002 - as below
        """(batch, words, pieces) to (batch, words, width)."""
        return super().forward(text[..., 0].to(self.weight.device))


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
