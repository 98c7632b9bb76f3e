"""`evaluate`: predictions against references, overall and by domain, as a `Report`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from utterly.errors import MetricsError
from utterly.metrics.measure import Measure, Pairs, Score, measures
from utterly.metrics.resampling import RESAMPLES, intervals
from utterly.metrics.roles import RoleLabeller, role_measures
from utterly.metrics.words import Mode, splitting


@dataclass(frozen=True, slots=True)
class Report:
    """Scores by name, of the whole corpus and of each domain.

    `signature` is sacreBLEU's own for BLEU-4, if that is the mode.
    """

    mode: Mode
    language: str
    overall: Mapping[str, Score]
    domains: Mapping[str, Mapping[str, Score]]
    signature: str | None = None

    def __getitem__(self, name: str) -> Score:
        """The overall score by this name.

        >>> str(evaluate(["他去吗"], ["他去吗"])["EM"])
        'EM 100.00'
        """
        try:
            return self.overall[name]
        except KeyError:
            known = ", ".join(self.overall)
            raise MetricsError(f"no score called {name!r} in this report; it has: {known}") from None

    def to_dict(self) -> dict[str, object]:
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
    roles: RoleLabeller | None = None,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
) -> Report:
    """Score each prediction against its reference.

    `sources` adds restoration, `roles` semantic roles, `domains` the scores of each domain, and `rng` a 95 % bootstrap
    interval to every score. Without `language`, it is detected from the references.
    """
    pairs = Pairs(predictions, references, sources, domains)
    language = language or pairs.language
    how = splitting(mode, language)
    found = measures(pairs, how) + (role_measures(pairs, roles, language) if roles else ())

    def scores(of: Sequence[Measure]) -> Mapping[str, Score]:
        spread = intervals(of, rng, resamples) if rng else [None] * len(of)
        return MappingProxyType({each.name: each.score(interval) for each, interval in zip(of, spread, strict=True)})

    overall = scores(found)  # before the domains: both draw from `rng`
    names = np.array(domains or ())
    rows = {domain: np.flatnonzero(names == domain) for domain in dict.fromkeys(domains or ())}
    by_domain = {domain: scores([measure.of(places) for measure in found]) for domain, places in rows.items()}
    return Report(how.mode, language, overall, MappingProxyType(by_domain), how.signature)


def _plain(scores: Mapping[str, Score]) -> dict[str, object]:
    return {name: score.to_dict() for name, score in scores.items()}
