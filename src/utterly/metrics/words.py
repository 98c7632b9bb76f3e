"""Text to words, in the three ways this field computes scores.

`paper`      both sides lower-cased, without double quotes, split by spaCy; Chinese is split into characters, with Latin
             words and numbers kept whole. BLEU is NLTK's without smoothing. The honest mode.
`published`  the same, but the hypothesis is first split by BERT's basic tokenizer and rejoined with spaces (`'s` turns
             into `' s`, accents are lost), as for the printed HCT scores. Even a perfect rewrite scores below 100:
             only to compare with printed scores.
`sacrebleu`  the raw text split by sacreBLEU (13a; zh for Chinese), keeping case and quotes. BLEU-4 is sacreBLEU's
             default score and BLEU-n that of its `max_ngram_order=n`; ROUGE, exact match and restoration use the same
             words.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from utterly.dialogues.language import CHINESE, ENGLISH
from utterly.errors import MetricsError
from utterly.extras import require
from utterly.metrics.bleu import Smoothing

Splitter = Callable[[str], list[str]]

_LATIN: Final = "0-9a-z\u00df-\u024f"
_CHARACTERS: Final = re.compile(rf"[{_LATIN}]+(?:[.,'\u2019-][{_LATIN}]+)*|\S")  # Chinese ones; other words are whole
_SACREBLEU_NAMES: Final = {ENGLISH: "13a", CHINESE: "zh"}


class Mode(StrEnum):
    PAPER = "paper"
    PUBLISHED = "published"
    SACREBLEU = "sacrebleu"


@dataclass(frozen=True, slots=True, kw_only=True)
class Splitting:
    """How one mode splits the text of one language into words."""

    mode: Mode
    hypothesis_words: Splitter
    reference_words: Splitter  # also for sources
    words: str  # the tokenizer, with its version
    case: str = "lower"
    smoothing: Smoothing = Smoothing.NONE
    least_total: int = 1  # see bleu_statistics
    signature: str | None = None  # sacreBLEU's own


def splitting(mode: Mode | str, language: str) -> Splitting:
    """How a mode, given by name, splits text of a language, given by code."""
    try:
        mode = Mode(mode)
    except ValueError:
        raise MetricsError(f"no mode called {mode!r}; known modes: {', '.join(Mode)}") from None
    if language not in _SACREBLEU_NAMES:
        known = ", ".join(_SACREBLEU_NAMES)
        raise MetricsError(f"language must be one of {known}, got {language!r}; leave it out to have it detected")
    if mode is Mode.SACREBLEU:
        return _sacrebleu(language)
    splitter, words = _english() if language == ENGLISH else (_CHARACTERS.findall, "characters")

    def reference_words(text: str) -> list[str]:
        return splitter(text.lower().replace('"', ""))

    def hypothesis_words(text: str) -> list[str]:
        return reference_words(bert_rejoined(text) if mode is Mode.PUBLISHED else text)

    return Splitting(mode=mode, hypothesis_words=hypothesis_words, reference_words=reference_words, words=words)


def bert_rejoined(text: str) -> str:
    """The text split by the basic tokenizer of uncased BERT and rejoined with spaces.

    >>> bert_rejoined("Is Ana's café open?")
    "is ana ' s cafe open ?"
    """
    from tokenizers.normalizers import BertNormalizer  # imported here: other modes do without
    from tokenizers.pre_tokenizers import BertPreTokenizer

    normal = BertNormalizer(lowercase=True).normalize_str(text)
    return " ".join(word for word, _ in BertPreTokenizer().pre_tokenize_str(normal))


@cache
def _english() -> tuple[Splitter, str]:
    spacy = require("spacy", extra="metrics")
    tokenizer = spacy.blank("en").tokenizer

    def split(text: str) -> list[str]:
        # spaCy makes a word of the second of two spaces, and removed quotes leave many of them.
        return [word.text for word in tokenizer(text) if not word.is_space]

    return split, f"spacy-{spacy.__version__}"


@cache
def _sacrebleu(language: str) -> Splitting:
    sacrebleu = require("sacrebleu", extra="metrics")
    name = _SACREBLEU_NAMES[language]
    metric = sacrebleu.metrics.BLEU(tokenize=name, references=[[""]])

    def split(text: str) -> list[str]:
        words: list[str] = metric.tokenizer(text.rstrip()).split()
        return words

    return Splitting(
        mode=Mode.SACREBLEU,
        hypothesis_words=split,
        reference_words=split,
        words=f"sacrebleu-{name}-{sacrebleu.__version__}",
        case="mixed",
        smoothing=Smoothing.GEOMETRIC,
        least_total=0,
        signature=str(metric.get_signature()),
    )
