"""Detect the language of a dialogue by its letters and its small words: turns no model can read are left unchanged."""

import re
from collections import Counter
from functools import cache
from itertools import chain, repeat
from pathlib import Path
from typing import Final, NamedTuple

ENGLISH: Final = "en"
CHINESE: Final = "zh"
JAPANESE: Final = "ja"

# Scripts that tell the language, or rule ours out. In the first two, each character is a word.
_SCRIPTS: Final = {
    CHINESE: "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    JAPANESE: "\u3041-\u306d\u306f-\u3096\u30a1-\u30fa\uff66-\uff9d",  # without の, which is fashionable in Chinese
    "ko": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "el": "\u0370-\u03ff\u1f00-\u1fff",
    "he": "\u0590-\u05ff",
    "th": "\u0e00-\u0e7f",
    "ka": "\u10a0-\u10ff",
    "hy": "\u0530-\u058f",
    "und-Cyrl": "\u0400-\u052f",
    "und-Arab": "\u0600-\u06ff\u0750-\u077f",
    "und-Deva": "\u0900-\u097f",
    "und-Beng": "\u0980-\u09ff",
    "und-Taml": "\u0b80-\u0bff",
}
_OTHER_LETTERS: Final = "".join(_SCRIPTS.values())
_WORD: Final = re.compile(
    "|".join(f"([{letters}]{'+' * (language not in (CHINESE, JAPANESE))})" for language, letters in _SCRIPTS.items())
    + rf"|([¿¡]|(?:(?![{_OTHER_LETTERS}])[^\W\d_])+(?:['’-](?:(?![{_OTHER_LETTERS}])[^\W\d_])+)*)"
)
_LEAD: Final = 2  # once a language leads by this many words, no further text is read
_SAMPLE: Final = 400  # characters read of each text
_ENGLISH_WEIGHT: Final = 1.3  # an English text about Dvořák is still English


def guess_language(*texts: str) -> str:
    """The language of some texts, most telling first, as a BCP 47 tag; English unless another is clearly ahead.

    Texts are read until a language leads, so the turns before it decide about a short turn.

    >>> guess_language("iPhone 15 Pro Max好用吗"), guess_language("what does 好 mean"), guess_language("なぜ？")
    ('zh', 'en', 'ja')
    >>> guess_language("Warum?", "Wer hat das geschrieben?"), guess_language("Why?", "Who is Gödel?")
    ('de', 'en')
    """
    best, votes = ENGLISH, Counter[str]()
    for lead, text in zip(chain([_LEAD + 1], repeat(_LEAD)), texts, strict=False):  # "El Niño?" alone says little
        votes.update(_votes(text[:_SAMPLE].lower()))
        best = max(votes, key=lambda language: votes[language] * (language != ENGLISH), default=ENGLISH)
        ahead = votes[best] - votes[ENGLISH]
        if ahead >= lead or -ahead >= _LEAD:
            break
    return best if votes[best] > _ENGLISH_WEIGHT * votes[ENGLISH] else ENGLISH


def primary_language(tag: str) -> str:
    """The language of a tag without its region or script.

    >>> primary_language("zh-CN"), primary_language("en_GB")
    ('zh', 'en')
    """
    return tag.replace("_", "-").partition("-")[0].lower()


def _votes(text: str) -> Counter[str]:
    """How many different words of a text point to each language."""
    scripts, votes = tuple(_SCRIPTS), Counter[str]()
    # In the order of the text: of languages with equally many votes, `guess_language` takes the first.
    for word, group in dict.fromkeys((match[0], match.lastindex or 0) for match in _WORD.finditer(text)):
        if group <= len(scripts):
            votes[scripts[group - 1]] += 1
        else:
            votes.update(_latin_languages().by_word.get(word) or _languages_with_accents(word))
    if JAPANESE in votes and 8 * votes[JAPANESE] >= votes[CHINESE]:  # then the Han among the kana is Japanese too
        votes[JAPANESE] += votes.pop(CHINESE, 0)
    return votes


def _languages_with_accents(word: str) -> list[str]:
    """The languages that have all the accents of a word; none if it has no accents."""
    accents = {letter for letter in word if not letter.isascii() and letter.isalpha()}
    return [name for name, letters in _latin_languages().accents.items() if accents and accents.issubset(letters)]


class _LatinLanguages(NamedTuple):
    by_word: dict[str, list[str]]  # the languages that have each small word
    accents: dict[str, str]  # by language


@cache
def _latin_languages() -> _LatinLanguages:
    """What `languages.toml` says about the languages in Latin letters."""
    import tomllib  # here: importing Utterly is fast

    known = tomllib.loads(Path(__file__).with_name("languages.toml").read_text(encoding="utf-8"))
    by_word: dict[str, list[str]] = {}
    for language, about in known.items():
        for word in about["words"].split():
            by_word.setdefault(word, []).append(language)
    return _LatinLanguages(by_word, {language: about.get("accents", "") for language, about in known.items()})
