"""Recipes: every setting of a training run, read from TOML; unknown settings are refused.

A recipe is a whole experiment: the same recipe and seed give the same model on the same machine. Its paths are relative
to the folder where training runs. A file can have variants, each of which overrides some settings:

    [variants.rdrop]
    about = "R-Drop: each batch is read twice"
    training = { agreement_weight = 0.5, epochs = 3 }

    [variants.rdrop-seed-1]
    extends = "rdrop"
    training.seed = 1
"""

import tomllib
from collections.abc import Callable
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from utterly.baselines import BASELINES
from utterly.errors import RecipeError
from utterly.labels.labels import TAGGER_LABELS
from utterly.model.settings import DecodeSettings
from utterly.model.window import WINDOWS

Report = Callable[[dict[str, Any]], None]
"""Told what a run has done: its data, its steps, its epochs."""

_T = TypeVar("_T")
PRECISIONS: Final = ("no", "tf32", "bf16", "fp16")
DEVICES: Final = ("", "cpu", "cuda")
REWARD_SCALINGS: Final = ("common", "literal")
ROLES: Final = "roles"  # the kind of a role labeller
TRACKERS: Final = ("", "tensorboard")
WEIGHT_BITS: Final = (0, 4, 8)
_WHOLE: Final = "the recipe"


@dataclass(frozen=True, kw_only=True)
class DataSettings:
    """Label files, as `utterly label` writes them, and dev dialogues with their rewrites.

    A role labeller has sentences instead (see `utterly.training.roles`), and no book.
    """

    train: tuple[str, ...]
    dev: str
    book: str  # a file, or the name of a bundled model: "en", "zh"
    taught: tuple[str, ...] = ()  # the files of train that teachers teach; empty: all
    test: str = ""  # role labeller only: sentences to measure the best one on, once
    literal: bool = False  # map scripts onto the book as the paper does, and train RaST as it was first trained
    exact_only: bool = False  # skip scripts that miss their target in the book's rules, ignoring case

    def __post_init__(self) -> None:
        if not self.train:
            raise RecipeError("data.train must name at least one label file, got none")
        if others := set(self.taught) - set(self.train):
            raise RecipeError(f"data.taught must be a subset of data.train, but {min(others)} is not in it")


