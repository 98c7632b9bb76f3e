"""Ptr-Gen as a model: what it generates, said as an edit script, so that it is explained and scored like the others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Final, NamedTuple, Self

import torch
from torch import Tensor

from utterly.baselines.learned import UNKNOWN, Learned, Vocabulary
from utterly.baselines.ptr_gen.beam import State, beam_search
from utterly.baselines.ptr_gen.network import END, START, PtrGenNetwork, PtrGenShape
from utterly.dialogues.dialogue import Dialogue
from utterly.labels.extract import LabelExtractor
from utterly.labels.syntax import NoSyntax
from utterly.model.decode import ScoredScript
from utterly.model.folder import ModelConfig

KIND: Final = "ptr-gen"
_SPECIAL: Final = ("[pad]", "[unk]", "[start]", "[end]", "[turn]")
_TURN: Final = "[turn]"
_MOST_WORDS: Final = 50_000  # of the vocabulary, as See et al.
_LONGER: Final = 30  # words that a rewrite may have more than its source


class Reading(NamedTuple):
    """A dialogue in the extended vocabulary, and the words that extend it."""

    words: list[int]
    new: list[str]


@dataclass(frozen=True)
class PtrGen(Learned):
    network: PtrGenNetwork

    title: ClassVar = "Ptr-Gen"

    @classmethod
    def untrained(cls, config: ModelConfig, dialogues: Iterable[Dialogue], **sizes: Any) -> Self:
        turns = (turn for each in dialogues for turn in (*each.context, each.source, each.target or each.source))
        words = (word.text for turn in turns for word in turn.words)
        vocabulary = Vocabulary.of(words, special=_SPECIAL, most=_MOST_WORDS)
        shape = asdict(PtrGenShape(words=len(vocabulary), **sizes))
        return cls(replace(config, encoder=shape), vocabulary, cls.empty_network(shape))

    @staticmethod
    def empty_network(shape: Mapping[str, Any]) -> PtrGenNetwork:
        return PtrGenNetwork(PtrGenShape(**shape))

    def scripts(self, dialogue: Dialogue, n: int = 1) -> list[ScoredScript]:
        reading = self.reading(dialogue)
        size = len(self.vocabulary) + len(reading.new)
        self.network.eval()

        def step(state: State, last: Tensor) -> tuple[Tensor, State]:
            log_probs, state = self.network.step(memory.of(0, len(last)), state, last, size)
            log_probs[:, [0, UNKNOWN, START, self.vocabulary.numbers[_TURN]]] = -torch.inf
            return log_probs, state

        with torch.inference_mode():
            memory, first = self.network.read(torch.tensor([reading.words], device=self.device))
            width = max(n, self.config.decode.beam)
            longest = len(dialogue.source.words) + _LONGER
            found = beam_search(step, first, start=START, end=END, width=width, longest=longest)
        texts = [self._text(each.words, reading, dialogue) for each in found[:n]]
        labels = LabelExtractor(NoSyntax()).extract([dialogue.with_target(text) for text in texts])
        return [
            ScoredScript(replace(each.script, dialogue=dialogue), hypothesis.log_probability)
            for each, hypothesis in zip(labels, found, strict=False)
        ]

    def reading(self, dialogue: Dialogue) -> Reading:
        """The newest words that fit, turns apart, in the extended vocabulary."""
        turns = [*dialogue.context, dialogue.source]
        words = [word for turn in turns for word in (*(w.text.casefold() for w in turn.words), _TURN)]
        new: list[str] = []
        numbers = []
        for word in words[-self.config.max_length :]:
            number = self.vocabulary.numbers.get(word)
            if number is None and word not in new:
                new.append(word)
            numbers.append(len(self.vocabulary) + new.index(word) if number is None else number)
        return Reading(numbers, new)

    def target(self, dialogue: Dialogue, reading: Reading) -> list[int]:
        """The words to generate, and the end; one that is neither known nor in the dialogue is unknown."""
        extended = {word: len(self.vocabulary) + i for i, word in enumerate(reading.new)}
        words = [word.text.casefold() for word in dialogue.target.words] if dialogue.target else []
        return [*(self.vocabulary.numbers.get(word, extended.get(word, UNKNOWN)) for word in words), END]

    def _text(self, words: Sequence[int], reading: Reading, dialogue: Dialogue) -> str:
        known = (*self.vocabulary.words, *reading.new)
        return ("" if dialogue.language == "zh" else " ").join(known[word] for word in words)


load = PtrGen.load
