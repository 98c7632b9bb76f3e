"""Encode words as pieces: the input arrays of a tagger, and the word and turn of each index.

    [CLS] turn [SEP] turn [SEP] ... source [SEP]

A word is read at its first piece, the end of the source at the last [SEP]. Index 0 of the context is [CLS]: not a
word, but the stop symbol of MST. If a dialogue is too long, `utterly.model.window` chooses which part of its context is
read; the source is never cut.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from utterly.dialogues.dialogue import SHORT_TEXT, Dialogue, split_words
from utterly.errors import PiecesError
from utterly.model.guards import Stretches, stretches
from utterly.model.window import LOOKED_AT, WINDOWS, Places, WordPieces
from utterly.scripts.edits import Rule, Span

Indices = NDArray[np.int64]

STOP: Final = 0
"""The context index for "no further span"."""

_MAX_PIECES_A_WORD: Final = 24  # a longer word is a web address or noise: its beginning is enough
_MAX_CHARACTERS_A_WORD: Final = 1_000
_MAX_COUNTED_WORDS: Final = 4_096  # of a source that is too long anyway


@dataclass(frozen=True, eq=False)
class Pieces:
    """A dialogue as a tagger reads it."""

    ids: Indices  # (pieces,)
    types: Indices  # (pieces,): 0 in the context, 1 in the source
    source: Indices  # (source words + 1,): the piece of each source word, then that of the end
    context: Indices  # (context words + 1,): the piece of [CLS], then that of each context word in the window
    turns: Indices  # (context words + 1,): the turn of each; -1 for [CLS]
    words: Indices  # (context words + 1,): its position in the turn; -1 for [CLS]
    firsts: Indices  # (context words + 1,): the stretch in which it may begin a span; see `model.guards`
    lasts: Indices  # (context words + 1,): the stretch in which it may end a span

    @cached_property
    def _index(self) -> dict[tuple[int, int], int]:
        return {place: i for i, place in enumerate(zip(self.turns.tolist(), self.words.tolist(), strict=True))}

    def __getstate__(self) -> dict[str, Indices]:
        """Pickled without its index, which is larger than all the rest."""
        return {name: value for name, value in vars(self).items() if name != "_index"}

    def ends_of(self, span: Span) -> tuple[int, int] | None:
        """The context indices of a span's first and last word; None if a word of it is outside the window."""
        first = self._index.get((span.turn, span.start))
        last = self._index.get((span.turn, span.stop - 1))
        return None if first is None or last is None or last - first != len(span) - 1 else (first, last)

    def span_at(self, first: int, last: int) -> Span:
        """The span between two context indices, both inclusive: the inverse of `ends_of`."""
        return Span(int(self.turns[first]), int(self.words[first]), int(self.words[last]) + 1)


