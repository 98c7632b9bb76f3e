"""Ask a server as one asks a `Rewriter`: the same calls, the same results.

    with Client("http://127.0.0.1:8000") as client:
        client.rewrite(["Who is Federer?", "A player.", "Is he Swiss?"]).text

`AsyncClient` does the same for programs with an event loop. Both need the extra `client`.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

from utterly.dialogues.conversation import dialogue_from_messages
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ServerError, UtterlyError
from utterly.extras import require
from utterly.rewriter import Alternative, Rewrite
from utterly.scripts.explain import script_from_json

Conversation = Dialogue | Sequence[str] | Sequence[Mapping[str, object]]
"""A dialogue, its turns as strings with the one to rewrite last, or chat messages with `role` and `content`."""

_LONGEST_WAIT: Final = 30.0  # seconds before asking again, whatever the server says


@dataclass(frozen=True)
class RemoteModel:
    """A model of the server."""

    name: str
    language: str
    tagger: str


@dataclass(frozen=True)
class _Address:
    """How a server is asked."""

    url: str
    api_key: str | None
    timeout: float
    retries: int

    def __post_init__(self) -> None:
        _must("url", self.url, "be an address as http://127.0.0.1:8000", _is_address(self.url))
        if self.api_key and not (self.api_key.isascii() and self.api_key.isprintable()):
            raise ServerError("api_key must be printable ASCII, but it is not; give a key of the server's")
        seconds: object = self.timeout  # whatever came
        _must("timeout", seconds, "be a number of seconds above 0", isinstance(seconds, int | float) and seconds > 0)
        _must("retries", self.retries, "be a whole number, 0 or more", _is_whole(self.retries, least=0))

    def client_settings(self) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        return {"base_url": self.url, "headers": headers, "timeout": self.timeout}


@dataclass(frozen=True)
class _Call:
    """One request to send."""

    method: str
    path: str
    body: dict[str, Any] | None = None

    def arguments(self) -> dict[str, Any]:
        if self.body is None:
            return {}
        return {"content": json.dumps(self.body).encode(), "headers": {"Content-Type": "application/json"}}


class Client:
    """A server, asked one call after another. Safe to use from several threads.

    A busy server is asked again, up to `retries` times, when it says. `timeout` is in seconds, for each time.
    """

    def __init__(self, url: str, *, api_key: str | None = None, timeout: float = 15.0, retries: int = 2) -> None:
        self._address = _Address(url.rstrip("/"), api_key, timeout, retries)
        self._http = require("httpx", extra="client").Client(**self._address.client_settings())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def rewrite(
        self,
        dialogue: Conversation,
        *,
        n_best: int = 1,
        min_confidence: float = 0.0,
        model: str | None = None,
        fail_open: bool = False,
    ) -> Rewrite:
        """As `Rewriter.rewrite`. With `fail_open`, a server that does not answer gives the source back too."""
        wishes = _wishes(n_best, min_confidence, model)
        try:
            read = _as_dialogue(dialogue)
            return _rewrite(read, self._ask(_Call("POST", "/v1/rewrite", {"turns": _turns(read), **wishes})))
        except UtterlyError as error:
            if not fail_open:
                raise
            return _given_back(dialogue, error)

    def rewrite_many(
        self,
        dialogues: Iterable[Conversation],
        *,
        batch_size: int = 32,
        n_best: int = 1,
        min_confidence: float = 0.0,
        model: str | None = None,
    ) -> Iterator[Rewrite]:
        """As `Rewriter.rewrite_many`: any number of dialogues, sent in batches, answered in their order."""
        wishes = _wishes(n_best, min_confidence, model)
        waiting = _waiting(dialogues, batch_size)
        while batch := [_as_dialogue(each) for each in islice(waiting, batch_size)]:
            yield from _rewrites(batch, self._ask(_batch_call(batch, wishes)))

    def models(self) -> tuple[RemoteModel, ...]:
        return _models(self._ask(_Call("GET", "/v1/models")))

    def _ask(self, call: _Call) -> Any:
        for attempt in range(self._address.retries + 1):
            try:
                return self._ask_once(call)
            except ServerError as refused:
                if refused.retry_after is None or attempt == self._address.retries:
                    raise
                time.sleep(min(refused.retry_after, _LONGEST_WAIT))
        raise AssertionError("unreachable")

    def _ask_once(self, call: _Call) -> Any:
        try:
            response = self._http.request(call.method, call.path, **call.arguments())
        except require("httpx", extra="client").HTTPError as failure:
            raise _unreachable(self._address, failure) from None
        return _answer(response)


class AsyncClient:
    """`Client` for programs with an event loop."""

    def __init__(self, url: str, *, api_key: str | None = None, timeout: float = 15.0, retries: int = 2) -> None:
        self._address = _Address(url.rstrip("/"), api_key, timeout, retries)
        self._http = require("httpx", extra="client").AsyncClient(**self._address.client_settings())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def rewrite(
        self,
        dialogue: Conversation,
        *,
        n_best: int = 1,
        min_confidence: float = 0.0,
        model: str | None = None,
        fail_open: bool = False,
    ) -> Rewrite:
        """As `Client.rewrite`."""
        wishes = _wishes(n_best, min_confidence, model)
        try:
            read = _as_dialogue(dialogue)
            return _rewrite(read, await self._ask(_Call("POST", "/v1/rewrite", {"turns": _turns(read), **wishes})))
        except UtterlyError as error:
            if not fail_open:
                raise
            return _given_back(dialogue, error)

    async def rewrite_many(
        self,
        dialogues: Iterable[Conversation],
        *,
        batch_size: int = 32,
        n_best: int = 1,
        min_confidence: float = 0.0,
        model: str | None = None,
    ) -> AsyncIterator[Rewrite]:
        """As `Client.rewrite_many`."""
        wishes = _wishes(n_best, min_confidence, model)
        waiting = _waiting(dialogues, batch_size)
        while batch := [_as_dialogue(each) for each in islice(waiting, batch_size)]:
            for rewrite in _rewrites(batch, await self._ask(_batch_call(batch, wishes))):
                yield rewrite

    async def models(self) -> tuple[RemoteModel, ...]:
        return _models(await self._ask(_Call("GET", "/v1/models")))

    async def _ask(self, call: _Call) -> Any:
        for attempt in range(self._address.retries + 1):
            try:
                return await self._ask_once(call)
            except ServerError as refused:
                if refused.retry_after is None or attempt == self._address.retries:
                    raise
                await asyncio.sleep(min(refused.retry_after, _LONGEST_WAIT))
        raise AssertionError("unreachable")

    async def _ask_once(self, call: _Call) -> Any:
        try:
            response = await self._http.request(call.method, call.path, **call.arguments())
        except require("httpx", extra="client").HTTPError as failure:
            raise _unreachable(self._address, failure) from None
        return _answer(response)


def _must(name: str, value: object, must: str, holds: bool) -> None:
    if not holds:
        raise ServerError(f"{name} must {must}, but {value!r} came; see `Client`")


def _is_whole(value: object, *, least: int) -> bool:
    return type(value) is int and value >= least


def _is_address(url: str) -> bool:
    try:
        address = urlsplit(url)
        return address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
    except ValueError:  # no port, no address of IPv6
        return False


def _waiting(dialogues: Iterable[Conversation], batch_size: int) -> Iterator[Conversation]:
    _must("batch_size", batch_size, "be a whole number above 0", _is_whole(batch_size, least=1))
    return iter(dialogues)


def _as_dialogue(conversation: Any) -> Dialogue:
    if isinstance(conversation, Dialogue):
        return conversation
    if isinstance(conversation, Sequence) and conversation and isinstance(conversation[0], Mapping):
        return dialogue_from_messages(conversation)
    return Dialogue.of(conversation)


def _turns(dialogue: Dialogue) -> list[str]:
    return [turn.text for turn in (*dialogue.context, dialogue.source)]


def _wishes(n_best: int, min_confidence: float, model: str | None) -> dict[str, Any]:
    wishes: dict[str, Any] = {"n_best": n_best, "min_confidence": min_confidence}
    return wishes if model is None else {**wishes, "model": model}


def _batch_call(batch: Sequence[Dialogue], wishes: dict[str, Any]) -> _Call:
    return _Call("POST", "/v1/rewrite/batch", {"dialogues": [{"turns": _turns(each)} for each in batch], **wishes})


def _answer(response: Any) -> Any:
    """The JSON of an answer, or what the server says instead."""
    try:
        said = response.json()
    except (ValueError, RecursionError):
        said = None
    if response.is_success and isinstance(said, dict):
        return said
    problem = said if isinstance(said, dict) else {}
    detail = problem.get("detail") or "the answer is not one of Utterly's; check the address"
    wait = response.headers.get("Retry-After", "")
    raise ServerError(
        f"the server answered {response.status_code}: {detail}",
        status=response.status_code,
        code=problem.get("code"),
        retry_after=float(wait) if wait.isdecimal() else None,
    )


def _unreachable(address: _Address, failure: Exception) -> ServerError:
    return ServerError(
        f"a server must answer at {address.url} within {address.timeout:g} s, but {type(failure).__name__} came; "
        "see whether it runs there"
    )


def _rewrites(batch: Sequence[Dialogue], said: Any) -> list[Rewrite]:
    answers = said.get("answers")
    if not isinstance(answers, list) or len(answers) != len(batch):
        raise _strange()
    return [_rewrite(dialogue, answer) for dialogue, answer in zip(batch, answers, strict=True)]


def _rewrite(dialogue: Dialogue, said: Any) -> Rewrite:
    """An answer as a `Rewrite`, its script built again from the edits."""
    try:
        return Rewrite(
            text=said["text"],
            source=said["source"],
            confidence=said["confidence"],
            model=said["model"],
            script=script_from_json(said["edits"], dialogue),
            alternatives=tuple(Alternative(way["text"], way["confidence"]) for way in said["alternatives"]),
            abstained=said["abstained"],
            reason=said["reason"],
        )
    except (KeyError, TypeError):
        raise _strange() from None


def _models(said: Any) -> tuple[RemoteModel, ...]:
    try:
        return tuple(RemoteModel(each["name"], each["language"], each["tagger"]) for each in said["models"])
    except (KeyError, TypeError):
        raise _strange() from None


def _strange() -> ServerError:
    return ServerError("a server must answer as this client's version does, but it does not; use the same version")


def _given_back(conversation: object, error: UtterlyError) -> Rewrite:
    try:
        source = _as_dialogue(conversation).source.text
    except UtterlyError:
        source = conversation if isinstance(conversation, str) else ""
    return Rewrite(text=source, source=source, confidence=0.0, model="", error=error)
