"""`Pairs`: what is scored, checked once."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from utterly.dialogues.words import guess_language
from utterly.errors import MetricsError


@dataclass(frozen=True, slots=True)
class Pairs:
    """Predictions and references in the same order, with the sources and domains where they are known."""

    predictions: Sequence[str]
    references: Sequence[str]
    sources: Sequence[str] | None = None
    domains: Sequence[str] | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            texts = getattr(self, field.name)
            if texts is not None:
                self._refuse_unless_as_many_strings(field.name, texts)

    @property
    def language(self) -> str:
        return guess_language(" ".join(self.references))

    def _refuse_unless_as_many_strings(self, name: str, texts: Sequence[str]) -> None:
        if isinstance(texts, str):
            raise MetricsError(f"{name} must be a list of strings, but one string came; put it in a list")
        if len(texts) != len(self.references):
            raise MetricsError(
                f"there must be as many {name} as references, but {len(texts)} {name} and "
                f"{len(self.references)} references came; give one of each per dialogue, in the same order"
            )
        if not texts:
            raise MetricsError(f"a score needs at least one pair, but no {name} came; check where they come from")
        for number, text in enumerate(texts, start=1):
            if not isinstance(text, str):
                raise MetricsError(
                    f"{name} must be strings, but number {number} is {type(text).__name__}; "
                    "give an empty string where a system says nothing"
                )
