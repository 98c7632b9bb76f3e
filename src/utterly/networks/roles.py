"""A semantic role labeller for English, in torch: one tagger finds the predicates of a sentence, then their arguments.

As in Shi and Lin (2019), it reads the sentence once per predicate, with that predicate marked, and tags its arguments
in BIO. Ours also reads the sentence without a mark, to tag the predicates.

    0          outside
    1          a predicate
    2 + 2r     the first word of an argument with role r
    3 + 2r     its other words
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from utterly.dialogues.dialogue import split_words
from utterly.errors import ModelError
from utterly.files import written_whole
from utterly.metrics.roles import Argument
from utterly.model.encode import PieceEncoder
from utterly.model.folder import TOKENIZER, WEIGHTS, ModelFolder, local_folder, write_card_and_config
from utterly.model.model import ModelConfig
from utterly.networks.layers import Batch, Encoder, padded
from utterly.networks.torch_model import empty_network, pretrained_network, save_weights, shape_of
from utterly.networks.torch_scorer import by_length, usable_device

KIND: Final = "roles"
PREDICATE: Final = 1
_FIRST: Final = 2
_TRAIN: Final = "train a role labeller with: utterly train recipes/roles.toml"
_BATCH_SIZE: Final = 64  # sentences


class RoleSpan(NamedTuple):
    """An argument: words start..stop of a sentence, stop exclusive, and their role."""

    role: str
    start: int
    stop: int


class Frame(NamedTuple):
    """A predicate, by its index in the sentence, and its arguments."""

    predicate: int
    arguments: tuple[RoleSpan, ...]


class Reading(NamedTuple):
    """A sentence as the network reads it: with a predicate, for its arguments; without, for the predicates."""

    words: Sequence[str]
    predicate: int | None = None


class RoleNetwork(nn.Module):
    def __init__(self, network: nn.Module, tags: int) -> None:
        super().__init__()
        self.encoder = Encoder(network)
        self.tags = nn.Linear(self.encoder.width, tags)

    def forward(self, batch: Batch) -> Tensor:
        """(batch, words, tags)."""
        logits: Tensor = self.tags(self.encoder(batch).source)
        return logits


class RoleTagger:
    """A role labeller. The notes in its config have the roles, in the order of the tags, and its F1."""

    def __init__(self, config: ModelConfig, tokenizer: Tokenizer, network: RoleNetwork) -> None:
        self.config, self.tokenizer, self.network = config, tokenizer, network
        self.roles: Sequence[str] = config.notes["roles"]
        self._first, self._last = tokenizer.encode("").ids
        self._cut = lru_cache(maxsize=100_000)(self._pieces)

    @classmethod
    def untrained(cls, encoder: Path | str, roles: Sequence[str], *, max_length: int) -> Self:
        folder = local_folder(encoder)
        tokenizer = PieceEncoder.from_folder(folder).tokenizer
        network = pretrained_network(folder, positions=max_length)
        notes = {"roles": list(roles)}
        config = ModelConfig(tagger=KIND, max_length=max_length, encoder=shape_of(network), notes=notes)
        tagger = RoleNetwork(network, _FIRST + 2 * len(roles))
        if not tagger.encoder.reads_types:
            raise ModelError(
                f"{encoder}: a role labeller marks the predicate by a token type, but this encoder has only one type; "
                "use one with two, such as BERT"
            )
        return cls(config, tokenizer, tagger)

    @classmethod
    def load(cls, path: Path | str, *, device: str = "cpu") -> Self:
        """From a folder that training wrote."""
        if not Path(path).is_dir():
            raise ModelError(f"{path}: there is no such folder; none is bundled, {_TRAIN}")
        folder = ModelFolder.read("", Path(path))
        if folder.config.tagger != KIND:
            raise ModelError(
                f"{path}: must be a role labeller, but is a tagger of kind {folder.config.tagger}; {_TRAIN}"
            )
        folder.check_files()
        try:
            tags = _FIRST + 2 * len(folder.config.notes["roles"])
            network = RoleNetwork(empty_network(folder.config.encoder), tags)
            network.load_state_dict(load_file(folder.path / WEIGHTS))
        except (KeyError, OSError, RuntimeError, TypeError, ValueError) as wrong:
            raise ModelError(f"{path}: cannot read this role labeller: {wrong}; train it again") from None
        return cls(folder.config, folder.encoder().tokenizer, network.to(usable_device(device)).eval())

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        save_weights(self.network, folder)
        with written_whole(folder / TOKENIZER) as file:
            file.write(self.tokenizer.to_str())
        card = f"# Role labeller\n\nFor `utterly evaluate --roles FOLDER`. As scores show it: {self.version}.\n"
        write_card_and_config(folder, self.config, card, files=(WEIGHTS, TOKENIZER))

    def noted(self, **notes: Any) -> Self:
        """The same labeller with more notes in its config."""
        config = replace(self.config, notes={**self.config.notes, **notes})
        return type(self)(config, self.tokenizer, self.network)

    @property
    def language(self) -> str:
        return self.config.language

    @property
    def version(self) -> str:
        measured = ", ".join(f"F1 {f1:.2f} on {name}" for name, f1 in self.config.notes.get("F1", {}).items())
        return f"role tagger ({measured or 'F1 not measured'})"

    def arguments(self, texts: Sequence[str]) -> list[list[Argument]]:
        sentences = [[word.text for word in split_words(text)] for text in texts]
        return [
            [
                Argument(words[frame.predicate], span.role, " ".join(words[span.start : span.stop]))
                for frame in frames
                for span in frame.arguments
            ]
            for words, frames in zip(sentences, self.frames(sentences), strict=True)
        ]

    def frames(self, sentences: Sequence[Sequence[str]]) -> list[list[Frame]]:
        """The predicates of each sentence with their arguments. Words beyond `max_length` pieces are not labelled."""
        predicates = [
            (place, word)
            for place, tags in enumerate(self._tags([Reading(words) for words in sentences]))
            for word, tag in enumerate(tags)
            if tag == PREDICATE
        ]
        found: list[list[Frame]] = [[] for _ in sentences]
        tagged = self._tags([Reading(sentences[place], word) for place, word in predicates])
        for (place, word), tags in zip(predicates, tagged, strict=True):
            found[place].append(Frame(word, tuple(self._spans(tags))))
        return found

    def batch(self, readings: Sequence[Reading]) -> Batch:
        """Readings as tensors: words are read at their first piece, and the pieces of the predicate have type 1."""
        ids, types, firsts = zip(*map(self._read, readings), strict=True)
        (pieces, mask), (words, word_mask) = padded(ids), padded(firsts)
        nothing = torch.zeros(len(readings), 1, dtype=torch.long)  # no context
        return Batch(pieces, padded(types)[0], mask, words, word_mask, nothing, nothing.bool())

    def tags(self, frame: Frame, count: int) -> list[int]:
        """The tags of a sentence of `count` words for the arguments of this predicate."""
        tags = [0] * count
        for role, start, stop in frame.arguments:
            first = _FIRST + 2 * self.roles.index(role)
            tags[start:stop] = [first, *[first + 1] * (stop - start - 1)]
        return tags

    def _spans(self, tags: Sequence[int]) -> Iterator[RoleSpan]:
        """The inverse of `tags`."""
        for start, tag in enumerate(tags):
            if tag >= _FIRST and tag % 2 == 0:
                stop = next((i for i in range(start + 1, len(tags)) if tags[i] != tag + 1), len(tags))
                yield RoleSpan(self.roles[(tag - _FIRST) // 2], start, stop)

    def _read(self, reading: Reading) -> tuple[list[int], list[int], list[int]]:
        ids, types, firsts = [self._first], [0], []
        for place, word in enumerate(reading.words):
            pieces = self._cut(word)
            if len(ids) + len(pieces) >= self.config.max_length:
                break
            firsts.append(len(ids))
            ids += pieces
            types += [int(place == reading.predicate)] * len(pieces)
        return [*ids, self._last], [*types, 0], firsts

    def _pieces(self, word: str) -> list[int]:
        return self.tokenizer.encode(word, add_special_tokens=False).ids or [self._last]

    @torch.no_grad()
    def _tags(self, readings: Sequence[Reading]) -> list[list[int]]:
        self.network.eval()  # it may be in training
        device = self.network.tags.weight.device

        def tagged(some: Sequence[Reading]) -> list[list[int]]:
            batch = self.batch(some)
            logits = self.network(batch.to(device)).float().cpu().numpy()
            return [best_tags(rows[mask]) for rows, mask in zip(logits, batch.source_mask.numpy(), strict=True)]

        return by_length(tagged, readings, [len(each.words) for each in readings], batch_size=_BATCH_SIZE)


def best_tags(logits: NDArray[np.float32]) -> list[int]:
    """The tags with the highest sum of logits (Viterbi), where a role continues only after the same role."""
    if not len(logits):
        return []
    begins, further = slice(_FIRST, None, 2), slice(_FIRST + 1, None, 2)
    numbers = np.arange(logits.shape[1])
    total = logits[0].copy()
    total[further] = -np.inf
    before = []  # for each word after the first: the best previous tag for each of its tags
    for row in logits[1:]:
        best = np.full(len(row), total.argmax())
        best[further] = np.where(total[begins] > total[further], numbers[begins], numbers[further])
        total = row + total[best]
        before.append(best)
    tags = [int(total.argmax())]
    for best in reversed(before):
        tags.append(int(best[tags[-1]]))
    return tags[::-1]
