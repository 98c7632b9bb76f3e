"""Words, turns and dialogues, and how text is split into words.

Words carry character offsets, and nothing is normalised. English follows the Penn Treebank (`do` + `n't`, `Federer` +
`'s`, `U.S.` and `3.5` whole), Chinese and Japanese have one word per character, and an emoji with its modifiers is one
word. Whitespace lies *between* words, so a text is its words and its gaps.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple, Self

from utterly.dialogues.language import guess_language
from utterly.errors import DialogueError


class Word(NamedTuple):
    """One word of a text: characters start..stop, stop exclusive as in a slice."""

    text: str
    start: int
    stop: int


# Marks that combine with the letter before them: separate accents, vowel signs, points.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957"
    "\u0962\u0963\u0981-\u0983\u09bc-\u09d7\u0a01-\u0a51\u0a70-\u0a83\u0abc-\u0acd\u0b01-\u0b57\u0bbe-\u0bd7"
    "\u0c00-\u0c04\u0c3e-\u0c56\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d57\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u200c\u200d\u2060\ufe00-\ufe0f"
)
# Characters that are a word each: Han, kana, bopomofo. Their punctuation is never attached to them.
_CJK: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u3096\u309d-\u309f"
    "\u30a1-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9d\U00020000-\U0003ffff"
)
_APOSTROPHE: Final = "'\u2019\u02bc"
_EMOJI: Final = "\u203c\u2049\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_LETTER: Final = rf"(?:(?![{_CJK}\d])[\w{_MARKS}])"  # also the underscore of identifiers
_SUFFIX: Final = rf"(?i:[{_APOSTROPHE}](?:s|m|d|re|ve|ll)|n[{_APOSTROPHE}]t)(?![\w{_MARKS}])"
_BODY: Final = rf"(?:(?!{_SUFFIX})(?:{_LETTER}|\d))"

_WORD: Final = re.compile(
    rf"""
      [A-Za-z]+(?![\w{_MARKS}{_APOSTROPHE}.:@+\#-])                        # a plain word: the common case
    | (?:https?://|www\.)[^\s<>"{_CJK}]{{1,2000}}[^\W_]/?                  # web address
    | [A-Za-z0-9._%+-]{{1,64}}@[A-Za-z0-9-]{{1,63}}(?:\.[A-Za-z0-9-]{{1,63}}){{1,8}}  # e-mail address
    | (?:[^\W\d_{_CJK}]\.){{2,12}}(?![^\W\d_{_CJK}])                       # U.S.  e.g.
    | [@\#]{_LETTER}(?:{_LETTER}|\d)*                                      # @name  #tag
    | [0-9\#*]\ufe0f?\u20e3                                                # keycaps
    | \d+[A-Za-z][A-Za-z0-9_]*                                             # 20th  90s  4k
    | \d+(?:[.,:/]\d+)*                                                    # 3.5  1,000  12:30
    | {_SUFFIX}                                                            # 's  n't  'll
    | (?!{_SUFFIX}){_LETTER}{_BODY}*                                       # letters, up to a suffix ...
        (?:(?!{_SUFFIX})(?:[{_APOSTROPHE}](?=[^\W\d_])|(?<![a-z])\.(?=[A-Za-z])|\.(?=[a-z0-9])){_BODY}+)*
        (?:\+\+|\#(?!\w))?                                                 # ... O'Brien  node.js  C++
    | [\U0001f1e6-\U0001f1ff]{{2}}                                         # flags
    | [{_EMOJI}][{_MARKS}\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*
        (?:(?<=\u200d)[{_EMOJI}][{_MARKS}\U0001f3fb-\U0001f3ff]*)*         # emoji, joined and toned
    | ([.\-\u2026\u2014~*=_])\1*                                           # ...  --  runs
    | \S[{_MARKS}]*                                                        # anything else, by itself
    """,
    re.VERBOSE,
)
_IS_CJK: Final = re.compile(rf"[{_CJK}\u3000-\u303f\uff00-\uff65]")
SHORT_TEXT: Final = 1_000
"""Texts of up to this many characters go into the large caches; longer ones into small caches."""
_WORTH_CACHING: Final = 10_000  # characters; up to here it is cheaper to split all words once than the first ones again


def split_words(text: str, most: int | None = None) -> tuple[Word, ...]:
    """The words of a text, or only the first `most`, which is cheap however long the text is.

    >>> [word.text for word in split_words("Don't ask Federer's coach, 他在U.S.吗？")]
    ['Do', "n't", 'ask', 'Federer', "'s", 'coach', ',', '他', '在', 'U.S.', '吗', '？']
    """
    if len(text) <= SHORT_TEXT:
        return _split_short(text)[:most]
    return _split_long(text)[:most] if most is None or len(text) <= _WORTH_CACHING else _split(text, most)


def _split(text: str, most: int | None = None) -> tuple[Word, ...]:
    return tuple(Word(match[0], *match.span()) for match in islice(_WORD.finditer(text), most))


# A turn is split again and again. Words take some fifty times the memory of their text, so few long texts are kept.
_split_short: Final = lru_cache(maxsize=2_048)(_split)
_split_long: Final = lru_cache(maxsize=32)(_split)


def is_cjk(text: str) -> bool:
    """Whether a word is written without spaces around it: Han, kana or their punctuation."""
    return bool(_IS_CJK.match(text))


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of one speaker. The text is kept to the byte; `words` point into it."""

    text: str

    def __post_init__(self) -> None:
        _check_text("a turn", self.text)

    @property
    def words(self) -> tuple[Word, ...]:
        return split_words(self.text)


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Context turns, oldest first, then the source: the turn to rewrite.

    `target` is the reference rewrite, if there is one. `language` is a BCP 47 tag; if not given, it is detected from
    source and context, with `en` as the fallback.
    """

    context: tuple[Turn, ...]
    source: Turn
    target: Turn | None = None
    language: str = ""
    domain: str | None = None
    id: str | None = None

    def __post_init__(self) -> None:
        typed = all(map(isinstance, (self.context, self.target), (tuple, Turn | None)))
        if not typed or not all(isinstance(turn, Turn) for turn in (*self.context, self.source)):
            raise DialogueError(
                "a dialogue needs a tuple of Turns as context, a Turn as source and a Turn or None as target; "
                "`Dialogue.of` makes one from strings"
            )
        for name in ("language", "domain", "id"):
            if (value := getattr(self, name)) is not None:
                _check_text(f"a dialogue's {name}", value)
        if not self.language:
            asked, answered = self.context[-2::-2], self.context[-1:]  # speakers take turns, mostly
            texts = (turn.text for turn in (self.source, *asked, *answered))
            object.__setattr__(self, "language", guess_language(*texts))

    @classmethod
    def of(
        cls,
        turns: Sequence[str],
        target: str | None = None,
        *,
        language: str = "",
        domain: str | None = None,
        id: str | None = None,  # noqa: A002 - the field's own name
    ) -> Self:
        """A dialogue from plain strings; the last one is the source.

        >>> Dialogue.of(["Who is Federer?", "A player.", "Is he Swiss?"]).source.text
        'Is he Swiss?'
        """
        if isinstance(turns, str) or not isinstance(turns, Sequence):
            raise DialogueError(f"turns must be a list of strings, got {type(turns).__name__}")
        if not turns:
            raise DialogueError("a dialogue needs at least one turn: the one to rewrite")
        *context, source = (Turn(text) for text in turns)
        goal = None if target is None else Turn(target)
        return cls(tuple(context), source, goal, language=language, domain=domain, id=id)

    def with_target(self, text: str | None) -> Self:
        """The same dialogue with another target, or without one."""
        return replace(self, target=None if text is None else Turn(text))


def _check_text(what: str, text: object) -> None:
    if not isinstance(text, str):
        raise DialogueError(f"{what} must be a string, got {type(text).__name__}")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as bad:
        raise DialogueError(
            f"{what} must be valid Unicode, but character {bad.start} is the lone surrogate "
            f"U+{ord(text[bad.start]):04X}; decode the text again, or replace it"
        ) from None
