"""Tune a language model on conversations, and let it go on with others."""

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import torch
from recipes.wild.prompts import MEANS, Stretch
from torch import Tensor
from torch.nn.functional import cross_entropy

Pieces = Callable[[str], list[int]]
"""Cuts a text into the model's pieces, with nothing put around it."""

_NOT_LEARNED: Final = -100
_SORTED_TOGETHER: Final = 2_048
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
    """What the model said after a prompt."""

    question: str  # empty where only a rewrite was asked for
    rewrite: str  # empty where only a question was
    log_probability: float  # mean over the pieces of the rewrite


class LanguageModel:
    """A causal model of transformers with its tokenizer."""

    def __init__(self, network: Any, pieces: Pieces, text: Callable[[list[int]], str], *, device: str = "cpu") -> None:
        self.network, self._pieces, self._text, self.device = network.to(device), pieces, text, device
        (self._end,) = pieces("\n")
        self._means = pieces(MEANS)

    @classmethod
    def from_gguf(cls, folder: str, file: str, *, device: str) -> "LanguageModel":
        from transformers import AutoModelForCausalLM, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file)
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

    @torch.no_grad()
    def go_on(
        self,
        prompts: Sequence[Sequence[Stretch]],
        *,
        ask: bool,
        rewrite: bool = True,
        temperature: float = 1.0,
        most_pieces: tuple[int, int] = (36, 60),
        batch_size: int = 256,
    ) -> list[Said]:
        """A question after each prompt, drawn by chance, and what it means, the most probable; or one of both."""
        ids = [self.ids(prompt) for prompt in prompts]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        said: dict[int, Said] = {}
        self.network.eval()
        for start in range(0, len(order), batch_size):
            some = order[start : start + batch_size]
            rows = _Rows([ids[i] for i in some], self._end, self._means, ask=ask, rewrite=rewrite, most=most_pieces)
            self._fill(rows, temperature)
            said.update(zip(some, rows.said(self._text), strict=True))
        return [said[i] for i in range(len(ids))]

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

    def _fill(self, rows: "_Rows", temperature: float) -> None:
        ids, mask = rows.padded(self.device)
        places = (mask.cumsum(1) - 1).clamp(min=0)
        past = None
        while not rows.done:
            with self._half():
                out = self.network(
                    input_ids=ids,
                    attention_mask=mask,
                    position_ids=places,
                    past_key_values=past,
                    use_cache=True,
                    logits_to_keep=1,
                )
            past, logits = out.past_key_values, out.logits[:, -1].float().cpu()
            likely = (logits / temperature).topk(min(200, logits.shape[-1]))
            drawn = likely.indices.gather(1, torch.multinomial(likely.values.softmax(-1), 1))[:, 0]
            best = logits.log_softmax(-1).max(-1)
            nxt = rows.add(drawn.tolist(), best.indices.tolist(), best.values.tolist())
            ids = torch.tensor(nxt, device=self.device)[:, None]
            places = places[:, -1:] + 1
            mask = torch.cat([mask, torch.ones_like(ids)], 1)

    def _half(self) -> torch.autocast:
        return torch.autocast(self.device.split(":")[0], dtype=torch.bfloat16, enabled=self.device != "cpu")


class _Row:
    """What is said after one prompt, piece by piece: a question, `Means:`, a rewrite."""

    def __init__(self, end: int, means: Sequence[int], *, ask: bool, rewrite: bool, most: tuple[int, int]) -> None:
        self._end, self._means, self._rewrite, self._most = end, list(means), rewrite, most
        self.question: list[int] = []
        self.rewritten: list[int] = []
        self.log_probabilities: list[float] = []
        self._forced: list[int] = []
        self._asking, self.done = ask, False

    def add(self, drawn: int, best: int, log_probability: float) -> int:
        """Take the next piece, which is said back; the end of a line is repeated once all is said."""
        if self.done:
            return self._end
        if self._forced:
            return self._forced.pop(0)
        if self._asking:
            if drawn == self._end or len(self.question) == self._most[0]:
                self._asking, self.done = False, not self._rewrite
                self._forced = list(self._means)
                return self._end
            self.question.append(drawn)
            return drawn
        self.log_probabilities.append(log_probability)
        if best == self._end or len(self.rewritten) == self._most[1]:
            self.done = True
            return self._end
        self.rewritten.append(best)
        return best


class _Rows:
    """Prompts that are read together."""

    def __init__(
        self,
        ids: Sequence[list[int]],
        end: int,
        means: Sequence[int],
        *,
        ask: bool,
        rewrite: bool,
        most: tuple[int, int],
    ) -> None:
        self._ids = ids
        self._rows = [_Row(end, means, ask=ask, rewrite=rewrite, most=most) for _ in ids]

    @property
    def done(self) -> bool:
        return all(row.done for row in self._rows)

    def padded(self, device: str) -> tuple[Tensor, Tensor]:
        """The prompts with padding in front, and which of their pieces count."""
        length = max(map(len, self._ids))
        ids = torch.tensor([[0] * (length - len(each)) + each for each in self._ids], device=device)
        mask = torch.tensor([[0] * (length - len(each)) + [1] * len(each) for each in self._ids], device=device)
        return ids, mask

    def add(self, drawn: Sequence[int], best: Sequence[int], log_probabilities: Sequence[float]) -> list[int]:
        each = zip(self._rows, drawn, best, log_probabilities, strict=True)
        return [row.add(piece, likeliest, log_probability) for row, piece, likeliest, log_probability in each]

    def said(self, text: Callable[[list[int]], str]) -> Iterator[Said]:
        for row in self._rows:
            mean = sum(row.log_probabilities) / max(len(row.log_probabilities), 1)
            yield Said(text(row.question).strip(), text(row.rewritten).strip(), mean)


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
