"""RUN as a model: a dialogue's grid, the network's cells, the script that they say."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Final, Self

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from utterly.baselines.learned import Learned, Vocabulary
from utterly.baselines.run.grid import Grid
from utterly.baselines.run.network import RunNetwork, RunShape
from utterly.dialogues.dialogue import Dialogue
from utterly.model.decode import ScoredScript
from utterly.model.folder import ModelConfig
from utterly.scripts.edits import EditScript

KIND: Final = "run"
_SPECIAL: Final = ("[pad]", "[unk]", "[end]")


@dataclass(frozen=True)
class Run(Learned):
    network: RunNetwork

    title: ClassVar = "RUN"

    @classmethod
    def untrained(
        cls, config: ModelConfig, dialogues: Iterable[Dialogue], *, words: int | None = None, **sizes: Any
    ) -> Self:
        """With a vocabulary of these dialogues: their `words` most frequent ones, or all."""
        said = (word for dialogue in dialogues for each in _words(grid_of(dialogue, config)) for word in each)
        vocabulary = Vocabulary.of(said, special=_SPECIAL, most=words)
        shape = asdict(RunShape(words=len(vocabulary), **sizes))
        return cls(replace(config, encoder=shape), vocabulary, cls.empty_network(shape))

    @staticmethod
    def empty_network(shape: Mapping[str, Any]) -> RunNetwork:
        return RunNetwork(RunShape(**shape))

    def batch(self, dialogues: Sequence[Dialogue], n: int = 1) -> list[list[ScoredScript]]:  # noqa: ARG002 - one each
        grids = [grid_of(dialogue, self.config) for dialogue in dialogues]
        found = [ScoredScript(EditScript.unchanged(dialogue), 0.0) for dialogue in dialogues]
        with_rows = [i for i, grid in enumerate(grids) if grid.rows]
        if with_rows:
            numbers = zip(*(self.numbers(grids[i]) for i in with_rows), strict=True)
            self.network.eval()
            with torch.inference_mode():
                logits = self.network(*(pad_sequence([*each], batch_first=True) for each in numbers))
                values, kinds = (each.cpu() for each in logits.float().log_softmax(dim=1).max(dim=1))
            for i, value, kind in zip(with_rows, values, kinds, strict=True):
                rows, columns = grids[i].shape
                script = grids[i].script(kind[:rows, :columns].numpy())
                found[i] = ScoredScript(script, float(value[:rows, :columns].sum()))
        return [[each] for each in found]

    def numbers(self, grid: Grid) -> tuple[Tensor, Tensor]:
        """The words of rows and columns, as the network reads them."""
        rows, columns = (torch.tensor([self.vocabulary[word] for word in words]) for words in _words(grid))
        return rows, columns


load = Run.load


def grid_of(dialogue: Dialogue, config: ModelConfig) -> Grid:
    return Grid(dialogue, topic_turns=config.topic_turns, most_rows=config.max_length)


def _words(grid: Grid) -> tuple[list[str], list[str]]:
    """Of the rows, and of the columns with the end."""
    return [row.word for row in grid.rows], [*(word.text for word in grid.dialogue.source.words), "[end]"]
