"""The chats as Python objects. README.md explains the fields of `english.toml` and `chinese.toml`."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from utterly import UtterlyError

FILES: Final = tuple(Path(__file__).with_name(name) for name in ("english.toml", "chinese.toml"))
STAYS: Final = ("stay-question", "stay-other")  # kinds whose turns need no rewrite
Half = Literal["choose", "report"]


@dataclass(frozen=True, kw_only=True)
class Chat:
    """One chat, whose last turn is to be rewritten; in earlier turns, user and assistant alternate."""

    id: str
    half: Half
    domain: str
    turns: tuple[str, ...]
    marked: str  # the last turn, with replaceable words in braces
    examples: tuple[str, ...] = ()  # good rewrites; edits can produce the first
    good: tuple[str, ...] = ()
    fair: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()
    harmful: tuple[str, ...] = ()  # harmful rewrites, for the tests

    def __post_init__(self) -> None:
        if len(self.turns) % 2:
            raise UtterlyError(f"{self.id}: questions and answers must alternate, got {len(self.turns)} turns")
        if self.stays == bool(self.good and self.examples):
            raise UtterlyError(f"{self.id}: `good` and `examples` must be given exactly for turns that need a rewrite")

    @property
    def kind(self) -> str:
        return self.id.removeprefix("zh-").rpartition("-")[0]

    @property
    def lang(self) -> str:
        return "zh" if self.id.startswith("zh-") else "en"

    @property
    def stays(self) -> bool:
        """Whether the turn stands on its own."""
        return self.kind in STAYS

    @property
    def source(self) -> str:
        return self.marked.replace("{", "").replace("}", "")

    @property
    def messages(self) -> list[dict[str, str]]:
        """The chat as messages of a chat API."""
        roles = ("user", "assistant")
        return [{"role": roles[i % 2], "content": text} for i, text in enumerate((*self.turns, self.source))]

    @property
    def questions(self) -> tuple[str, ...]:
        """The user's earlier turns."""
        return self.turns[::2]


def load_chats(paths: Iterable[Path] = FILES, *, half: Half | None = None) -> list[Chat]:
    """The chats of these files, in order; all, or one half."""
    records = (record for path in paths for record in tomllib.loads(path.read_text(encoding="utf-8"))["chat"])
    chats = map(_chat, records)
    return [chat for chat in chats if half in (None, chat.half)]


def _chat(record: dict[str, Any]) -> Chat:
    turns = tuple(text.strip() for text in record.pop("turns"))
    marked = record.pop("source")
    lists = {name: tuple(value) for name, value in record.items() if isinstance(value, list)}
    return Chat(turns=turns, marked=marked, **{**record, **lists})