class PieceEncoder:
    """Cuts words into pieces with a Hugging Face tokenizer, and packs dialogues into a window."""

    def __init__(
        self, tokenizer: Tokenizer, *, max_length: int = 512, topic_turns: int = 2, window: str = "newest"
    ) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.tokenizer, self.max_length, self.topic_turns, self.window = tokenizer, max_length, topic_turns, window
        around = tokenizer.encode("").ids
        if len(around) != 2:
            raise PiecesError(
                f"the tokenizer must put one piece before and one after a text, as BERT's does, got {len(around)}; "
                "use an encoder of the BERT, MPNet, RoBERTa or ModernBERT family"
            )
        self._first, self._last = around
        # A turn is encoded again for each later turn. Few long texts are cached, as in `split_words`.
        self._cut_short = lru_cache(maxsize=1_024)(self._pieces_of_words)
        self._cut_long = lru_cache(maxsize=32)(self._pieces_of_words)
        self._stretches_of_short = lru_cache(maxsize=1_024)(stretches)
        self._stretches_of_long = lru_cache(maxsize=32)(stretches)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without the caches."""
        made = partial(PieceEncoder, max_length=self.max_length, topic_turns=self.topic_turns, window=self.window)
        return made, (self.tokenizer,)

    def cuts_like(self, other: "PieceEncoder") -> bool:
        """Whether both encode every dialogue alike."""
        mine, theirs = ((e.tokenizer.to_str(), e.max_length, e.topic_turns, e.window) for e in (self, other))
        return mine == theirs

    @classmethod
    def from_folder(
        cls, folder: Path | str, *, max_length: int = 512, topic_turns: int = 2, window: str = "newest"
    ) -> "PieceEncoder":
        path = Path(folder) / "tokenizer.json"
        if not path.is_file():
            raise PiecesError(
                f"{folder}: an encoder needs a fast tokenizer, the file tokenizer.json; "
                "save it with AutoTokenizer.from_pretrained(...).save_pretrained(...)"
            )
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as wrong:  # noqa: BLE001 - its only kind of error
            raise PiecesError(f"{path}: must be a Hugging Face tokenizer, but {wrong}; save it again") from None
        return cls(tokenizer, max_length=max_length, topic_turns=topic_turns, window=window)

    def encode(self, dialogue: Dialogue) -> Pieces:
        """The pieces of a dialogue, as far as they fit into the window."""
        source = self._cut(dialogue.source.text)
        budget = self.max_length - 2 - sum(map(len, source))
        if budget < 0:
            raise self._too_long(dialogue.source.text)
        ids, turns, words = [self._first], [-1], [-1]
        firsts, lasts = [-1], [-2]
        context = [0]
        before = 0  # at least the number of stretches in the turns before
        for turn, places in sorted(self._read(dialogue, budget).items()):
            text = dialogue.context[turn].text
            answer = (len(dialogue.context) - turn) % 2 == 1  # speakers take turns, mostly
            pieces, limits = self._cut(text), self._stretches(text, places[-1] + 1 if places else 0, answer=answer)
            for place in places:
                first, last = limits.firsts[place], limits.lasts[place]
                firsts.append(first + before if first >= 0 else first)
                lasts.append(last + before if last >= 0 else last)
                context.append(len(ids))
                turns.append(turn)
                words.append(place)
                ids += pieces[place]
            ids.append(self._last)
            before += 2 * len(limits.firsts) + 1
        source_starts = []
        types = [0] * len(ids)
        for word in source:
            source_starts.append(len(ids))
            ids += word
        source_starts.append(len(ids))
        ids.append(self._last)
        types += [1] * (len(ids) - len(types))
        arrays = (ids, types, source_starts, context, turns, words, firsts, lasts)
        return Pieces(*(np.array(each, dtype=np.int64) for each in arrays))

    def encode_rule(self, rule: Rule) -> list[int]:
        """[CLS] and the pieces of a rule; slot j is -1 - j, for the tagger's own slot embeddings."""
        ids, slot = [self._first], 0
        for part in rule.parts:
            if part is None:
                slot += 1
                ids.append(-slot)
            else:
                ids += (piece for word in self._pieces_of_words(" " + part) for piece in word)
        return ids

    def _read(self, dialogue: Dialogue, room: int) -> Places:
        """The context words to read: all of them, if there is room."""
        whole: Places = {}
        needed = 0
        for turn in range(len(dialogue.context) - 1, -1, -1):
            words = self._cut(dialogue.context[turn].text)
            whole[turn] = range(len(words))
            needed += sum(map(len, words)) + 1  # for the piece after a turn
            if needed > room:
                return WINDOWS[self.window](dialogue, self._cut, room, self.topic_turns)
        return whole

    def _cut(self, text: str) -> list[WordPieces]:
        return self._cut_short(text) if len(text) <= SHORT_TEXT else self._cut_long(text)

    def _stretches(self, text: str, count: int, *, answer: bool) -> Stretches:
        found = self._stretches_of_short if len(text) <= SHORT_TEXT else self._stretches_of_long
        return found(text, count, answer=answer)

    def _too_long(self, source: str) -> PiecesError:
        words = self._pieces_of_words(source, most=_MAX_COUNTED_WORDS)
        more = "more than " * (len(words) == _MAX_COUNTED_WORDS)
        count = sum(map(len, words)) + 2
        return PiecesError(
            f"the turn is too long: it must fit into {self.max_length} pieces, got {more}{count}; shorten it"
        )

    def _pieces_of_words(self, text: str, most: int | None = None) -> list[WordPieces]:
        """The pieces of each word, at least one. A word keeps the space before it, for byte-level pieces.

        Stops one word after the most that the window looks at, to show that there are more.
        """
        words, stop = [], 0
        for said in split_words(text, LOOKED_AT[self.window] * self.max_length + 1 if most is None else most):
            words.append(" " * (stop < said.start) + said.text[:_MAX_CHARACTERS_A_WORD])
            stop = said.stop
        if not words:
            return []
        encoding = self.tokenizer.encode(words, is_pretokenized=True, add_special_tokens=False)
        pieces: list[list[int]] = [[] for _ in words]
        for word, piece in zip(encoding.word_ids, encoding.ids, strict=True):
            if word is not None and len(pieces[word]) < _MAX_PIECES_A_WORD:
                pieces[word].append(piece)
        # A word that the tokenizer strips entirely still needs a piece.
        return [tuple(word) or (self._last,) for word in pieces]
