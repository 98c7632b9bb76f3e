"""RUN as a model: a dialogue's grid, the network's cells, the script that they say."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from utterly.baselines.run.grid import Grid
from utterly.baselines.run.network import RunNetwork, RunShape
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ModelError
from utterly.files import written_whole
from utterly.model.decode import ScoredScript
from utterly.model.folder import WEIGHTS, ModelConfig, ModelFolder, write_card_and_config
from utterly.model.model import ScriptModel
from utterly.scripts.edits import EditScript

KIND: Final = "run"
_VOCABULARY: Final = "vocabulary.json"
_SPECIAL: Final = ("[PAD]", "[UNK]", "[END]")
_UNKNOWN, _END = 1, 2


@dataclass(frozen=True)
class Run(ScriptModel):
    vocabulary: Mapping[str, int]
    network: RunNetwork

    @classmethod
    def untrained(cls, config: ModelConfig, dialogues: Iterable[Dialogue], **sizes: Any) -> Self:
        """A network for the words that occur twice or more in some dialogues."""
        counts = Counter(word for dialogue in dialogues for word in _words(grid_of(dialogue, config)))
        known = (*_SPECIAL, *sorted(word for word, count in counts.items() if count > 1))
        shape = RunShape(words=len(known), **sizes)
        config = _with_shape(config, shape)
        return cls(config, {word: number for number, word in enumerate(known)}, RunNetwork(shape))

    def scripts(self, dialogue: Dialogue, n: int = 1) -> list[ScoredScript]:  # noqa: ARG002 - it has only one
        grid = grid_of(dialogue, self.config)
        if not grid.rows:
            return [ScoredScript(EditScript.unchanged(dialogue), 0.0)]
        self.network.eval()
        with torch.inference_mode():
            rows, columns = (numbers.unsqueeze(0).to(self.network.device) for numbers in self.numbers(grid))
            best = self.network(rows, columns)[0].log_softmax(dim=0).max(dim=0)  # each (rows, columns)
        return [ScoredScript(grid.script(best.indices.cpu().numpy()), float(best.values.sum()))]

    def numbers(self, grid: Grid) -> tuple[Tensor, Tensor]:
        """The words of rows and columns, as the network reads them."""
        words = [row.word.casefold() for row in grid.rows], [w.text.casefold() for w in grid.dialogue.source.words]
        rows, columns = ([self.vocabulary.get(word, _UNKNOWN) for word in each] for each in words)
        return torch.tensor(rows), torch.tensor([*columns, _END])

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        save_file({name: weight.contiguous() for name, weight in self.network.state_dict().items()}, folder / WEIGHTS)
        with written_whole(folder / _VOCABULARY) as file:
            json.dump([*self.vocabulary], file, ensure_ascii=False)
        about = "# RUN\n\nRewriting as segmentation of a word matrix. Load it with `Rewriter.load(folder)`.\n"
        write_card_and_config(folder, self.config, about, files=(WEIGHTS, _VOCABULARY))


def load(folder: ModelFolder, device: str) -> Run:
    try:
        known = json.loads((folder.path / _VOCABULARY).read_text(encoding="utf-8"))
        network = RunNetwork(RunShape(**folder.config.encoder))
        network.load_state_dict(load_file(folder.path / WEIGHTS))
    except (OSError, ValueError, TypeError, RuntimeError) as wrong:
        raise ModelError(f"{folder.path}: cannot read this RUN model: {wrong}; train it again") from None
    return Run(folder.config, {word: number for number, word in enumerate(known)}, network.to(device).eval())


def grid_of(dialogue: Dialogue, config: ModelConfig) -> Grid:
    return Grid(dialogue, topic_turns=config.topic_turns, most_rows=config.max_length)


def _words(grid: Grid) -> list[str]:
    return [row.word.casefold() for row in grid.rows] + [word.text.casefold() for word in grid.dialogue.source.words]


def _with_shape(config: ModelConfig, shape: RunShape) -> ModelConfig:
    return ModelConfig(**{**vars(config), "encoder": asdict(shape)})
