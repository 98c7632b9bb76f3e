"""The edit script: labels are written in it, taggers predict it, and `apply` turns it into text.

    Span        words start..stop of one context turn
    Rule        words and slots to insert: `besides _`
    Edit        at one source word: keep it or not, and what to insert before it
    EditScript  a dialogue with one edit per source word, plus one for the end

All values are checked when they are built, so every script can be applied.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, Self

from utterly.dialogues.dialogue import Dialogue, Word, is_cjk, split_words
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
        """The characters start..stop of the span in the text of its turn, stop exclusive."""
        words = split_words(dialogue.context[self.turn].text, self.stop)
        return words[self.start].start, words[self.stop - 1].stop


@dataclass(frozen=True, slots=True)
class Rule:
    """Text to insert before a source word: words, and slots (`SLOT`) that spans fill in order.

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
        """The rule with this many slots and no words."""
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
    """At one source word: whether to keep it, and the rule to insert before it, with a span per slot."""

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


class PlacedWord(NamedTuple):
    """A word of the rewrite, the whitespace before it, and where it comes from."""

    text: str
    gap: str | None  # None only in a draft: not decided yet
    edit: int  # position of the edit that inserted or kept it
    inserted: bool
    span: Span | None = None  # None: a word of the source or of a rule


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
            raise EditError("the last edit is for the end of the source and must keep it; set keep=True")
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
        """A script that keeps every word except for the given edits, each with its position."""
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
        return tuple(word.text for word in self.placed_words)

    def apply(self) -> str:
        """The rewrite; the source, if nothing changes.

        The user's words keep their casing and spacing, but an insertion at the start of a sentence takes over its
        capital.
        """
        return _joined(self.placed_words) + gaps(self.dialogue.source.text)[-1]

    def inserted_text(self, i: int) -> str:
        """The text that edit i inserts, as it appears in the rewrite."""
        return _joined(word for word in self.placed_words if word.inserted and word.edit == i).strip()

    @cached_property
    def placed_words(self) -> list[PlacedWord]:
        """The rewrite word by word, in its final casing and spacing."""
        words = list(self._drafted())
        for at, word in enumerate(words):
            if self._wants_capital(words[at - 1] if at else None):
                words[at] = word._replace(text=capitalised(word.text))
        return _spaced(words, spaces_beside_cjk=self.dialogue.language != "zh")

    def _wants_capital(self, before: PlacedWord | None) -> bool:
        """Whether the word after `before` begins a sentence that has a capital in the source."""
        source = self.dialogue.source
        if before is None:
            return begins_with_capital(source.text)
        after = before.edit + 1
        ends = not before.inserted and before.text in _SENTENCE_ENDS
        return ends and after < len(source.words) and begins_with_capital(source.words[after].text)

    def _drafted(self) -> Iterator[PlacedWord]:
        """The words of the rewrite as the edits give them."""
        source_gaps = gaps(self.dialogue.source.text)
        last = ""  # the last word so far
        for i, (edit, word) in enumerate(zip(self.edits, (*self.dialogue.source.words, None), strict=True)):
            inserted = list(self._inserted(edit, at_start=not last or last in _SENTENCE_ENDS))
            for j, (text, gap, span) in enumerate(inserted):
                if not last:
                    gap = source_gaps[0]
                elif j == 0 and word is not None and not joins_left(text):
                    replaces = not edit.keep and not joins_left(word.text)
                    gap = source_gaps[i] or ("" if replaces else None)
                yield PlacedWord(text, gap, i, inserted=True, span=span)
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
                # The insertion before the first word takes over its capital.
                text = inside_a_sentence(word.text) if inserted and i == 0 else word.text
                yield PlacedWord(text, gap, i, inserted=False)
                last = word.text

    def _inserted(self, edit: Edit, *, at_start: bool) -> Iterator[tuple[str, str | None, Span | None]]:
        """The words an edit inserts, each with its gap, known only inside a span, and the span."""
        spans = iter(edit.spans)
        for part in edit.rule.parts:
            if part is not SLOT:
                yield part, None, None
                at_start = False
                continue
            span = next(spans)
            words = split_words(self.dialogue.context[span.turn].text, span.stop)
            for k in range(span.start, span.stop):
                text = words[k].text
                opens_sentence = k == 0 or words[k - 1].text in _SENTENCE_ENDS
                if k == span.start and not at_start and opens_sentence and not _is_joined(words, k):
                    text = inside_a_sentence(text)
                yield text, None if k == span.start else " " * (words[k - 1].stop < words[k].start), span
                at_start = False


def _is_joined(words: Sequence[Word], k: int) -> bool:
    """Whether a mark follows the word directly and belongs to it, as in `A-1043`."""
    return k + 1 < len(words) and words[k + 1].start == words[k].stop and words[k + 1].text in ("-", "/", ".", ":")


def _joined(words: Iterable[PlacedWord]) -> str:
    return "".join((word.gap or "") + word.text for word in words)


def _spaced(words: Sequence[PlacedWord], *, spaces_beside_cjk: bool) -> list[PlacedWord]:
    """The words with all gaps decided."""
    spaced: list[PlacedWord] = []
    open_quotes = 0
    for i, word in enumerate(words):
        if word.gap is None:
            within_quotes = open_quotes % 2 == 1 and '"' in (words[i - 1].text, word.text)
            # An apostrophe opens a quotation if the next word is known to follow without a gap.
            opens = word.text in ("'", "’") and i + 1 < len(words) and words[i + 1].gap == ""
            right = "‘" if opens else word.text
            gap = "" if within_quotes else gap_between(words[i - 1].text, right, spaces_beside_cjk)
            word = word._replace(gap=gap)
        open_quotes += word.text == '"'
        spaced.append(word)
    return spaced


def gaps(text: str) -> tuple[str, ...]:
    """The whitespace before each word of a text, and at the end the whitespace after the last.

    >>> gaps(" so  what?")
    (' ', '  ', '', '')
    """
    words = split_words(text)
    starts = [word.start for word in words] + [len(text)]
    stops = [0] + [word.stop for word in words]
    return tuple(text[stop:start] for stop, start in zip(stops, starts, strict=True))


def gap_between(left: str, right: str, spaces_beside_cjk: bool) -> str:
    """The gap between two words that were not neighbours before.

    >>> gap_between("injuries", "besides", True), gap_between("back", "?", True)
    (' ', '')
    """
    if joins_left(right) or left in _JOINS_RIGHT:
        return ""
    cjk_sides = is_cjk(left[-1]) + is_cjk(right)
    return "" if cjk_sides > spaces_beside_cjk else " "


def joins_left(word: str) -> bool:
    """Whether there is no gap before a word: `'s`, `,`, `?`."""
    return word.lower() in _JOINS_LEFT


def begins_with_capital(text: str) -> bool:
    """Whether the first letter of a text is a capital."""
    return next((letter.isupper() for letter in text if letter.isalpha()), False)


def capitalised(word: str) -> str:
    """`word` with a capital first letter, unless it has capitals already (`iPhone`)."""
    return word[0].upper() + word[1:] if word.islower() else word


def inside_a_sentence(word: str) -> str:
    """`word` when no longer at the start of a sentence: `The` becomes `the`, `Paul` stays."""
    lower = word.lower()
    return lower if lower in _OPENERS and word == capitalised(lower) else word
