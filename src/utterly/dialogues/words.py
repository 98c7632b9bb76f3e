"""Split text into words with character offsets.

English follows the Penn habits (`do` + `n't`, `Federer` + `'s`, `U.S.` and `3.5` whole), Chinese and
Japanese are one word a character, an emoji with its modifiers is one word. Whatever is white space
lies *between* words, so a text is its words and its gaps. Nothing is normalised.
"""

import re
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple


class Word(NamedTuple):
    """One word of a text: characters start..stop, stop exclusive as in a slice."""

    text: str
    start: int
    stop: int


# Marks that combine with the letter before them: accents typed apart, vowel signs, points.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957"
    "\u0962\u0963\u0981-\u0983\u09bc-\u09d7\u0a01-\u0a51\u0a70-\u0a83\u0abc-\u0acd\u0b01-\u0b57\u0bbe-\u0bd7"
    "\u0c00-\u0c04\u0c3e-\u0c56\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d57\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u200c\u200d\u2060\ufe00-\ufe0f"
)
# Characters that are a word each: Han, kana, bopomofo, and their punctuation is never glued to them.
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
_IS_HAN: Final = re.compile(rf"[{_CJK}]")
SHORT_TEXT: Final = 1_000
"""Characters of a text that is worth remembering with many others."""


def split_words(text: str) -> tuple[Word, ...]:
    """The words of a text.

    >>> [word.text for word in split_words("Don't ask Federer's coach, 他在U.S.吗？")]
    ['Do', "n't", 'ask', 'Federer', "'s", 'coach', ',', '他', '在', 'U.S.', '吗', '？']
    """
    return _split_short(text) if len(text) <= SHORT_TEXT else _split_long(text)


def _split(text: str) -> tuple[Word, ...]:
    return tuple(Word(match[0], *match.span()) for match in _WORD.finditer(text))


# A turn is asked for its words again and again. Words weigh some fifty times their text, so few long texts are kept.
_split_short: Final = lru_cache(maxsize=2_048)(_split)
_split_long: Final = lru_cache(maxsize=32)(_split)


def first_words(text: str, count: int) -> tuple[Word, ...]:
    """The first words of a text, at most `count`: cheap, however long the text goes on.

    >>> [word.text for word in first_words("so what? never mind", 3)]
    ['so', 'what', '?']
    """
    if len(text) <= SHORT_TEXT:
        return split_words(text)[:count]
    return tuple(Word(match[0], *match.span()) for match in islice(_WORD.finditer(text), count))


def gaps(text: str) -> tuple[str, ...]:
    """The white space before each word of a text, and last the white space after them all.

    >>> gaps(" so  what?")
    (' ', '  ', '', '')
    """
    words = split_words(text)
    starts = [word.start for word in words] + [len(text)]
    stops = [0] + [word.stop for word in words]
    return tuple(text[stop:start] for stop, start in zip(stops, starts, strict=True))


def is_cjk(text: str) -> bool:
    """Whether a word is written without blanks around it: Han, kana, or their punctuation."""
    return bool(_IS_CJK.match(text))


def guess_language(text: str) -> str:
    """`zh` where Han characters outnumber other words, else `en`: the two languages we serve.

    >>> guess_language("iphone不好用"), guess_language("what does 好 mean")
    ('zh', 'en')
    """
    sample = text[:10_000]
    han = len(_IS_HAN.findall(sample))
    return "zh" if han and han >= len(split_words(sample)) - han else "en"
