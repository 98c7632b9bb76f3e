"""Every setting of a training run: frozen values, read from TOML, unknown keys refused.

A recipe is the whole of an experiment: the same recipe and seed give the same model on the same machine. Paths in a
recipe are relative to where training runs.
"""

import tomllib
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Final, TypeVar, get_args, get_type_hints

from utterly.errors import RecipeError
from utterly.model.decode import DecodeSettings

_T = TypeVar("_T")
TAGGER_KINDS: Final = ("rast", "mst", "hct")
PRECISIONS: Final = ("no", "tf32", "bf16", "fp16")
DEVICES: Final = ("", "cpu", "cuda")
REWARD_SCALINGS: Final = ("common", "literal")
_WHOLE: Final = "the recipe"


@dataclass(frozen=True, kw_only=True)
class DataSettings:
    """Label files in rules of one book, as `utterly restrict` writes them."""

    train: tuple[str, ...]
    dev: str
    book: str  # a file, or the name of a bundled model: "en", "zh"
    taught: tuple[str, ...] = ()  # the files of train whose dialogues teachers teach; none named: all
    exact_only: bool = False  # learn from no script that misses its target, casing apart, as the book cannot say all

    def __post_init__(self) -> None:
        if not self.train:
            raise RecipeError("data.train must name at least one label file, but the list is empty; add one")
        if others := set(self.taught) - set(self.train):
            raise RecipeError(f"data.taught must name files of data.train, but {min(others)} is not one; add it there")


@dataclass(frozen=True, kw_only=True)
class TaggerSettings:
    kind: str = "hct"
    encoder: str = ""  # a Hugging Face model folder or name with a fast tokenizer
    start_from: str = ""  # a saved, exported or bundled tagger to go on from, in place of the bare encoder
    teachers: tuple[str, ...] = ()  # such taggers, with the same rules, whose mean answer is learned too
    max_length: int = 384  # pieces; the authors' is 360 (Chinese 144)
    topic_turns: int = 2  # CANARD's two header turns

    def __post_init__(self) -> None:
        if self.kind not in TAGGER_KINDS:
            raise RecipeError(f"no tagger called {self.kind!r}; known taggers: {', '.join(TAGGER_KINDS)}")
        if not self.encoder and not self.start_from:
            raise RecipeError("a recipe must name an encoder, or a tagger to start from, but it names neither")


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    seed: int = 0
    epochs: int = 4
    batch_size: int = 32
    accumulate: int = 1  # batches per step
    learning_rate: float = 8e-5  # of the encoder; the paper's is 1e-5 over many more epochs
    head_rate_factor: float = 5.0  # the heads start from nothing and learn faster
    weight_decay: float = 0.01  # the authors'
    warmup: float = 0.1  # share of all steps
    clip: float = 5.0  # the authors': 3 to 5
    patience: int = 3  # epochs without a better dev BLEU-4; the paper's
    precision: str = "no"  # "tf32": single precision, with products that a GPU makes fast
    device: str = ""  # "", "cpu" or "cuda": "" takes a GPU where there is one
    teacher_weight: float = 0.5  # share of the loss that is the teachers' answers, where there are any
    agreement_weight: float = 0.0  # R-Drop: above 0 each batch is read twice, and the readings are drawn together
    reward_weight: float = 0.0  # the paper's lambda, there 0.5; 0 is cross-entropy alone
    reward_from_epoch: int = 0  # epochs of cross-entropy alone before rewards join in
    reward_scaling: str = "common"  # both rewards on one scale, then subtract; "literal": scale the difference
    dev_limit: int = 0  # dialogues of dev scored after each epoch; 0 for all
    workers: int = 1  # processes that cut words into pieces
    deterministic: bool = True  # a GPU, too, sums in the same order each time, which is slower: same seed, same model
    recorded: bool = False  # a GPU launches recorded passes: faster for small encoders; other dropout than without
    checkpoint_every: int = 0  # steps of the optimizer; 0: after each epoch only

    def __post_init__(self) -> None:
        for name, known in (("precision", PRECISIONS), ("device", DEVICES), ("reward_scaling", REWARD_SCALINGS)):
            if getattr(self, name) not in known:
                raise RecipeError(
                    f"{name} must be one of {', '.join(map(repr, known))}, but {getattr(self, name)!r} came"
                )
        for name in ("teacher_weight", "reward_weight"):
            if not 0 <= getattr(self, name) <= 1:
                raise RecipeError(f"{name} must lie in 0 to 1, but {getattr(self, name)} came")
        if self.agreement_weight < 0:
            raise RecipeError(f"agreement_weight must be at least 0, but {self.agreement_weight} came")
        for name in ("epochs", "batch_size", "accumulate", "workers", "patience"):
            if getattr(self, name) < 1:
                raise RecipeError(f"{name} must be at least 1, but {getattr(self, name)} came")
        if self.recorded and (self.accumulate > 1 or self.reward_weight):
            raise RecipeError(
                "recorded passes need accumulate = 1 and reward_weight = 0, as they keep one batch's gradients, but "
                f"{self.accumulate} and {self.reward_weight} came; set recorded = false"
            )


@dataclass(frozen=True, kw_only=True)
class Recipe:
    out: str  # the folder the run is kept in: checkpoints, log, and the best model
    data: DataSettings
    tagger: TaggerSettings
    training: TrainingSettings = field(default_factory=TrainingSettings)
    decode: DecodeSettings = field(default_factory=DecodeSettings)

    @classmethod
    def read(cls, path: Path | str) -> "Recipe":
        try:
            table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as failure:
            raise RecipeError(f"{path}: a recipe must be a file one can read, but {failure.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
            raise RecipeError(f"{path}: a recipe must be TOML, but: {wrong}") from None
        try:
            return cls.from_dict(table)
        except RecipeError as wrong:
            raise RecipeError(f"{path}: {wrong}") from None

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> "Recipe":
        return _built(cls, table, _WHOLE)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def _built(kind: type[_T], table: Any, where: str) -> _T:
    """A settings value from a table: every key known, every value of the right type."""
    if not isinstance(table, dict):
        raise RecipeError(f"{where} must be a table, but {table!r} came")
    known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
    types = get_type_hints(kind)
    for key in table:
        if key not in known:
            raise RecipeError(f"{where} has no setting {key!r}; it has: {', '.join(known)}")
    missing = [n for n, f in known.items() if n not in table and f.default is MISSING and f.default_factory is MISSING]
    if missing:
        raise RecipeError(f"{where} must have {', '.join(missing)}, but it has not; add it")
    inside = "" if where == _WHOLE else f"{where}."
    values = {key: _typed(types[key], value, f"{inside}{key}") for key, value in table.items()}
    try:
        return kind(**values)
    except ValueError as wrong:
        raise RecipeError(f"{inside}{wrong}") from None


def _typed(wanted: Any, value: Any, where: str) -> Any:
    if is_dataclass(wanted):
        return _built(wanted, value, where)  # type: ignore[arg-type]
    if get_args(wanted):  # tuple[str, ...]
        if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
            raise RecipeError(f"{where} must be a list of strings, but {value!r} came")
        return tuple(value)
    if wanted is float and type(value) is int:
        return float(value)
    if type(value) is not wanted:
        raise RecipeError(f"{where} must be {wanted.__name__}, but {value!r} came")
    return value
