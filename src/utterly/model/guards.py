"""Guards on spans: one lies within a sentence, without markup, code blocks, web addresses or an unpaired bracket.

Nor does it hold an answer's "you" or "your", except in a title: what the answer calls "your router" is the asker's own.
Other spans are nearly always mistakes of the model, so they are never copied, whatever the scores. Guards on scripts
are in `utterly.model.decode`. `DecodeSettings.guarded` turns them off, and `benchmarks/log.md` shows the effect of each
on held-out dialogues.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from utterly.dialogues.dialogue import Word, split_words

_LONGEST_WORD: Final = 40  # characters: longer ones are keys, hashes or base64
_MARKUP: Final = re.compile(
    rf"""
      (?P<block>(?P<fence>`{{3,}}|~{{3,}})[\s\S]*?(?:(?P=fence)[`~]*|\Z)        # block of code, to its end
              | (?:https?://|www\.)\S+)                                         # web address
    | \]\([^()\n]{{0,2000}}(?:\([^()\n]{{0,200}}\)[^()\n]{{0,200}}){{0,9}}\)    # target of a link
    | \]\[[^\[\]\n]{{0,200}}\]                                                  # ... by its name
    | </?[A-Za-z!][^<>]{{0,500}}>                                               # tag, comment
    | &(?:\#\d{{1,7}}|\#[xX][0-9A-Fa-f]{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,30}});    # entity
    | ^[ \t]*(?:[-+]|\d{{1,3}}[.)])(?=[ \t])                                    # list
    | [*`|\[\]<>{{}}\\•▪‣◦●]+ | (?<![A-Za-z0-9])\#+(?!\w) | ~~+ | [-=_]{{3,}}   # emphasis, tables, headings, rules
    | (?<!\w)_+(?=\w) | (?<=\w)_+(?!\w)                                         # _emphasis_
    | \$\$ | \x1b\[[0-9;?]{{0,20}}[A-Za-z]                                        # formulas, colours of a terminal
    | [\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]                   # what terminals and pages obey
    | [A-Za-z0-9+/=_-]{{{_LONGEST_WORD + 1},}}
    """,
    re.VERBOSE | re.MULTILINE,
)
_YOU: Final = frozenset("you your yours yourself".split())
_MARKS: Final = frozenset("*`|[]<>{}\\#~_")
_SENTENCE_ENDS: Final = frozenset(". .. ... .... ! ? … ; 。 ！ ？ ；".split())
_ABBREVIATIONS: Final = frozenset(
    "mr mrs ms dr prof st sr jr rev gen col lt sgt capt gov sen rep mt ft no vol vs inc ltd co corp bros feat".split()
)
_CLOSED_BY: Final = dict(zip('"(“«（【《「『', '")”»）】》」』', strict=True))
_CLOSING: Final = frozenset(_CLOSED_BY.values())


class Stretches(NamedTuple):
    """For each word of a turn, its number as the first word of a span and as the last: both ends need the same one."""

    firsts: list[int]  # -1: never the first
    lasts: list[int]  # -2: never the last


def stretches(text: str, count: int, *, answer: bool = False) -> Stretches:
    """Where spans may lie among a turn's first `count` words; in an answer, no span contains "you".

    >>> stretches("It is **fast** (now). Ok", 10)
    Stretches(firsts=[0, 0, -1, 1, -1, 2, 3, -1, -1, 4], lasts=[0, 0, -2, 1, -2, -2, 3, 2, -2, 4])
    """
    words = split_words(text, count)
    firsts, lasts = [-1] * len(words), [-2] * len(words)
    stretch = newest = 0
    around: list[tuple[str, int]] = []  # for each open pair: its closing mark, and the stretch outside
    for k, ((word, start, _), never) in enumerate(zip(words, _never_copied(text, words, answer), strict=True)):
        if k and "\n" in text[words[k - 1].stop : start]:
            stretch = newest = newest + 1
            around.clear()
        closes = bool(around) and word == around[-1][0]
        if never or ends_sentence(words, k) or (word in _CLOSING and not closes and word not in _CLOSED_BY):
            stretch = newest = newest + 1
            around.clear()
            continue
        if closes:
            stretch = lasts[k] = around.pop()[1]
        elif word in _CLOSED_BY:
            firsts[k] = stretch
            around.append((_CLOSED_BY[word], stretch))
            stretch = newest = newest + 1
        else:
            firsts[k] = lasts[k] = stretch
    return Stretches(firsts, lasts)


def _never_copied(text: str, words: Sequence[Word], answer: bool) -> list[bool]:
    """Markup, overlong words, an answer's "you", code, addresses; the last two are copied if there is nothing else."""
    marked = [
        len(word.text) > _LONGEST_WORD or (answer and word.text.lower() in _YOU and not _in_title(words, k))
        for k, word in enumerate(words)
    ]
    in_block = [False] * len(words)
    at = 0
    for match in _MARKUP.finditer(text, 0, words[-1].stop if words else 0):
        start, stop = match.span()
        while at < len(words) and words[at].stop <= start:
            at += 1
        while at < len(words) and words[at].start < stop:
            (in_block if match["block"] else marked)[at] = True
            at += 1
    if all(block or not word.text[0].isalnum() for word, block in zip(words, in_block, strict=True)):
        in_block = [word.text[0] in _MARKS for word in words]  # its fences
        marked = [mark and "//" not in word.text for word, mark in zip(words, marked, strict=True)]
    return [mark or block for mark, block in zip(marked, in_block, strict=True)]


def _in_title(words: Sequence[Word], k: int) -> bool:
    """Whether a word and one of its neighbours have a capital: not the `Your` that begins a sentence or an item."""
    beside = (*words[max(0, k - 1) : k], *words[k + 1 : k + 2])
    return words[k].text[0].isupper() and any(word.text[0].isupper() for word in beside)


def ends_sentence(words: Sequence[Word], k: int) -> bool:
    """Whether a word is the mark that ends a sentence: not in `Dr.` or `J.`, nor before a lower-case word."""
    mark = words[k].text
    if mark not in _SENTENCE_ENDS or (mark.isascii() and k + 1 < len(words) and words[k + 1].text[0].islower()):
        return False
    before = words[k - 1].text if mark == "." and k and words[k - 1].stop == words[k].start else ""
    return before.casefold() not in _ABBREVIATIONS and not (len(before) == 1 and before.isupper())


def sentences(text: str, count: int) -> list[range]:
    """The positions of each sentence's words, among a turn's first `count` words. A new line begins a sentence.

    >>> sentences("It is fast. Dr. Lee\\nsaid so", 10)
    [range(0, 4), range(4, 7), range(7, 9)]
    """
    words = split_words(text, count)
    ends = [
        k + 1
        for k, word in enumerate(words)
        if k + 1 == len(words) or ends_sentence(words, k) or "\n" in text[word.stop : words[k + 1].start]
    ]
    return [range(start, stop) for start, stop in zip([0, *ends], ends, strict=False)]
