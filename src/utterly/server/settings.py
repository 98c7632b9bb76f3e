"""Every setting of the server, from the command line, the environment or a program."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Self

from utterly.errors import ServerError

PREFIX: Final = "UTTERLY_"
LOG_LEVELS: Final = ("debug", "info", "warning", "error")
_YES_OR_NO: Final = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False} | {
    "off": False,
    "": False,
}


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """How a server listens, what it lets in, and what it logs. The variable `UTTERLY_PORT` sets `port`, and so on.

    The limits are for one worker. A dialogue waits only as long as it can still be answered within `timeout`.
    """

    host: str = "127.0.0.1"  # this machine only, until one asks for more
    port: int = 8000
    workers: int = 1  # processes, each with its own models
    model: str | None = None  # as for `Rewriter.load`: a bundled model, a folder, or by the text's language
    threads: int | None = None  # cores for one worker's model

    max_body_bytes: int = 1_048_576
    max_turns: int = 1_000  # of a dialogue
    max_characters: int = 100_000  # of a dialogue, all turns together
    max_batch: int = 64  # dialogues of one request
    max_queue: int = 256  # dialogues that wait
    max_n_best: int = 10
    model_batch: int = 16  # dialogues that `rewrite_many` is given at once

    timeout: float = 10.0  # seconds until a request is given up
    body_timeout: float = 10.0  # seconds for a body to arrive
    drain: float = 1.0  # seconds in which a stopping server still takes requests, and says that it closes
    shutdown_timeout: float = 30.0  # seconds for what is running then

    api_keys: tuple[str, ...] = field(default=(), repr=False)  # none: everybody may ask
    cors_origins: tuple[str, ...] = ()  # pages of other servers that may ask
    log_level: str = "info"
    log_text: bool = False  # whether logs hold what users wrote

    def __post_init__(self) -> None:
        for name in _WHOLE:
            _must(name, getattr(self, name), "be a whole number above 0", _is_whole(getattr(self, name)))
        for name in _SECONDS:
            value = getattr(self, name)
            _must(name, value, "be seconds, 0 or more", type(value) in (int, float) and 0 <= value < float("inf"))
        _must("port", self.port, "be a whole number from 0 to 65535", type(self.port) is int and 0 <= self.port < 65536)
        _must("threads", self.threads, "be a whole number above 0", self.threads is None or _is_whole(self.threads))
        _must("log_level", self.log_level, f"be one of {', '.join(LOG_LEVELS)}", self.log_level in LOG_LEVELS)
        _must("max_queue", self.max_queue, "be at least max_batch", self.max_queue >= self.max_batch)
        for name in _LISTS:
            fits = _is_list(getattr(self, name))
            _must(name, "something else", "be a list of texts without blanks", fits)
        _must("api_keys", "", "be printable ASCII", all(key.isascii() and key.isprintable() for key in self.api_keys))

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, **given: Any) -> Self:
        """What is given (None for not), then what the environment says, then the defaults."""
        found = os.environ if environment is None else environment
        chosen: dict[str, Any] = {
            each.name: _parsed(each.name, found[PREFIX + each.name.upper()])
            for each in fields(cls)
            if PREFIX + each.name.upper() in found
        }
        return cls(**chosen | {name: value for name, value in given.items() if value is not None})

    def to_environment(self) -> dict[str, str]:
        """The inverse of `read`, for the processes of a server."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {
            PREFIX + name.upper(): ",".join(value) if isinstance(value, tuple) else str(value)
            for name, value in values.items()
            if value is not None
        }


def keys_in(path: Path | str) -> tuple[str, ...]:
    """The API keys of a file, one a line; blank lines and those that begin with `#` are passed over."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as wrong:
        raise ServerError(f"{path}: must be a file of API keys, one a line, but {wrong}; check it") from None
    keys = tuple(key for line in lines if (key := line.strip()) and not key.startswith("#"))
    if not keys:
        raise ServerError(f"{path}: must hold an API key a line, but there is none; write one, or leave out the file")
    return keys


_WHOLE: Final = (
    "workers",
    "max_body_bytes",
    "max_turns",
    "max_characters",
    "max_batch",
    "max_queue",
    "max_n_best",
    "model_batch",
)
_SECONDS: Final = ("timeout", "body_timeout", "drain", "shutdown_timeout")
_LISTS: Final = ("api_keys", "cors_origins")


def _parsed(name: str, text: str) -> object:
    """A variable's text as its setting's type."""
    if name in _LISTS:
        return tuple(part for each in text.split(",") if (part := each.strip()))
    if name == "log_text":
        _must(name, text, "be yes or no", text.lower() in _YES_OR_NO)
        return _YES_OR_NO[text.lower()]
    if name in (*_WHOLE, "port", "threads"):
        return _number(name, text, int, "be a whole number")
    if name in _SECONDS:
        return _number(name, text, float, "be a number of seconds")
    return text.lower() if name == "log_level" else text


def _number(name: str, text: str, kind: type[int] | type[float], must: str) -> object:
    try:
        return kind(text)
    except ValueError:
        raise _wrong(name, text, must) from None


def _is_whole(value: object) -> bool:
    return type(value) is int and value > 0


def _is_list(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, str) and each.split() == [each] for each in value)


def _must(name: str, value: object, must: str, holds: bool) -> None:
    if not holds:
        raise _wrong(name, value, must)


def _wrong(name: str, value: object, must: str) -> ServerError:
    option = f"--{name.replace('_', '-')}"
    return ServerError(f"{name} must {must}, but {value!r} came; set {option} or {PREFIX}{name.upper()}")
