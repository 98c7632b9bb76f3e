"""The arguments of rewrites against those of their targets: precision, recall and F1.

An argument is a predicate, a role and the text that fills it, ignoring case. Each counts as often as it occurs, summed
over the corpus. Equal texts have equal arguments, so an exact rewrite scores 100 even where the labeller errs.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from utterly.errors import MetricsError
from utterly.metrics.measure import Measure, Pairs, Settings
from utterly.metrics.restoration import FORMULAS, overlap


class Argument(NamedTuple):
    """The words of a text that fill a role of a predicate."""

    predicate: str
    role: str
    text: str


class RoleLabeller(Protocol):
    @property
    def language(self) -> str:
        """The language it reads."""

    @property
    def version(self) -> str:
        """Its name, release and quality, as shown with scores."""

    def arguments(self, texts: Sequence[str]) -> Sequence[Sequence[Argument]]:
        """The arguments of each text, in order."""


def role_measures(pairs: Pairs, labeller: RoleLabeller, language: str) -> tuple[Measure, ...]:
    if language != labeller.language:
        raise MetricsError(
            f"roles must be labelled in the language of the texts, {language}, but this labeller reads "
            f"{labeller.language}; use one for {language}, or give the language if the texts are in another"
        )
    texts = tuple(dict.fromkeys((*pairs.predictions, *pairs.references)))
    arguments_of = {
        text: [(predicate.lower(), role, words.lower()) for predicate, role, words in arguments]
        for text, arguments in zip(texts, labeller.arguments(texts), strict=True)
    }
    rows = [
        overlap(arguments_of[rewrite], arguments_of[target])
        for rewrite, target in zip(pairs.predictions, pairs.references, strict=True)
    ]
    settings = Settings(mode="roles", words=labeller.version, case="lower", n=len(rows))
    return tuple(Measure(f"roles-{letter}", np.array(rows), formula, settings) for letter, formula in FORMULAS.items())
