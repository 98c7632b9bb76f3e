"""The edit script: the one language that labels write, taggers predict and `apply` turns into text.

    Span        words start..stop of one context turn
    Rule        words and slots to insert: `besides _`
    Edit        at one source word: keep it or not, and what to insert before it
    EditScript  a dialogue with one edit per source word, plus one for the end

Each value is checked where it is built, so a script that exists can be applied.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, Self

from utterly.dialogues.dialogue import Dialogue, Word, gaps, is_cjk, split_words
from utterly.errors import EditError

SLOT: Final = None
"""A part of a rule that a context span fills."""

SLOT_MARK: Final = "_"
NULL_MARK: Final = "∅"
_SENTENCE_ENDS: Final = frozenset(". ! ? … 。 ！ ？".split())

_JOINS_LEFT: Final = frozenset(
    ", . ; : ! ? ) ] } % ' ’ ” » … 's ’s 'm ’m 'd ’d 're ’re 've ’ve 'll ’ll n't n’t - / "
    "， 。 、 ； ： ！ ？ ） 】 》 」 』 ％ ، ؛ ؟".split()
)
_JOINS_RIGHT: Final = frozenset("( [ { $ £ € ¥ “ ‘ « - / （ 【 《 「 『".split())

# Words that are capitalised only at the start of a sentence.
_OPENERS: Final = frozenset(
    "a an the this that these those my your his her its our their he she it we they you some any all both each "
    "every no in on at of to for from by with about after before during besides and or but as if while because "
    "what who whom whose which when where why how is are was were do does did has have had can could would should "
    "not there".split()
)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Words start..stop of context turn `turn`, all counted from 0; stop is exclusive, as in a slice."""

    turn: int
    start: int
    stop: int

    def __post_init__(self) -> None:
        # Not isinstance: bool is a subclass of int.
        whole = type(self.turn) is type(self.start) is type(self.stop) is int
        if not whole or self.turn < 0 or self.start < 0 or self.stop <= self.start:
            raise EditError(
                "a span needs whole numbers with turn >= 0 and 0 <= start < stop, got "
                f"turn {self.turn!r}, start {self.start!r}, stop {self.stop!r}"
            )

    def __len__(self) -> int:
        return self.stop - self.start

    def words_in(self, dialogue: Dialogue) -> tuple[str, ...]:
        return tuple(word.text for word in split_words(dialogue.context[self.turn].text, self.stop)[self.start :])

    def characters_in(self, dialogue: Dialogue) -> tuple[int, int]:
        """First character and the one after the last, in the text of the turn."""
        words = split_words(dialogue.context[self.turn].text, self.stop)
        return words[self.start].start, words[self.stop - 1].stop


