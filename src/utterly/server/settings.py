"""All settings of the server, from the command line, the environment or a program."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Self

from utterly.errors import ServerError
from utterly.parallel import MOST_WORKERS

PREFIX: Final = "UTTERLY_"
LOG_LEVELS: Final = ("debug", "info", "warning", "error")
_TRUE: Final = ("1", "true", "yes", "on")
_FALSE: Final = ("0", "false", "no", "off", "")


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """Where a server listens, what it accepts and what it logs. The variable `UTTERLY_PORT` sets `port`, and so on.

    Limits are per worker. A dialogue is accepted only if it can be answered within `timeout`.
    """

    host: str = "127.0.0.1"  # local only
    port: int = 8000
    workers: int = 1  # processes, each with its own models
    model: str | None = None  # as for `Rewriter.load`: a bundled model or a folder; default: by language
    threads: int | None = None  # cores per worker; default: all

    max_body_bytes: int = 1_048_576
    max_turns: int = 1_000  # of a dialogue
    max_characters: int = 100_000  # of a dialogue, all turns together
    max_batch: int = 64  # dialogues in one request
    max_queue: int = 256  # dialogues waiting
    max_n_best: int = 10
    model_batch: int = 16  # dialogues per call of `rewrite_many`

    timeout: float = 10.0  # seconds for a request
    body_timeout: float = 10.0  # seconds for a body to arrive
    drain: float = 1.0  # seconds between SIGTERM and closing; responses tell clients to disconnect
    shutdown_timeout: float = 30.0  # seconds for requests still running then

    api_keys: tuple[str, ...] = field(default=(), repr=False)  # empty: open to everyone
    cors_origins: tuple[str, ...] = ()  # of other pages that may send requests
    log_level: str = "info"
    log_text: bool = False  # whether logs contain what users wrote

    def __post_init__(self) -> None:
        for each in fields(self):
            name, value = each.name, getattr(self, each.name)
            if name in ("workers", "threads") and type(value) is int:
                _check(value <= MOST_WORKERS, name, f"at most {MOST_WORKERS}", value)
            if (each.type is int and name != "port") or (name == "threads" and value is not None):
                _check(type(value) is int and value > 0, name, "a whole number of at least 1", value)
            elif each.type is float:
                _check(type(value) in (int, float) and 0 <= value < float("inf"), name, "seconds, 0 or more", value)
            elif each.type == tuple[str, ...]:
                is_list = isinstance(value, tuple) and all(
                    isinstance(part, str) and part.split() == [part] for part in value
                )
                _check(is_list, name, "a list of strings without blanks", "something else")
        _check(type(self.port) is int and 0 <= self.port < 65536, "port", "a whole number from 0 to 65535", self.port)
        _check(self.log_level in LOG_LEVELS, "log_level", f"one of {', '.join(LOG_LEVELS)}", self.log_level)
        _check(self.max_queue >= self.max_batch, "max_queue", f"at least max_batch ({self.max_batch})", self.max_queue)
        printable = all(key.isascii() and key.isprintable() for key in self.api_keys)
        _check(printable, "api_keys", "printable ASCII", "other characters")

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, **given: Any) -> Self:
        """Settings given here and not None, else from the environment, else the defaults."""
        found = os.environ if environment is None else environment
        chosen: dict[str, Any] = {
            each.name: _parsed(each.name, each.type, found[PREFIX + each.name.upper()])
            for each in fields(cls)
            if PREFIX + each.name.upper() in found
        }
        return cls(**chosen | {name: value for name, value in given.items() if value is not None})

    def to_environment(self) -> dict[str, str]:
        """The inverse of `read`, for worker processes."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {
            PREFIX + name.upper(): ",".join(value) if isinstance(value, tuple) else str(value)
            for name, value in values.items()
            if value is not None
        }


def read_api_keys(path: Path | str) -> tuple[str, ...]:
    """The API keys in a file, one per line; skips blank lines and lines that start with `#`."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as wrong:
        raise ServerError(f"{path}: cannot read API keys: {wrong}") from None
    keys = tuple(key for line in lines if (key := line.strip()) and not key.startswith("#"))
    if not keys:
        raise ServerError(f"{path}: must have one API key per line, got none")
    return keys


def _parsed(name: str, kind: object, text: str) -> object:
    """The value of an environment variable, as the setting's type."""
    if kind == tuple[str, ...]:
        return tuple(part for each in text.split(",") if (part := each.strip()))
    if kind is bool:
        _check(text.lower() in _TRUE + _FALSE, name, "yes or no", text)
        return text.lower() in _TRUE
    try:
        if kind in (int, int | None):
            return int(text)
        if kind is float:
            return float(text)
    except ValueError:
        _check(False, name, "a number of seconds" if kind is float else "a whole number", text)
    return text.lower() if name == "log_level" else text


def _check(holds: bool, name: str, must_be: str, value: object) -> None:
    if not holds:
        variable, option = PREFIX + name.upper(), f"--{name.replace('_', '-')}"
        raise ServerError(f"{name} must be {must_be}, got {value!r}; set it with {option} or {variable}")
