"""The network of RUN: words to vectors that know their neighbours, pairs of words to features, features to cells.

Shapes: `rows` context and extra words, `columns` source words and the end, `width` of the two LSTM directions together.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from utterly.baselines.run.grid import Cell

PADDING = 0


@dataclass(frozen=True, kw_only=True)
class RunShape:
    """The sizes of RUN's release for CANARD."""

    words: int  # of the vocabulary
    embedding: int = 100
    hidden: int = 200  # of each direction
    channels: int = 128
    dropout: float = 0.3  # ours


class RunNetwork(nn.Module):
    """LSTM, pair features, U-Net."""

    def __init__(self, shape: RunShape) -> None:
        super().__init__()
        self.embedding = nn.Embedding(shape.words, shape.embedding, padding_idx=PADDING)
        self.dropout = nn.Dropout(shape.dropout)
        self.lstm = nn.LSTM(shape.embedding, shape.hidden, batch_first=True, bidirectional=True)
        width = 2 * shape.hidden
        self.bilinear = nn.Linear(width, width, bias=False)
        self.unet = UNet(width + 2, shape.channels, len(Cell))

    def forward(self, rows: Tensor, columns: Tensor) -> Tensor:
        """Word numbers, (batch, rows) and (batch, columns), padded with 0, to logits, (batch, cells, rows, columns)."""
        context, source = self._read(rows, columns)
        pairs = context.unsqueeze(2) * source.unsqueeze(1)  # (batch, rows, columns, width)
        lengths = context.norm(dim=-1).unsqueeze(2) * source.norm(dim=-1).unsqueeze(1)
        cosine = pairs.sum(dim=-1) / lengths.clamp_min(1e-6)  # (batch, rows, columns)
        bilinear = self.bilinear(context) @ source.transpose(1, 2)  # same
        features = torch.cat([pairs, cosine.unsqueeze(-1), bilinear.unsqueeze(-1)], dim=-1)
        there = (rows != PADDING).unsqueeze(2) & (columns != PADDING).unsqueeze(1)
        logits: Tensor = self.unet((features * there.unsqueeze(-1)).permute(0, 3, 1, 2))
        return logits

    def _read(self, rows: Tensor, columns: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors of context and source, which the LSTM reads as one text: (batch, rows or columns, width)."""
        row_counts, column_counts = (rows != PADDING).sum(dim=1), (columns != PADDING).sum(dim=1)
        place = torch.arange(rows.shape[1] + columns.shape[1], device=rows.device).expand(len(rows), -1)
        # Row i of the text is row i of the context, then of the source; padding of the context is not in between.
        in_source = (place - row_counts.unsqueeze(1)).clamp(0, columns.shape[1] - 1)
        in_context = place.clamp(max=rows.shape[1] - 1)
        text = torch.where(place < row_counts.unsqueeze(1), rows.gather(1, in_context), columns.gather(1, in_source))
        lengths = (row_counts + column_counts).cpu()
        packed = pack_padded_sequence(
            self.dropout(self.embedding(text)), lengths, batch_first=True, enforce_sorted=False
        )
        read, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=place.shape[1])
        read = self.dropout(read)
        columns_at = torch.arange(columns.shape[1], device=rows.device) + row_counts.unsqueeze(1)
        source = read.gather(1, columns_at.unsqueeze(-1).expand(-1, -1, read.shape[-1]))
        return read[:, : rows.shape[1]], source


class UNet(nn.Module):
    """Two steps down, two up again, each with what was there on the way down."""

    def __init__(self, features: int, channels: int, classes: int) -> None:
        super().__init__()
        self.first = _convolutions(features, channels)
        self.down = nn.ModuleList([_convolutions(channels, 2 * channels), _convolutions(2 * channels, 4 * channels)])
        self.up = nn.ModuleList([_convolutions(6 * channels, 2 * channels), _convolutions(3 * channels, channels)])
        self.last = nn.Conv2d(channels, classes, kernel_size=1)

    def forward(self, features: Tensor) -> Tensor:
        levels = [self.first(features)]
        for step in self.down:
            levels.append(step(functional.max_pool2d(levels[-1], 2, ceil_mode=True)))
        found = levels.pop()
        for step in self.up:
            before = levels.pop()
            grown = functional.interpolate(found, size=before.shape[-2:], mode="bilinear")
            found = step(torch.cat([before, grown], dim=1))
        logits: Tensor = self.last(found)
        return logits


def _convolutions(before: int, after: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, padding=1),
        nn.BatchNorm2d(after),
        nn.ReLU(),
        nn.Conv2d(after, after, 3, padding=1),
        nn.BatchNorm2d(after),
        nn.ReLU(),
    )
