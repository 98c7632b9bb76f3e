"""The network of RUN: words to vectors that know their neighbours, pairs of words to features, features to cells.

Shapes: `rows` context and extra words, `columns` source words and the end, `width` of the two LSTM directions together.
"""

from collections.abc import Sequence
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
    dropout: float = 0.2  # of words, and of what the LSTM says of them; a word vector's number is dropped in all words
    weights: Sequence[float] = (0.1, 0.4, 0.5)  # what the loss gives none, substitute and insert


class RunNetwork(nn.Module):
    """LSTM, pair features, U-Net."""

    def __init__(self, shape: RunShape) -> None:
        super().__init__()
        self.embedding = nn.Embedding(shape.words, shape.embedding, padding_idx=PADDING)
        self.dropout = nn.Dropout1d(shape.dropout)
        self.lstm = nn.LSTM(shape.embedding, shape.hidden, batch_first=True, bidirectional=True)
        width = 2 * shape.hidden
        self.bilinear = nn.Linear(width, width, bias=False)
        self.unet = UNet(width + 2, shape.channels, len(Cell))

    def forward(self, rows: Tensor, columns: Tensor) -> Tensor:
        """Word numbers, (batch, rows) and (batch, columns), padded with 0, to logits, (batch, cells, rows, columns).

        They are best given on the CPU: their counts are needed there.
        """
        context, source = self._read(rows, columns)
        pairs = context.unsqueeze(2) * source.unsqueeze(1)  # (batch, rows, columns, width)
        lengths = context.norm(dim=-1).unsqueeze(2) * source.norm(dim=-1).unsqueeze(1)
        cosine = pairs.sum(dim=-1) / lengths.clamp_min(1e-6)  # (batch, rows, columns)
        bilinear = self.bilinear(context) @ source.transpose(1, 2)  # same
        features = torch.cat([pairs, cosine.unsqueeze(-1), bilinear.unsqueeze(-1)], dim=-1)
        there = (rows != PADDING).unsqueeze(2) & (columns != PADDING).unsqueeze(1)
        logits: Tensor = self.unet(features.permute(0, 3, 1, 2), there.unsqueeze(1).to(features))
        return logits

    def _read(self, rows: Tensor, columns: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors of context and source, which the LSTM reads as one text: (batch, rows or columns, width)."""
        row_counts, column_counts = (rows != PADDING).sum(dim=1), (columns != PADDING).sum(dim=1)
        place = torch.arange(rows.shape[1] + columns.shape[1], device=rows.device).expand(len(rows), -1)
        # Row i of the text is row i of the context, then of the source; padding of the context is not in between.
        in_source = (place - row_counts.unsqueeze(1)).clamp(0, columns.shape[1] - 1)
        in_context = place.clamp(max=rows.shape[1] - 1)
        text = torch.where(place < row_counts.unsqueeze(1), rows.gather(1, in_context), columns.gather(1, in_source))
        device = self.bilinear.weight.device
        packed = pack_padded_sequence(
            self._dropped(self.embedding(text.to(device))),
            (row_counts + column_counts).cpu(),
            batch_first=True,
            enforce_sorted=False,
        )
        read, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=place.shape[1])
        read = self._dropped(read)
        columns_at = (torch.arange(columns.shape[1], device=rows.device) + row_counts.unsqueeze(1)).to(device)
        source = read.gather(1, columns_at.unsqueeze(-1).expand(-1, -1, read.shape[-1]))
        return read[:, : rows.shape[1]], source

    def _dropped(self, vectors: Tensor) -> Tensor:
        """Without some of their numbers, the same in all words of a text: (batch, words, width)."""
        return self.dropout(vectors.mT).mT  # type: ignore[no-any-return]


class UNet(nn.Module):
    """Two steps down, two up again, each with what was there on the way down: the channels of RUN's release.

    What is not there is 0 at every level, so that padding changes nothing.
    """

    def __init__(self, features: int, channels: int, classes: int) -> None:
        super().__init__()
        c = channels
        self.first = _Convolutions(features, c)
        self.down = nn.ModuleList([_Convolutions(c, 2 * c), _Convolutions(2 * c, 2 * c)])
        self.up = nn.ModuleList([_Convolutions(4 * c, c), _Convolutions(2 * c, c // 2)])
        self.last = nn.Conv2d(c // 2, classes, kernel_size=1)

    def forward(self, features: Tensor, there: Tensor) -> Tensor:
        """(batch, features, rows, columns), and (batch, 1, rows, columns) of 0 and 1, to (batch, classes, ...)."""
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
    """Two, each with batch norm."""

    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(nn.Conv2d(each, after, 3, padding=1) for each in (before, after))
        self.norms = nn.ModuleList(nn.BatchNorm2d(after) for _ in range(2))

    def forward(self, features: Tensor, there: Tensor) -> Tensor:
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            features = norm(convolution(features)).relu() * there
        return features
