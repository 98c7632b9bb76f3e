"""The words of RUN on an encoder: cut into the pieces that the encoder reads."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import torch
from tokenizers import Tokenizer
from torch import Tensor

from utterly.baselines.run.grid import BREAK
from utterly.model.folder import TOKENIZER

END: Final = "[end]"
SPECIAL: Final = ("[pad]", "[unk]", END)
_PIECES: Final = 6  # per word: its beginning says enough


class PieceVocabulary:
    """The pieces of an encoder's tokenizer, counted from 1. Breaks and the end are its separator."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.tokenizer = tokenizer
        self.first, self._last = tokenizer.encode("").ids

    def tensor(self, words: Sequence[str]) -> Tensor:
        """(words, pieces), padded with 0; every word has at least one piece."""
        pieces = torch.zeros(len(words), _PIECES, dtype=torch.long)
        pieces[:, 0] = self._last + 1  # also for words that the tokenizer drops
        places = [i for i, word in enumerate(words) if word not in (BREAK, END)]
        cut = self.tokenizer.encode([" " + words[i] for i in places], is_pretokenized=True, add_special_tokens=False)
        used = [0] * len(places)
        for piece, word in zip(cut.ids, cut.word_ids, strict=True):
            if word is not None and used[word] < _PIECES:
                pieces[places[word], used[word]] = piece + 1
                used[word] += 1
        return pieces

    def save(self, folder: Path) -> str:
        self.tokenizer.save(str(folder / TOKENIZER))
        return TOKENIZER
