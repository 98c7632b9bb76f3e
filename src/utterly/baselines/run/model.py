"""RUN as a model: a dialogue's grid, the network's cells, the script that they say."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Final, Self

import torch
from torch import Tensor

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
    def untrained(cls, config: ModelConfig, dialogues: Iterable[Dialogue], **sizes: int) -> Self:
        words = (word for dialogue in dialogues for each in _words(grid_of(dialogue, config)) for word in each)
        vocabulary = Vocabulary.of(words, special=_SPECIAL)
        shape = asdict(RunShape(words=len(vocabulary), **sizes))
        return cls(replace(config, encoder=shape), vocabulary, cls.empty_network(shape))

    @staticmethod
    def empty_network(shape: Mapping[str, Any]) -> RunNetwork:
        return RunNetwork(RunShape(**shape))

    def scripts(self, dialogue: Dialogue, n: int = 1) -> list[ScoredScript]:  # noqa: ARG002 - it has only one
        grid = grid_of(dialogue, self.config)
        if not grid.rows:
            return [ScoredScript(EditScript.unchanged(dialogue), 0.0)]
        self.network.eval()
        with torch.inference_mode():
            rows, columns = (numbers.unsqueeze(0).to(self.device) for numbers in self.numbers(grid))
            best = self.network(rows, columns)[0].log_softmax(dim=0).max(dim=0)  # each (rows, columns)
        return [ScoredScript(grid.script(best.indices.cpu().numpy()), float(best.values.sum()))]

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