@dataclass(frozen=True, slots=True)
class Rule:
    """What to insert before a source word: words, and slots (`SLOT`) that spans fill, in order.

    >>> str(Rule(("besides", SLOT))), str(Rule.glue(2)), str(NULL_RULE)
    ('besides _', '_ _', '∅')
    """

    parts: tuple[str | None, ...] = ()

    def __post_init__(self) -> None:
        parts: object = self.parts  # whatever was given
        if not isinstance(parts, tuple):
            raise EditError(f"a rule must be a tuple of parts, got {parts!r}; `Rule.parse` makes one from text")
        for part in parts:
            if part is not SLOT and not _is_word(part):
                raise EditError(
                    f"a part of a rule must be SLOT or one word, without spaces and in valid Unicode, got {part!r}"
                )

    @classmethod
    def glue(cls, slots: int) -> Self:
        """The rule of `slots` slots and no words."""
        return cls((SLOT,) * slots)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of `str`: parts separated by spaces, `_` for a slot, `\\_` for a literal underscore."""
        if text == NULL_MARK:
            return cls()
        return cls(tuple(SLOT if part == SLOT_MARK else part.removeprefix("\\") for part in text.split()))

    @property
    def slots(self) -> int:
        return sum(part is SLOT for part in self.parts)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(part for part in self.parts if part is not SLOT)

    @property
    def is_glue(self) -> bool:
        return bool(self.parts) and self.slots == len(self.parts)

    def __str__(self) -> str:
        if not self.parts:
            return NULL_MARK
        return " ".join(SLOT_MARK if part is SLOT else _escaped(part) for part in self.parts)


NULL_RULE: Final = Rule()
"""Insert nothing."""


def _is_word(part: object) -> bool:
    return isinstance(part, str) and part.split() == [part] and part == part.encode(errors="ignore").decode()


def _escaped(word: str) -> str:
    return "\\" + word if word in (SLOT_MARK, NULL_MARK) or word.startswith("\\") else word


@dataclass(frozen=True, slots=True)
class Edit:
    """At one source word: whether it stays, and the rule inserted before it with a span per slot."""

    keep: bool = True
    rule: Rule = NULL_RULE
    spans: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        typed = all(map(isinstance, (self.keep, self.rule, self.spans), (bool, Rule, tuple)))
        if not typed or not all(isinstance(span, Span) for span in self.spans):
            raise EditError(
                "an edit needs keep (True or False), a Rule and a tuple of Spans, got "
                f"{self.keep!r}, {self.rule!r} and {self.spans!r}"
            )
        if len(self.spans) != self.rule.slots:
            raise EditError(
                f"rule {str(self.rule)!r} has {self.rule.slots} slot(s), got {len(self.spans)} span(s); "
                "give one span per slot, or use a glue rule of the right size"
            )

    @property
    def is_change(self) -> bool:
        return not self.keep or self.rule != NULL_RULE


KEEP: Final = Edit()
"""Keep the word, insert nothing."""


class DraftWord(NamedTuple):
    """A word of the rewrite before it is spaced. `gap` is the whitespace before it; None if still to be decided."""

    text: str
    gap: str | None
    inserted: bool


class PlacedWord(NamedTuple):
    """A word of the rewrite with the whitespace before it, and the position of the edit that inserted or kept it."""

    text: str
    edit: int
    inserted: bool


@dataclass(frozen=True)
class EditScript:
    """A dialogue and how to rewrite its source: `edits[i]` is for source word i, the last for the end."""

    dialogue: Dialogue
    edits: tuple[Edit, ...]

    def __post_init__(self) -> None:
        typed = all(map(isinstance, (self.dialogue, self.edits), (Dialogue, tuple)))
        if not typed or not all(isinstance(edit, Edit) for edit in self.edits):
            raise EditError(
                "a script needs a Dialogue and a tuple of Edits, got "
                f"{type(self.dialogue).__name__} and {type(self.edits).__name__}"
            )
        needed = len(split_words(self.dialogue.source.text)) + 1
        if len(self.edits) != needed:
            raise EditError(
                f"a source of {needed - 1} word(s) needs {needed} edits, one per word and one for the end, "
                f"got {len(self.edits)}; `EditScript.from_changes` fills in those that keep"
            )
        if not self.edits[-1].keep:
            raise EditError("the last edit stands for the end of the source and must keep it; set keep=True")
        context = self.dialogue.context
        for span in (span for edit in self.edits for span in edit.spans):
            if span.turn >= len(context) or span.stop > len(split_words(context[span.turn].text, span.stop)):
                sizes = [len(turn.words) for turn in context]
                raise EditError(
                    f"{span} is outside the context, whose turns have {sizes} words; give the dialogue it was made for"
                )

    @classmethod
    def unchanged(cls, dialogue: Dialogue) -> Self:
        return cls.from_changes(dialogue, ())

    @classmethod
    def from_changes(cls, dialogue: Dialogue, changes: Iterable[tuple[int, Edit]]) -> Self:
        """A script that keeps every word but for the given edits, each with its position."""
        size = len(dialogue.source.words) + 1
        edits: dict[int, Edit] = {}
        for i, edit in changes:
            if not 0 <= i < size:
                raise EditError(
                    f"an edit must be for one of the source's {size - 1} words or the end, got word {i} counted "
                    "from 0; the script belongs to another dialogue"
                )
            if i in edits:
                raise EditError(f"a word must have one edit, got two for word {i} counted from 0")
            edits[i] = edit
        return cls(dialogue, tuple(edits.get(i, KEEP) for i in range(size)))

    @property
    def has_changes(self) -> bool:
        return any(edit.is_change for edit in self.edits)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the rewrite."""
        return tuple(word.text for word, _ in self._draft_words)

    def apply(self) -> str:
        """The rewrite. Without changes it is the source.

        What the user wrote keeps its casing and spacing; only the capital that a sentence begins with moves to what
        is inserted before it.
        """
        return "".join(self._spaced_words)

    def inserted_text(self, i: int) -> str:
        """What edit i inserts, as it stands in the rewrite."""
        return "".join(word.text for word in self.placed_words() if word.inserted and word.edit == i).strip()

    def placed_words(self) -> Iterator[PlacedWord]:
        """The rewrite, word by word, without the whitespace at its end."""
        for (word, edit), text in zip(self._draft_words, self._spaced_words[:-1], strict=True):
            yield PlacedWord(text, edit, word.inserted)

    @cached_property
    def _spaced_words(self) -> list[str]:
        return spaced_words(
            [word for word, _ in self._draft_words],
            trailing=gaps(self.dialogue.source.text)[-1],
            spaces_beside_cjk=self.dialogue.language != "zh",
        )

    @cached_property
    def _draft_words(self) -> list[tuple[DraftWord, int]]:
        """The words of the rewrite in their final casing, each with the position of its edit."""
        words = list(self._drafted())
        for at, (word, edit) in enumerate(words):
            if self._wants_capital(words[at - 1] if at else None):
                words[at] = word._replace(text=capitalised(word.text)), edit
        return words

    def _wants_capital(self, before: tuple[DraftWord, int] | None) -> bool:
        """Whether the word after `before` begins a sentence that has a capital in the source."""
        source = self.dialogue.source
        if before is None:
            return begins_with_capital(source.text)
        word, i = before
        ends = not word.inserted and word.text in _SENTENCE_ENDS
        return ends and i + 1 < len(source.words) and begins_with_capital(source.words[i + 1].text)

    def _drafted(self) -> Iterator[tuple[DraftWord, int]]:
        """The words of the rewrite as the edits give them, each with the position of its edit."""
        source_gaps = gaps(self.dialogue.source.text)
        last = ""  # the word of the rewrite so far
        for i, (edit, word) in enumerate(zip(self.edits, (*self.dialogue.source.words, None), strict=True)):
            inserted = list(self._inserted(edit, at_start=not last or last in _SENTENCE_ENDS))
            for j, (text, gap) in enumerate(inserted):
                if not last:
                    gap = source_gaps[0]
                elif j == 0 and word is not None and not joins_left(text):
                    replaces = not edit.keep and not joins_left(word.text)
                    gap = source_gaps[i] or ("" if replaces else None)
                yield DraftWord(text, gap, inserted=True), i
                last = text
            if word is not None and edit.keep:
                if not last:
                    gap = source_gaps[0]
                elif inserted:
                    gap = source_gaps[i] if joins_left(word.text) and i else None
                elif self.edits[i - 1].keep:
                    gap = source_gaps[i]
                else:
                    gap = source_gaps[i] or None
                # The capital of the first word moves to what is inserted before it.
                text = inside_a_sentence(word.text) if inserted and i == 0 else word.text
                yield DraftWord(text, gap, inserted=False), i
                last = word.text

    def _inserted(self, edit: Edit, *, at_start: bool) -> Iterator[tuple[str, str | None]]:
        """The words an edit inserts, each with its gap: known inside a span, None elsewhere."""
        spans = iter(edit.spans)
        for part in edit.rule.parts:
            if part is not SLOT:
                yield part, None
                at_start = False
                continue
            span = next(spans)
            words = split_words(self.dialogue.context[span.turn].text, span.stop)
            for k in range(span.start, span.stop):
                text = words[k].text
                if k == span.start and not at_start and _opens_sentence(words, k) and not _is_joined(words, k):
                    text = inside_a_sentence(text)
                yield text, None if k == span.start else " " * (words[k - 1].stop < words[k].start)
                at_start = False


