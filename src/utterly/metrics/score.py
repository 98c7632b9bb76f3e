"""`Score`: a figure together with what made it."""

from dataclasses import asdict, dataclass

from utterly.metrics.bleu import Smoothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What made a score. Two scores can be set side by side where these are equal.

    >>> str(Settings(mode="paper", order=4, words="spacy-3.8", case="lower", smooth=Smoothing.NONE, n=5571))
    'mode:paper|order:4|words:spacy-3.8|case:lower|smooth:none|n:5571'
    """

    mode: str
    order: int | None = None  # longest n-gram of BLEU
    variant: str | None = None  # whose definition, where several go by the same name
    words: str  # what split the text, with its version
    case: str
    smooth: Smoothing | None = None
    n: int  # pairs

    def __str__(self) -> str:
        return "|".join(f"{key}:{value}" for key, value in asdict(self).items() if value is not None)


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a figure lies in `level` of all resamples of the corpus."""

    low: float
    high: float
    level: float

    def __str__(self) -> str:
        return f"[{self.low:.2f}, {self.high:.2f}]"


@dataclass(frozen=True, slots=True)
class Score:
    """A figure from 0 to 100, its settings, and its confidence interval where one was asked for."""

    name: str
    value: float
    settings: Settings
    interval: Interval | None = None

    def __str__(self) -> str:
        return f"{self.name} {self.value:.2f}" + (f" {self.interval}" if self.interval else "")

    def to_dict(self) -> dict[str, object]:
        """For JSON; without `interval` where there is none."""
        plain: dict[str, object] = {"value": self.value, "settings": str(self.settings)}
        return plain | ({"interval": asdict(self.interval)} if self.interval else {})