@dataclass(frozen=True, kw_only=True)
class TaggerSettings:
    kind: str = "hct"
    encoder: str = ""  # a Hugging Face model folder or name with a fast tokenizer
    start_from: str = ""  # a saved, exported or bundled tagger to continue from, instead of a bare encoder
    feed_forward: int = 0  # narrow the encoder's feed-forward layers to this many units; 0: as they are
    teachers: tuple[str, ...] = ()  # taggers with the same rules, whose mean probabilities are learned too
    max_length: int = 384  # pieces; the authors use 360 (Chinese: 144)
    topic_turns: int = 2  # CANARD's two header turns
    window: str = "newest"  # which part of a longer dialogue is read; see `utterly.model.window`

    def __post_init__(self) -> None:
        if self.kind not in (known := (*TAGGER_LABELS, *BASELINES, ROLES)):
            raise RecipeError(f"no tagger called {self.kind!r}; known taggers: {', '.join(known)}")
        if self.kind in TAGGER_LABELS and not self.encoder and not self.start_from:
            raise RecipeError("set tagger.encoder, or tagger.start_from to continue from a trained tagger")
        if self.window not in WINDOWS:
            raise RecipeError(f"tagger.window must be one of {', '.join(WINDOWS)}, got {self.window!r}")
        if self.feed_forward < 0:
            raise RecipeError(f"tagger.feed_forward must be at least 0, got {self.feed_forward}")
        if self.feed_forward and self.kind not in TAGGER_LABELS:
            raise RecipeError(
                f"tagger.feed_forward is for {', '.join(TAGGER_LABELS)} only, but the kind is {self.kind!r}"
            )
        if self.kind == ROLES and (not self.encoder or self.start_from):
            raise RecipeError("a role labeller starts from a bare encoder: set tagger.encoder, and not start_from")


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    seed: int = 0
    epochs: int = 4
    batch_size: int = 32
    accumulate: int = 1  # batches per step
    learning_rate: float = 8e-5  # of the encoder; the paper uses 1e-5 over many more epochs
    head_rate_factor: float = 5.0  # the heads start untrained and learn this much faster
    weight_decay: float = 0.01  # as the authors
    warmup: float = 0.1  # share of all steps
    warmup_epochs: float = 0.0  # above 0, replaces that share; the authors: 3
    patience: int = 3  # stop after this many epochs without a better dev BLEU-4; as in the paper
    min_epochs: int = 0  # never stop before these; the paper: 15
    precision: str = "no"  # "tf32": single precision with a GPU's fast matrix products
    device: str = ""  # "", "cpu" or "cuda"; "" uses a GPU if there is one
    teacher_weight: float = 0.5  # the teachers' share of the loss, if there are any
    agreement_weight: float = 0.0  # R-Drop: above 0, batches are read twice, and the readings learn to agree
    reward_weight: float = 0.0  # the paper's lambda (0.5 there); 0: cross-entropy only
    reward_from_epoch: int = 0  # epochs of cross-entropy only, before rewards are added
    reward_scaling: str = "common"  # scale both rewards alike, then subtract; "literal": scale the difference
    dev_limit: int = 0  # dev dialogues scored after each epoch; 0: all
    workers: int = 1  # processes that encode the labels
    deterministic: bool = True  # the same seed gives the same model on a GPU too; slower
    weight_bits: int = 0  # 4 or 8: round weights and inputs as an export with that many bits does; 0: floats
    cuda_graphs: bool = False  # faster for small encoders; dropout differs from a run without
    track: str = ""  # "tensorboard": also write curves, to the folder `tensorboard` beside log.jsonl

    def __post_init__(self) -> None:
        choices: dict[str, tuple[str | int, ...]] = {
            "precision": PRECISIONS,
            "device": DEVICES,
            "reward_scaling": REWARD_SCALINGS,
            "track": TRACKERS,
            "weight_bits": WEIGHT_BITS,
        }
        for name, known in choices.items():
            if getattr(self, name) not in known:
                raise RecipeError(f"{name} must be one of {', '.join(map(repr, known))}, got {getattr(self, name)!r}")
        for name in ("teacher_weight", "reward_weight"):
            if not 0 <= getattr(self, name) <= 1:
                raise RecipeError(f"{name} must be between 0 and 1, got {getattr(self, name)}")
        counts = dict.fromkeys(("epochs", "batch_size", "accumulate", "workers", "patience"), 1)
        for name, least in {"agreement_weight": 0, **counts}.items():
            if getattr(self, name) < least:
                raise RecipeError(f"{name} must be at least {least}, got {getattr(self, name)}")
        if not 0 <= self.min_epochs <= self.epochs:
            raise RecipeError(f"min_epochs must be from 0 to epochs, which is {self.epochs}, got {self.min_epochs}")
        if not 0 <= self.warmup_epochs < self.epochs:
            raise RecipeError(
                f"warmup_epochs must be at least 0 and below epochs, which is {self.epochs}, got {self.warmup_epochs}"
            )
        if self.cuda_graphs and self.accumulate > 1:
            raise RecipeError(
                f"cuda_graphs needs accumulate = 1, because graphs keep one batch's gradients; got {self.accumulate}"
            )

    @property
    def warmup_share(self) -> float:
        """The share of all steps in which the rate rises."""
        return self.warmup_epochs / self.epochs or self.warmup

    def ended(self, epoch: int, epochs_without_better: int) -> bool:
        """Whether a run ends after this many epochs."""
        return epoch >= self.epochs or (epoch >= self.min_epochs and epochs_without_better >= self.patience)


@dataclass(frozen=True, kw_only=True)
class Recipe:
    out: str  # the run's folder, with checkpoint, log and best model; a variant has a subfolder of its name
    data: DataSettings
    tagger: TaggerSettings
    training: TrainingSettings = field(default_factory=TrainingSettings)
    decode: DecodeSettings = field(default_factory=DecodeSettings)
    network: dict[str, Any] = field(default_factory=dict)  # Ptr-Gen and RUN only: changes to the default shape

    def __post_init__(self) -> None:
        if self.data.test and self.tagger.kind != ROLES:
            raise RecipeError(
                f"data.test is for a role labeller only, but the tagger is {self.tagger.kind!r}; leave it out, "
                "and score the trained model with `utterly evaluate`"
            )

    @classmethod
    def read(cls, path: Path | str, variant: str = "", seed: int | None = None) -> "Recipe":
        """A recipe from a TOML file, or a variant of it. Another seed has a subfolder of its own, such as `seed-1`."""
        variants = read_variants(path)
        if variant not in variants:
            known = ", ".join(name for name in variants if name) or "none"
            raise RecipeError(f"{path} has no variant {variant!r}; its variants: {known}")
        recipe = variants[variant].recipe
        if seed is None or seed == recipe.training.seed:
            return recipe
        return replace(recipe, out=f"{recipe.out}/seed-{seed}", training=replace(recipe.training, seed=seed))

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> "Recipe":
        return _built(cls, table, _WHOLE)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class Variant(NamedTuple):
    about: str
    recipe: Recipe


