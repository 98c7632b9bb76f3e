"""Dense retrieval with a sentence encoder: mean-pooled, normalised, cosine; no prefix, as gte-small expects.

Vectors are cached in a file, because passages take long on a CPU; an interrupted run continues.
"""

import hashlib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from benchmarks.retrieval.measures import Floats
from numpy.typing import NDArray

MAX_PIECES: Final = 512
BATCH: Final = 16
SAVED_EVERY: Final = 64  # texts
Vectors = NDArray[np.float32]  # (texts, width), rows of unit length


class Encoder(Protocol):
    def encode(self, texts: Sequence[str]) -> Vectors: ...


class TorchEncoder:
    """A Hugging Face model folder, in float32 on the CPU."""

    def __init__(self, folder: Path) -> None:
        from transformers import AutoModel, AutoTokenizer

        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self._model: Any = AutoModel.from_pretrained(folder, add_pooling_layer=False).eval()

    def encode(self, texts: Sequence[str]) -> Vectors:
        import torch  # noqa: TID251 - only a dense retriever needs it

        pieces = self._tokenizer(list(texts), padding=True, truncation=True, max_length=MAX_PIECES, return_tensors="pt")
        with torch.inference_mode():
            states = self._model(**pieces).last_hidden_state  # (texts, pieces, width)
        mask = pieces["attention_mask"].unsqueeze(-1)
        vectors: Vectors = ((states * mask).sum(dim=1) / mask.sum(dim=1)).numpy()
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


class VectorCache:
    """The vectors of texts, each encoded once and stored in a file with those of earlier runs."""

    def __init__(self, encoder: Encoder, file: Path) -> None:
        self._encoder, self._file = encoder, file
        self._known: dict[str, Vectors] = {}
        if file.exists():
            with np.load(file) as saved:
                self._known = dict(zip(saved["keys"].tolist(), saved["vectors"].astype(np.float32), strict=True))

    def encode_all(self, texts: Iterable[str]) -> None:
        """Encode texts that are not in the cache, those of similar length together."""
        unknown = sorted({text for text in texts if _key(text) not in self._known}, key=len)
        for start in range(0, len(unknown), SAVED_EVERY):
            for first in range(start, min(start + SAVED_EVERY, len(unknown)), BATCH):
                batch = unknown[first : min(first + BATCH, start + SAVED_EVERY)]
                vectors = self._encoder.encode(batch).astype(np.float16).astype(np.float32)  # as saved
                self._known |= zip(map(_key, batch), vectors, strict=True)
            self._save()
            print(f"encoded {min(start + SAVED_EVERY, len(unknown)):,} of {len(unknown):,} texts", file=sys.stderr)

    def of(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._known[_key(text)] for text in texts])

    def _save(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self._file.with_suffix(".unfinished.npz")
        np.savez(unfinished, keys=list(self._known), vectors=np.stack(list(self._known.values())).astype(np.float16))
        unfinished.replace(self._file)


class Dense:
    """Cosine + 1, from 0 to 2: a score of 0 means no match at all."""

    def __init__(self, passages: Sequence[str], vectors: VectorCache) -> None:
        self._vectors = vectors
        self._passages = vectors.of(passages)

    def scores(self, query: str) -> Floats:
        cosines: Floats = (self._passages @ self._vectors.of([query])[0]).astype(np.float64)
        return cosines + 1


def _key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
