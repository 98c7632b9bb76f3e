"""Ptr-Gen as a model: the generated text becomes an edit script, so it is explained and scored like any other."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Final, NamedTuple, Self

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from utterly.baselines.learned import UNKNOWN, Learned, Vocabulary
from utterly.baselines.ptr_gen.beam import Hypothesis, State, beam_search
from utterly.baselines.ptr_gen.network import END, START, PtrGenNetwork, PtrGenShape
from utterly.baselines.window import turns_that_fit
from utterly.dialogues.dialogue import Dialogue
from utterly.labels.extract import LabelExtractor
from utterly.labels.syntax import NoSyntax
from utterly.model.decode import ScoredScript
from utterly.model.model import ModelConfig

_SPECIAL: Final = ("[pad]", "[unk]", "[start]", "[end]", "[turn]")
_TURN: Final = "[turn]"
_MOST_WORDS: Final = 50_000  # in the vocabulary, as in See et al.
_LONGER: Final = 30  # a rewrite may have this many words more than its source


class Reading(NamedTuple):
    """A dialogue in the extended vocabulary, and the words that extend it."""

    words: list[int]
    new: list[str]


@dataclass(frozen=True)
class PtrGen(Learned):
    vocabulary: Vocabulary
    network: PtrGenNetwork

    title: ClassVar = "Ptr-Gen"

    @classmethod
    def untrained(
        cls, config: ModelConfig, dialogues: Iterable[Dialogue], *, words: int = _MOST_WORDS, **sizes: Any
    ) -> Self:
        """With a vocabulary of the `words` most frequent words in these dialogues."""
        turns = (turn for each in dialogues for turn in (*each.context, each.source, each.target or each.source))
        said = (word.text for turn in turns for word in turn.words)
        vocabulary = Vocabulary.of(said, special=_SPECIAL, most=words)
        shape = asdict(PtrGenShape(words=len(vocabulary), **sizes))
        return cls(replace(config, encoder=shape), vocabulary, cls.empty_network(shape))

    @staticmethod
    def empty_network(shape: Mapping[str, Any]) -> PtrGenNetwork:
        return PtrGenNetwork(PtrGenShape(**shape))

    def batch(self, dialogues: Sequence[Dialogue], n: int = 1) -> list[list[ScoredScript]]:
        readings = [self.reading(dialogue) for dialogue in dialogues]
        size = len(self.vocabulary) + max(len(reading.new) for reading in readings)
        width = max(n, self.config.decode.beam)
        never = [0, UNKNOWN, START, self.vocabulary.numbers[_TURN]]
        self.network.eval()

        def step(state: State, last: Tensor) -> tuple[Tensor, State]:
            log_probs, state = self.network.step(memory, state, last, size)
            log_probs[:, never] = -torch.inf
            return log_probs, state

        with torch.inference_mode():
            texts = pad_sequence([torch.tensor(reading.words) for reading in readings], batch_first=True)
            memory, first = self.network.read(texts)
            memory = memory.repeated(width)
            longest = [len(dialogue.source.words) + _LONGER for dialogue in dialogues]
            found = beam_search(step, first, start=START, end=END, width=width, longest=longest)
        return [self._scripts(*each) for each in zip(dialogues, readings, (some[:n] for some in found), strict=True)]

    def _scripts(self, dialogue: Dialogue, reading: Reading, found: Sequence[Hypothesis]) -> list[ScoredScript]:
        known = (*self.vocabulary.words, *reading.new)
        blank = "" if dialogue.language == "zh" else " "
        texts = [blank.join(known[word] for word in each.words) for each in found]
        labels = LabelExtractor(NoSyntax()).extract([dialogue.with_target(text) for text in texts])
        return [
            ScoredScript(replace(each.script, dialogue=dialogue), hypothesis.log_probability)
            for each, hypothesis in zip(labels, found, strict=True)
        ]

    def reading(self, dialogue: Dialogue) -> Reading:
        """The turns that fit, each followed by `[turn]`, in the extended vocabulary."""
        most = self.config.max_length - len(dialogue.source.words) - 1
        turns = turns_that_fit(dialogue, topic_turns=self.config.topic_turns, most=most)
        new: dict[str, int] = {}
        numbers = []
        for turn in (*(dialogue.context[i] for i in turns), dialogue.source):
            for word in (*(each.text.casefold() for each in turn.words), _TURN):
                number = self.vocabulary.numbers.get(word)
                numbers.append(new.setdefault(word, len(self.vocabulary) + len(new)) if number is None else number)
        return Reading(numbers, [*new])

    def target(self, dialogue: Dialogue, reading: Reading) -> list[int]:
        """The words to generate, and the end. A word outside the extended vocabulary is unknown."""
        extended = {word: len(self.vocabulary) + i for i, word in enumerate(reading.new)}
        words = [word.text.casefold() for word in dialogue.target.words] if dialogue.target else []
        return [*(self.vocabulary.numbers.get(word, extended.get(word, UNKNOWN)) for word in words), END]


load = PtrGen.load
