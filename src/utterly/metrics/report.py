"""`evaluate`: predictions against references, overall and by domain, as a `Report`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from utterly.errors import MetricsError
from utterly.metrics.measure import Measure, measured
from utterly.metrics.modes import Mode, reading
from utterly.metrics.pairs import Pairs
from utterly.metrics.resampling import RESAMPLES, intervals
from utterly.metrics.score import Score


@dataclass(frozen=True, slots=True)
class Report:
    """Scores by name, of the whole corpus and of each domain.

    `signature` is sacreBLEU's own line for BLEU-4, where that mode was asked for.
    """

    mode: Mode
    language: str
    overall: Mapping[str, Score]
    domains: Mapping[str, Mapping[str, Score]]
    signature: str | None = None

    def __getitem__(self, name: str) -> Score:
        """The overall score of a name.

        >>> str(evaluate(["他去吗"], ["他去吗"])["EM"])
        'EM 100.00'
        """
        try:
            return self.overall[name]
        except KeyError:
            known = ", ".join(self.overall)
            raise MetricsError(f"no score called {name!r} in this report; it has: {known}") from None

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "mode": str(self.mode),
            "language": self.language,
            "signature": self.signature,
            "overall": _plain(self.overall),
            "domains": {domain: _plain(scores) for domain, scores in self.domains.items()},
        }


def evaluate(
    predictions: Sequence[str],
    references: Sequence[str],
    *,
    sources: Sequence[str] | None = None,
    domains: Sequence[str] | None = None,
    language: str | None = None,
    mode: Mode | str = Mode.PAPER,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
) -> Report:
    """Score each prediction against its reference.

    With `sources`, restoration is scored too; with `domains`, each domain by itself; with `rng`, every
    score has a 95 % bootstrap interval. A language not given is guessed from the references.
    """
    pairs = Pairs(predictions, references, sources, domains)
    language = language or pairs.language
    how = reading(mode, language)
    measures = measured(pairs, how)
    return Report(
        mode=how.mode,
        language=language,
        overall=_scores(measures, rng, resamples),
        domains=MappingProxyType(
            {
                domain: _scores([measure.of(rows) for measure in measures], rng, resamples)
                for domain, rows in _rows_by_domain(domains or ()).items()
            }
        ),
        signature=how.signature,
    )


def human_agreement(
    rewrites: Sequence[Sequence[str]], *, language: str | None = None, mode: Mode | str = Mode.PAPER
) -> Report:
    """Score people against each other: every further rewrite of a turn against the first one."""
    for number, versions in enumerate(rewrites, start=1):
        if isinstance(versions, str) or len(versions) < 2:
            raise MetricsError(
                f"every turn needs at least two rewrites in a list, but turn {number} has {versions!r}; "
                "leave out turns that one person alone rewrote"
            )
    pairs = [(further, first) for first, *others in rewrites for further in others]
    return evaluate([further for further, _ in pairs], [first for _, first in pairs], language=language, mode=mode)


def _scores(measures: Sequence[Measure], rng: np.random.Generator | None, resamples: int) -> Mapping[str, Score]:
    found = intervals(measures, rng, resamples) if rng else [None] * len(measures)
    return MappingProxyType(
        {measure.name: measure.score(interval) for measure, interval in zip(measures, found, strict=True)}
    )


def _rows_by_domain(domains: Sequence[str]) -> dict[str, NDArray[np.intp]]:
    names = np.array(domains)
    return {domain: np.flatnonzero(names == domain) for domain in dict.fromkeys(domains)}


def _plain(scores: Mapping[str, Score]) -> dict[str, object]:
    return {name: score.to_dict() for name, score in scores.items()}
