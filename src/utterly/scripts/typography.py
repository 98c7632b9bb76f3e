"""How words become text: blanks between them, capitals at the start.

Gaps that are known from the user's own text are kept; only the seams of an insertion are decided here.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from utterly.dialogues.words import is_cjk

_HUGS_LEFT: Final = frozenset(
    ", . ; : ! ? ) ] } % ' ’ ” » … 's ’s 'm ’m 'd ’d 're ’re 've ’ve 'll ’ll n't n’t - / "
    "， 。 、 ； ： ！ ？ ） 】 》 」 』 ％ ، ؛ ؟".split()
)
_HUGS_RIGHT: Final = frozenset("( [ { $ £ € ¥ “ ‘ « - / （ 【 《 「 『".split())

# Words that wear a capital only because a sentence began with them.
_OPENERS: Final = frozenset(
    "a an the this that these those my your his her its our their he she it we they you some any all both each "
    "every no in on at of to for from by with about after before during besides and or but as if while because "
    "what who whom whose which when where why how is are was were do does did has have had can could would should "
    "not there".split()
)


class SetWord(NamedTuple):
    """A word on its way into text. `gap` is the blank before it where that is known, else None."""

    text: str
    gap: str | None
    inserted: bool


def set_text(words: Sequence[SetWord], *, trailing: str, blanks_beside_cjk: bool) -> list[str]:
    """Each word with the gap before it, in order, then `trailing`: joined, they are the text."""
    pieces: list[str] = []
    open_quotes = 0
    for i, word in enumerate(words):
        gap = word.gap
        if i and gap is None:
            within_quotes = open_quotes % 2 == 1 and '"' in (words[i - 1].text, word.text)
            # An apostrophe opens a quotation where the next word is known to stand against it.
            opens = word.text in ("'", "’") and i + 1 < len(words) and words[i + 1].gap == ""
            right = "‘" if opens else word.text
            gap = "" if within_quotes else blank_between(words[i - 1].text, right, blanks_beside_cjk)
        open_quotes += word.text == '"'
        pieces.append((gap or "") + word.text)
    return [*pieces, trailing]


def blank_between(left: str, right: str, blanks_beside_cjk: bool) -> str:
    """The blank two words want between them when nothing else is known.

    >>> blank_between("injuries", "besides", True), blank_between("back", "?", True)
    (' ', '')
    """
    if hugs_left(right) or left in _HUGS_RIGHT:
        return ""
    cjk_sides = is_cjk(left[-1]) + is_cjk(right)
    return "" if cjk_sides > blanks_beside_cjk else " "


def hugs_left(word: str) -> bool:
    """Whether a word stands against the one before it: `'s`, `,`, `?`."""
    return word.lower() in _HUGS_LEFT


def begins_with_capital(text: str) -> bool:
    """Whether the first letter of a text is a capital."""
    return next((letter.isupper() for letter in text if letter.isalpha()), False)


def capitalised(word: str) -> str:
    """`word` with a capital in front, unless it has a spelling of its own (`iPhone`)."""
    return word[0].upper() + word[1:] if word.islower() else word


def inside_a_sentence(word: str) -> str:
    """`word` as it reads when no longer at the start of a sentence: `The` becomes `the`, `Paul` stays."""
    lower = word.lower()
    return lower if lower in _OPENERS and word == capitalised(lower) else word
