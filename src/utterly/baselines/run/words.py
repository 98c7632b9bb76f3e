"""What RUN knows of words before it reads them: a number each, or the pieces that an encoder cuts them into."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

import torch
from tokenizers import Tokenizer
from torch import Tensor

from utterly.baselines.learned import Vocabulary
from utterly.baselines.run.grid import BREAK

END: Final = "[end]"
SPECIAL: Final = ("[pad]", "[unk]", END)
_TOKENIZER: Final = "tokenizer.json"
_PIECES: Final = 6  # of a word: its beginning says enough


class Words(Protocol):
    def tensor(self, words: Sequence[str]) -> Tensor:
        """(words, pieces), padded with 0; a word has at least one piece."""

    def save(self, folder: Path) -> str:
        """Write it, and return the file's name."""


class Numbers(Vocabulary):
    """Each word of a vocabulary is one piece."""

    def tensor(self, words: Sequence[str]) -> Tensor:
        return torch.tensor([[self[word]] for word in words])


class Pieces:
    """The pieces of an encoder's tokenizer, counted from 1. Breaks and the end are what it puts after a text."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.tokenizer = tokenizer
        self.first, self._last = tokenizer.encode("").ids

    def tensor(self, words: Sequence[str]) -> Tensor:
        pieces = torch.zeros(len(words), _PIECES, dtype=torch.long)
        pieces[:, 0] = self._last + 1  # of a word that the tokenizer makes nothing of, too
        places = [i for i, word in enumerate(words) if word not in (BREAK, END)]
        cut = self.tokenizer.encode([" " + words[i] for i in places], is_pretokenized=True, add_special_tokens=False)
        used = [0] * len(places)
        for piece, word in zip(cut.ids, cut.word_ids, strict=True):
            if word is not None and used[word] < _PIECES:
                pieces[places[word], used[word]] = piece + 1
                used[word] += 1
        return pieces

    def save(self, folder: Path) -> str:
        self.tokenizer.save(str(folder / _TOKENIZER))
        return _TOKENIZER


def read_words(folder: Path) -> Words:
    """What a model's folder holds."""
    tokenizer = folder / _TOKENIZER
    return Pieces(Tokenizer.from_file(str(tokenizer))) if tokenizer.exists() else Numbers.load(folder)
