"""`Measure`: a metric as statistics of each pair and a formula for their sums; and its `Score`.

All metrics have this form, so a domain is a selection of rows, and a resample another weighting of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from operator import eq
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from utterly.dialogues.language import CHINESE, ENGLISH, guess_language
from utterly.errors import MetricsError
from utterly.metrics.bleu import MAX_ORDER, Smoothing, bleu, bleu_statistics
from utterly.metrics.restoration import FORMULAS, ORDERS, restoration_statistics
from utterly.metrics.rouge import VARIANTS, rouge_f1
from utterly.metrics.words import Splitting


@dataclass(frozen=True, slots=True)
class Pairs:
    """Predictions and references in the same order, with sources and domains if known."""

    predictions: Sequence[str]
    references: Sequence[str]
    sources: Sequence[str] | None = None
    domains: Sequence[str] | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            if (texts := getattr(self, field.name)) is not None:
                self._check(field.name, texts)

    @property
    def language(self) -> str:
        """How to split texts into words: Chinese into characters, any other language as English."""
        return CHINESE if guess_language(*self.references) == CHINESE else ENGLISH

    def _check(self, name: str, texts: Sequence[str]) -> None:
        if isinstance(texts, str):
            raise MetricsError(f"{name} must be a list of strings, got one string; put it in a list")
        if len(texts) != len(self.references):
            raise MetricsError(
                f"there must be as many {name} as references, got {len(texts)} {name} and "
                f"{len(self.references)} references; give one of each per dialogue, in the same order"
            )
        if not texts:
            raise MetricsError(f"a score needs at least one pair, got no {name}")
        for number, text in enumerate(texts, start=1):
            if not isinstance(text, str):
                raise MetricsError(
                    f"{name} must be strings, but number {number} is {type(text).__name__}; "
                    "use an empty string for no output"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a score was computed. Scores are comparable if their settings are equal.

    >>> str(Settings(mode="paper", order=4, words="spacy-3.8", case="lower", smooth=Smoothing.NONE, n=5571))
    'mode:paper|order:4|words:spacy-3.8|case:lower|smooth:none|n:5571'
    """

    mode: str
    order: int | None = None  # longest n-gram of BLEU
    variant: str | None = None  # whose definition, if several share the name
    words: str  # the tokenizer, with its version
    case: str
    smooth: Smoothing | None = None
    n: int  # pairs

    def __str__(self) -> str:
        return "|".join(f"{key}:{value}" for key, value in asdict(self).items() if value is not None)


@dataclass(frozen=True, slots=True)
class Interval:
    """The range of the score in a share `level` of all resamples of the corpus."""

    low: float
    high: float
    level: float

    def __str__(self) -> str:
        return f"[{self.low:.2f}, {self.high:.2f}]"


@dataclass(frozen=True, slots=True)
class Score:
    """A number from 0 to 100, its settings, and its confidence interval if requested."""

    name: str
    value: float
    settings: Settings
    interval: Interval | None = None

    def __str__(self) -> str:
        return f"{self.name} {self.value:.2f}" + (f" {self.interval}" if self.interval else "")

    def to_dict(self) -> dict[str, object]:
        plain: dict[str, object] = {"value": self.value, "settings": str(self.settings)}
        return plain | ({"interval": asdict(self.interval)} if self.interval else {})


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    name: str
    statistics: NDArray[Any]  # (pairs, columns)
    formula: Callable[[NDArray[Any]], NDArray[np.float64]]  # (..., columns) to (...), 0 to 1
    settings: Settings

    def of(self, rows: NDArray[np.intp]) -> Self:
        """The same measure on some pairs only."""
        return replace(self, statistics=self.statistics[rows], settings=replace(self.settings, n=len(rows)))

    def values(self, sums: NDArray[Any]) -> NDArray[np.float64]:
        """0 to 100, for each row of sums."""
        return 100.0 * self.formula(sums)

    def score(self, interval: Interval | None = None) -> Score:
        return Score(self.name, float(self.values(self.statistics.sum(axis=0))), self.settings, interval)


def measures(pairs: Pairs, how: Splitting) -> tuple[Measure, ...]:
    """All metrics; restoration only if the sources are known."""
    hypotheses = [how.hypothesis_words(text) for text in pairs.predictions]
    references = [how.reference_words(text) for text in pairs.references]
    settings = Settings(mode=how.mode, words=how.words, case=how.case, n=len(references))
    counts = bleu_statistics(hypotheses, references, least_total=how.least_total)
    found = []
    for order in range(1, MAX_ORDER + 1):
        of_order = partial(bleu, order=order, smoothing=how.smoothing)
        found.append(Measure(f"BLEU-{order}", counts, of_order, replace(settings, order=order, smooth=how.smoothing)))
    as_in_rouge = replace(settings, variant="rouge-1.0.1-f1")
    for variant, column in zip(VARIANTS, rouge_f1(hypotheses, references).T, strict=True):
        found.append(mean_measure(f"ROUGE-{variant}", column, as_in_rouge))
    found.append(mean_measure("EM", np.array(list(map(eq, hypotheses, references))), settings))
    if pairs.sources is not None:
        sources = [how.reference_words(text) for text in pairs.sources]
        statistics = restoration_statistics(hypotheses, references, sources)
        for place, order in enumerate(ORDERS):
            for letter, formula in FORMULAS.items():
                found.append(Measure(f"restoration-{letter}{order}", statistics[:, place], formula, settings))
    return tuple(found)


def mean_measure(name: str, values: NDArray[Any], settings: Settings) -> Measure:
    """A metric that is the mean of one value per pair."""
    column = values.astype(np.float64)
    with_ones = np.stack([column, np.ones_like(column)], axis=-1)
    return Measure(name, with_ones, lambda sums: np.asarray(sums[..., 0] / sums[..., 1]), settings)
