"""What the chats of `scenes` speak of, read from scenes.toml."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("scenes.toml")


@dataclass(frozen=True)
class Listing:
    """Things of one kind that an assistant lists, and what is asked of one of them."""

    questions: tuple[str, ...]
    items: tuple[tuple[str, str], ...]  # a name, and what is said of it
    frames: tuple[str, ...]  # questions of one item
    hidden: tuple[tuple[str, str], ...]  # questions that hide the item, and the same that name it


@dataclass(frozen=True)
class Offer:
    """An answer that ends with an offer."""

    question: str
    answer: str
    offer: str


@dataclass(frozen=True)
class AskedBack:
    """An answer that asks back, and replies that complete the question, which stands here without its mark."""

    question: str
    answer: str
    replies: tuple[str, ...]


@dataclass(frozen=True)
class Advice:
    """An answer that advises against something, how one asks why, and what the answer claims."""

    question: str
    answer: str
    why: str
    claim: str


@dataclass(frozen=True)
class SceneTables:
    lists: tuple[Listing, ...]
    offers: tuple[Offer, ...]
    asked_back: tuple[AskedBack, ...]
    advice: tuple[Advice, ...]
    leaves: tuple[str, ...]  # turns that stand on their own anywhere

    @classmethod
    def read(cls, path: Path = FILE) -> "SceneTables":
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return cls(
            tuple(Listing(**_frozen(each)) for each in table["lists"]),
            tuple(Offer(**each) for each in table["offers"]),
            tuple(AskedBack(**_frozen(each)) for each in table["asked_back"]),
            tuple(Advice(**each) for each in table["advice"]),
            tuple(table["leaves"]),
        )


def _frozen(table: dict[str, Any]) -> dict[str, Any]:
    """Lists, and lists in these, as tuples."""
    return {name: _as_tuples(value) for name, value in table.items()}


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value
