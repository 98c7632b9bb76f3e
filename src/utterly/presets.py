"""Presets: how readily a turn is rewritten, in one word."""

from enum import StrEnum
from typing import Self

from utterly.errors import RewriterError


class Preset(StrEnum):
    """How sure a model must be. What each brings and costs, in chats and in search, is in `docs/presets.md`."""

    EAGER = "eager"
    BALANCED = "balanced"
    CAREFUL = "careful"

    @classmethod
    def named(cls, name: str) -> Self:
        try:
            return cls(name)
        except ValueError:
            raise RewriterError(f"preset must be one of {', '.join(cls)}, got {name!r}") from None

    @property
    def min_confidence(self) -> float:
        """Below it, rewrites are held back. Chosen on the choosing halves of chats and searches: benchmarks/log.md.

        A call without a preset uses the model's own threshold; that of the bundled models is the one of `balanced`.
        """
        return {Preset.EAGER: 0.0, Preset.BALANCED: 0.4, Preset.CAREFUL: 0.7}[self]