def _is_joined(words: Sequence[Word], k: int) -> bool:
    """Whether a mark directly follows the word and is part of it, as in `A-1043`."""
    return k + 1 < len(words) and words[k + 1].start == words[k].stop and words[k + 1].text in ("-", "/", ".", ":")


def _opens_sentence(words: Sequence[Word], k: int) -> bool:
    return k == 0 or words[k - 1].text in _SENTENCE_ENDS


def spaced_words(words: Sequence[DraftWord], *, trailing: str, spaces_beside_cjk: bool) -> list[str]:
    """Each word with the gap before it, in order, then `trailing`: joined, they are the text."""
    pieces: list[str] = []
    open_quotes = 0
    for i, word in enumerate(words):
        gap = word.gap
        if i and gap is None:
            within_quotes = open_quotes % 2 == 1 and '"' in (words[i - 1].text, word.text)
            # An apostrophe opens a quotation if the next word is known to follow without a gap.
            opens = word.text in ("'", "’") and i + 1 < len(words) and words[i + 1].gap == ""
            right = "‘" if opens else word.text
            gap = "" if within_quotes else gap_between(words[i - 1].text, right, spaces_beside_cjk)
        open_quotes += word.text == '"'
        pieces.append((gap or "") + word.text)
    return [*pieces, trailing]


def gap_between(left: str, right: str, spaces_beside_cjk: bool) -> str:
    """The gap between two words that did not stand side by side before.

    >>> gap_between("injuries", "besides", True), gap_between("back", "?", True)
    (' ', '')
    """
    if joins_left(right) or left in _JOINS_RIGHT:
        return ""
    cjk_sides = is_cjk(left[-1]) + is_cjk(right)
    return "" if cjk_sides > spaces_beside_cjk else " "


def joins_left(word: str) -> bool:
    """Whether a word follows the one before it without a gap: `'s`, `,`, `?`."""
    return word.lower() in _JOINS_LEFT


def begins_with_capital(text: str) -> bool:
    """Whether the first letter of a text is a capital."""
    return next((letter.isupper() for letter in text if letter.isalpha()), False)


def capitalised(word: str) -> str:
    """`word` with a capital first letter, unless it has capitals already (`iPhone`)."""
    return word[0].upper() + word[1:] if word.islower() else word


def inside_a_sentence(word: str) -> str:
    """`word` as it reads when no longer at the start of a sentence: `The` becomes `the`, `Paul` stays."""
    lower = word.lower()
    return lower if lower in _OPENERS and word == capitalised(lower) else word
