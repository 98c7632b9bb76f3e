"""The base of baselines that learn: a vocabulary and a network, saved together in a folder."""

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ModelError
from utterly.files import written_whole
from utterly.model.decode import ScoredScript
from utterly.model.folder import WEIGHTS, ModelFolder, write_card_and_config
from utterly.model.model import ScriptModel
from utterly.networks.torch_scorer import by_length

_VOCABULARY: Final = "vocabulary.json"
PADDING: Final = 0
UNKNOWN: Final = 1


class Vocabulary:
    """Case-folded words by number. Special ones come first: padding is 0, unknown words are 1."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.numbers: Mapping[str, int] = {word: number for number, word in enumerate(self.words)}

    @classmethod
    def of(cls, words: Iterable[str], *, special: Sequence[str], most: int | None = None) -> Self:
        """The words that occur at least twice: the `most` frequent of them, or all."""
        counts = Counter(folded for word in words if (folded := word.casefold()) not in special)
        known = sorted((word for word, count in counts.items() if count > 1), key=lambda word: (-counts[word], word))
        return cls((*special, *known[:most]))

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, word: str) -> int:
        return self.numbers.get(word.casefold(), UNKNOWN)

    def tensor(self, words: Sequence[str]) -> Tensor:
        """(words, 1): each word is one piece."""
        return torch.tensor([[self[word]] for word in words])

    def save(self, folder: Path) -> str:
        """Write it, and return the file's name."""
        with written_whole(folder / _VOCABULARY) as file:
            json.dump(self.words, file, ensure_ascii=False)
        return _VOCABULARY

    @classmethod
    def load(cls, folder: Path) -> Self:
        return cls(json.loads((folder / _VOCABULARY).read_text(encoding="utf-8")))


@dataclass(frozen=True)
class Learned(ScriptModel):
    """A baseline with a network whose shape is in the config."""

    vocabulary: Any
    network: Any  # a torch module

    title: ClassVar[str]

    @staticmethod
    def read_vocabulary(folder: Path) -> Any:
        return Vocabulary.load(folder)

    @staticmethod
    @abstractmethod
    def empty_network(shape: Mapping[str, Any]) -> nn.Module:
        """An untrained network of this shape."""

    @abstractmethod
    def batch(self, dialogues: Sequence[Dialogue], n: int = 1) -> list[list[ScoredScript]]:
        """The `n` best scripts of each dialogue, best first, in one pass."""

    def scripts(self, dialogue: Dialogue, n: int = 1) -> list[ScoredScript]:
        return self.batch([dialogue], n)[0]

    def scripts_in_batches(self, dialogues: Sequence[Dialogue], *, batch_size: int = 64) -> list[ScoredScript]:
        """The best script of each dialogue."""
        lengths = [sum(len(turn.words) for turn in dialogue.context) for dialogue in dialogues]
        return [best for (best,) in by_length(self.batch, dialogues, lengths, batch_size=batch_size)]

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        save_file({name: weight.contiguous() for name, weight in self.network.state_dict().items()}, folder / WEIGHTS)
        words = self.vocabulary.save(folder)
        card = f"# {self.title}\n\nA baseline. Load it with `Rewriter.load(folder)`.\n"
        write_card_and_config(folder, self.config, card, files=(WEIGHTS, words))

    @classmethod
    def load(cls, folder: ModelFolder, device: str) -> Self:
        try:
            vocabulary = cls.read_vocabulary(folder.path)
            network = cls.empty_network(folder.config.encoder)
            network.load_state_dict(load_file(folder.path / WEIGHTS))
        except (OSError, ValueError, TypeError, RuntimeError) as wrong:
            raise ModelError(f"{folder.path}: cannot read this model of {cls.title}: {wrong}; train it again") from None
        return cls(folder.config, vocabulary, network.to(device).eval())
