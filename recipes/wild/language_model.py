"""Tune a language model on conversations, and let it go on with others."""

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import torch
from recipes.wild.generation import Conversations, Line
from recipes.wild.prompts import Stretch
from torch import Tensor
from torch.nn.functional import cross_entropy

Pieces = Callable[[str], list[int]]
"""Cuts a text into the model's pieces, with nothing put around it."""

_NOT_LEARNED: Final = -100
_SORTED_TOGETHER: Final = 2_048
_ROWS: Final = 256
_WARMUP_STEPS: Final = 20
_LEAST_RATE: Final = 0.05  # share of the highest, at the end


@dataclass(frozen=True, kw_only=True)
class TuneSettings:
    seconds: float = 190.0  # of training at most; the rate falls with the time that is spent
    learning_rate: float = 2e-5
    pieces_a_batch: int = 16_384
    most_pieces: int = 1_100
    seed: int = 0


class Said(NamedTuple):
    """A line that the model said."""

    text: str
    log_probability: float  # mean over its pieces


class LanguageModel:
    """A causal model of transformers with its tokenizer."""

    def __init__(self, network: Any, pieces: Pieces, text: Callable[[list[int]], str], *, device: str = "cpu") -> None:
        self.network, self._pieces, self._text, self.device = network.to(device), pieces, text, device
        (self._end,) = pieces("\n")

    @classmethod
    def from_gguf(cls, folder: str, file: str, *, device: str) -> "LanguageModel":
        from transformers import AutoModelForCausalLM, AutoTokenizer

        ready = (Path(folder) / "tokenizer.json").exists()  # the file's own takes a minute to be read
        tokenizer = AutoTokenizer.from_pretrained(folder, **({} if ready else {"gguf_file": file}))
        network = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file, dtype=torch.float32)

        def pieces(text: str) -> list[int]:
            return list(tokenizer(text, add_special_tokens=False).input_ids)

        return cls(network, pieces, lambda ids: str(tokenizer.decode(ids)), device=device)

    def ids(self, stretches: Sequence[Stretch]) -> list[int]:
        return [piece for stretch in stretches for piece in self._pieces(stretch.text)]

    def tune(self, sequences: Sequence[Sequence[Stretch]], settings: TuneSettings) -> float:
        """Learn each sequence once, or as many as the time allows; returns the last loss."""
        examples = [self._example(each)[: settings.most_pieces] for each in sequences]
        batches = _batches(examples, settings)
        optimizer = torch.optim.AdamW(self.network.parameters(), lr=1.0, betas=(0.9, 0.98), weight_decay=0.01)
        began, loss = time.monotonic(), torch.tensor(math.nan)
        self.network.train()
        for step, batch in enumerate(batches):
            progress = max(step / len(batches), (time.monotonic() - began) / settings.seconds)
            if progress >= 1:
                break
            fallen = _LEAST_RATE + (1 - _LEAST_RATE) * (1 + math.cos(math.pi * progress)) / 2
            for group in optimizer.param_groups:
                group["lr"] = settings.learning_rate * min(1.0, (step + 1) / _WARMUP_STEPS) * fallen
            loss = self._loss([examples[i] for i in batch])
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        return loss.item()

    def conversations(self, rows: int, most_pieces: int) -> Conversations:
        """Empty ones to go on with, in half precision on a GPU; the model is not to be tuned after that."""
        self.network.eval()
        if self.device != "cpu":
            self.network.to(torch.bfloat16)
        return Conversations(self.network, rows, most_pieces, end=self._end)

    def complete(
        self, prompts: Sequence[Sequence[Stretch]], *, most_pieces: int, temperature: float = 0.0
    ) -> list[Said]:
        """The line that follows each prompt."""
        ids = [self.ids(prompt) for prompt in prompts]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        said: dict[int, Said] = {}
        for start in range(0, len(order), _ROWS):
            some = order[start : start + _ROWS]
            rows = self.conversations(len(some), len(ids[some[-1]]) + most_pieces + 1)
            rows.read([ids[i] for i in some])
            said.update(zip(some, map(self.said, rows.say(most_pieces, temperature=temperature)), strict=True))
        return [said[i] for i in range(len(ids))]

    def said(self, line: Line) -> Said:
        """A line as text; one that was cut off says nothing."""
        return Said(self._text(line.pieces).strip() if line.ended else "", line.log_probability)

    def _example(self, stretches: Sequence[Stretch]) -> list[tuple[int, bool]]:
        return [(piece, stretch.learned) for stretch in stretches for piece in self._pieces(stretch.text)]

    def _loss(self, examples: Sequence[Sequence[tuple[int, bool]]]) -> Tensor:
        """Padding stands behind, so that a causal model needs no mask."""
        length = max(map(len, examples))
        ids = torch.zeros(len(examples), length, dtype=torch.long)
        labels = torch.full_like(ids, _NOT_LEARNED)
        for row, example in enumerate(examples):
            ids[row, : len(example)] = torch.tensor([piece for piece, _ in example])
            wanted = [piece if learned else _NOT_LEARNED for piece, learned in example]
            labels[row, : len(example)] = torch.tensor(wanted)
        ids, labels = ids.to(self.device), labels.to(self.device)
        learned = labels[:, 1:] != _NOT_LEARNED
        with self._half():
            read = self.network.base_model(input_ids=ids, use_cache=False).last_hidden_state
            logits = self.network.get_output_embeddings()(read[:, :-1][learned])
        return cross_entropy(logits.float(), labels[:, 1:][learned])

    def _half(self) -> torch.autocast:
        return torch.autocast(self.device.split(":")[0], dtype=torch.bfloat16, enabled=self.device != "cpu")


def _batches(examples: Sequence[Sequence[object]], settings: TuneSettings) -> list[list[int]]:
    """Examples of about equal length together, in an order that the seed decides."""
    rng = random.Random(settings.seed)  # noqa: S311 - no secret
    order = rng.sample(range(len(examples)), len(examples))
    batches: list[list[int]] = []
    for start in range(0, len(order), _SORTED_TOGETHER):
        batch: list[int] = []
        for i in sorted(order[start : start + _SORTED_TOGETHER], key=lambda i: len(examples[i])):
            if batch and len(examples[i]) * (len(batch) + 1) > settings.pieces_a_batch:
                batches.append(batch)
                batch = []
            batch.append(i)
        batches.append(batch)
    rng.shuffle(batches)
    return batches
