"""RUN as a model: a dialogue becomes a grid, the network predicts its cells, and they become an edit script."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from utterly.baselines.learned import Learned, Vocabulary
from utterly.baselines.run.grid import Grid
from utterly.baselines.run.network import RunNetwork, RunShape
from utterly.baselines.run.vocabulary import END, SPECIAL, PieceVocabulary
from utterly.baselines.window import length_in_words
from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.model.decode import ScoredScript
from utterly.model.folder import TOKENIZER
from utterly.model.model import ModelConfig
from utterly.networks.layers import Encoder
from utterly.scripts.edits import EditScript


@dataclass(frozen=True)
class Run(Learned):
    vocabulary: Vocabulary | PieceVocabulary
    network: RunNetwork

    title: ClassVar = "RUN"

    @classmethod
    def untrained(
        cls, config: ModelConfig, dialogues: Iterable[Dialogue], *, words: int | None = None, **sizes: Any
    ) -> Self:
        """With a vocabulary of the `words` most frequent words in these dialogues, or of all."""
        grids = (Grid(dialogue, topic_turns=config.topic_turns, most=config.max_length) for dialogue in dialogues)
        said = (word for grid in grids for each in _words(grid) for word in each)
        vocabulary = Vocabulary.of(said, special=SPECIAL, most=words)
        shape = RunShape(words=len(vocabulary), **sizes)
        return cls(replace(config, encoder=asdict(shape)), vocabulary, RunNetwork(shape))

    @classmethod
    def on_encoder(cls, config: ModelConfig, encoder: Encoder, tokenizer: Tokenizer, **sizes: Any) -> Self:
        """On a pre-trained encoder."""
        from utterly.networks.torch_model import shape_of

        pieces = PieceVocabulary(tokenizer)
        shape = RunShape(**sizes | {"words": 0, "encoder": shape_of(encoder.network), "first_piece": pieces.first})
        return cls(replace(config, encoder=asdict(shape)), pieces, RunNetwork(shape, encoder))

    @staticmethod
    def read_vocabulary(folder: Path) -> Vocabulary | PieceVocabulary:
        tokenizer = folder / TOKENIZER
        return PieceVocabulary(Tokenizer.from_file(str(tokenizer))) if tokenizer.exists() else Vocabulary.load(folder)

    @staticmethod
    def empty_network(shape: Mapping[str, Any]) -> RunNetwork:
        if not shape["encoder"]:
            return RunNetwork(RunShape(**shape))
        from utterly.networks.torch_model import empty_network

        return RunNetwork(RunShape(**shape), Encoder(empty_network(shape["encoder"])))

    def grid(self, dialogue: Dialogue) -> Grid | None:
        """The part of the dialogue that is read; None if the context is empty or the source too long."""
        most, length = self.config.max_length, length_in_words
        if isinstance(self.vocabulary, PieceVocabulary):
            length = self._pieces
            most -= length(dialogue.source) + 2
        grid = Grid(dialogue, topic_turns=self.config.topic_turns, most=most, length=length)
        return grid if most > 0 and any(row.place for row in grid.rows) else None

    def _pieces(self, turn: Turn) -> int:
        return int((self.vocabulary.tensor([word.text for word in turn.words]) > 0).sum()) if turn.words else 0

    def batch(self, dialogues: Sequence[Dialogue], n: int = 1) -> list[list[ScoredScript]]:  # noqa: ARG002 - there is only one
        found = [ScoredScript(EditScript.unchanged(dialogue), 0.0) for dialogue in dialogues]
        grids = {i: grid for i, dialogue in enumerate(dialogues) if (grid := self.grid(dialogue))}
        if grids:
            numbers = zip(*map(self.numbers, grids.values()), strict=True)
            self.network.eval()
            with torch.inference_mode():
                logits = self.network(*(pad_sequence([*each], batch_first=True) for each in numbers))
                values, kinds = (each.cpu() for each in logits.float().log_softmax(dim=1).max(dim=1))
            for (i, grid), value, kind in zip(grids.items(), values, kinds, strict=True):
                rows, columns = grid.shape
                script = grid.script(kind[:rows, :columns].numpy())
                found[i] = ScoredScript(script, float(value[:rows, :columns].sum()))
        return [[each] for each in found]

    def numbers(self, grid: Grid) -> tuple[Tensor, Tensor]:
        """The words of rows and columns as the network reads them, each (words, pieces)."""
        rows, columns = (self.vocabulary.tensor(words) for words in _words(grid))
        return rows, columns


load = Run.load


def _words(grid: Grid) -> tuple[list[str], list[str]]:
    """The words of the rows, and of the columns with the end."""
    return [row.word for row in grid.rows], [*(word.text for word in grid.dialogue.source.words), END]