def read_variants(path: Path | str) -> dict[str, Variant]:
    """All variants in a recipe's file by name, each checked; the recipe itself is the first, under the name ""."""
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as failure:
        raise RecipeError(f"{path}: cannot read the recipe: {failure.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise RecipeError(f"{path}: a recipe must be TOML: {wrong}") from None
    overrides = table.pop("variants", {})
    if not isinstance(overrides, dict):
        raise RecipeError(f"{path}: variants must be a table, got {overrides!r}")
    found: dict[str, Variant] = {}
    for name in ("", *overrides):
        try:
            about, settings = _settings(table, overrides, name)
            found[name] = Variant(about, Recipe.from_dict(settings))
        except RecipeError as wrong:
            raise RecipeError(f"{path}, variant {name}: {wrong}" if name else f"{path}: {wrong}") from None
    return found


def _settings(table: dict[str, Any], overrides: dict[str, Any], name: str) -> tuple[str, dict[str, Any]]:
    """A variant's description and all its settings: the recipe's, those of the variants it extends, and its own."""
    chain: list[str] = []  # the variant, the one it extends, and so on
    following: Any = name
    while following:
        if following in chain:
            raise RecipeError(f"a variant must not extend itself, got {' -> '.join([*chain, following])}")
        if not isinstance(following, str) or following not in overrides:
            raise RecipeError(f"extends must name a variant, got {following!r}; known variants: {', '.join(overrides)}")
        if not isinstance(overrides[following], dict):
            raise RecipeError(f"a variant must be a table, got {overrides[following]!r}")
        chain.append(following)
        following = overrides[following].get("extends", "")
    about, settings = table.get("about", ""), {key: value for key, value in table.items() if key != "about"}
    if name and isinstance(settings.get("out"), str):
        settings["out"] += f"/{name}"
    for each in reversed(chain):
        about = overrides[each].get("about", "")
        for key, value in overrides[each].items():
            both = isinstance(value, dict) and isinstance(settings.get(key), dict)
            if key not in ("about", "extends"):
                settings[key] = settings[key] | value if both else value
    if not isinstance(about, str):
        raise RecipeError(f"about must be str, got {about!r}")
    return about, settings


def _built(kind: type[_T], table: Any, where: str) -> _T:
    """A settings value from a table: every key known, every value of the right type."""
    if not isinstance(table, dict):
        raise RecipeError(f"{where} must be a table, got {table!r}")
    known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
    types = get_type_hints(kind)
    for key in table:
        if key not in known:
            raise RecipeError(f"{where} has no setting {key!r}; it has: {', '.join(known)}")
    missing = [n for n, f in known.items() if n not in table and f.default is MISSING and f.default_factory is MISSING]
    if missing:
        raise RecipeError(f"{where} is missing: {', '.join(missing)}")
    inside = "" if where == _WHOLE else f"{where}."
    values = {key: _typed(types[key], value, f"{inside}{key}") for key, value in table.items()}
    try:
        return kind(**values)
    except ValueError as wrong:
        raise RecipeError(f"{inside}{wrong}") from None


def _typed(wanted: Any, value: Any, where: str) -> Any:
    if is_dataclass(wanted):
        return _built(wanted, value, where)  # type: ignore[arg-type]
    if get_origin(wanted) is dict:
        if not isinstance(value, dict):
            raise RecipeError(f"{where} must be a table, got {value!r}")
        return value
    if get_args(wanted):  # tuple[str, ...]
        if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
            raise RecipeError(f"{where} must be a list of strings, got {value!r}")
        return tuple(value)
    if wanted is float and type(value) is int:
        return float(value)
    if type(value) is not wanted:
        raise RecipeError(f"{where} must be {wanted.__name__}, got {value!r}")
    return value
