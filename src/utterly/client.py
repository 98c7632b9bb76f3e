"""Clients of a server that are used like a `Rewriter`: the same calls, the same results.

    with Client("http://127.0.0.1:8000") as client:
        client.rewrite(["Who is Federer?", "A player.", "Is he Swiss?"]).text

`AsyncClient` is the same for programs with an event loop. Both need the extra `client`.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Self, TypeVar, cast
from urllib.parse import urlsplit

from utterly.dialogues.conversation import Conversation, dialogue_from, turns_of
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ServerError
from utterly.extras import require
from utterly.rewriter import Alternative, Rewrite, RewriteOptions
from utterly.scripts.serialize import script_from_json

_LONGEST_WAIT: Final = 30.0  # seconds before a retry, whatever the server says
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class RemoteModel:
    """A model of the server."""

    name: str
    language: str
    tagger: str


_Steps = Generator[Any, Any, _Result]
"""A call as steps: httpx's requests to send, each answered with its response or error, and seconds to wait."""


class _Connection:
    """What both clients share: everything but the sending and the waiting."""

    _sender: str  # httpx's class

    def __init__(self, url: str, *, api_key: str | None = None, timeout: float = 15.0, retries: int = 2) -> None:
        self._url, self._timeout, self._retries = url.rstrip("/"), timeout, retries
        _check(_is_address(self._url), "url", "an address like http://127.0.0.1:8000", url)
        if api_key and not (api_key.isascii() and api_key.isprintable()):
            raise ServerError("api_key must be printable ASCII")
        seconds: object = timeout  # whatever was given
        _check(isinstance(seconds, int | float) and seconds > 0, "timeout", "a number of seconds above 0", timeout)
        _check(_is_whole(retries, least=0), "retries", "a whole number of at least 0", retries)
        self._httpx = require("httpx", extra="client")
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        sender = getattr(self._httpx, self._sender)
        self._http: Any = sender(base_url=self._url, headers=headers, timeout=timeout)

    def _rewrite(self, conversation: Conversation, options: RewriteOptions, model: str | None) -> _Steps[Rewrite]:
        try:
            dialogue = dialogue_from(conversation)
            body = {"turns": turns_of(dialogue), **_wanted(options, model)}
            return _rewrite_in((yield from self._answered("POST", "/v1/rewrite", body)), dialogue)
        except Exception as failure:
            if not options.fail_open:
                raise
            return Rewrite.failed(conversation, failure)

    def _rewrite_batch(
        self, batch: Sequence[Dialogue], options: RewriteOptions, model: str | None
    ) -> _Steps[list[Rewrite]]:
        body = {"dialogues": [{"turns": turns_of(dialogue)} for dialogue in batch], **_wanted(options, model)}
        answers = (yield from self._answered("POST", "/v1/rewrite/batch", body)).get("answers")
        if not isinstance(answers, list) or len(answers) != len(batch):
            raise _unexpected_answer()
        return list(map(_rewrite_in, answers, batch))

    def _models(self) -> _Steps[tuple[RemoteModel, ...]]:
        answer = yield from self._answered("GET", "/v1/models")
        try:
            return tuple(RemoteModel(each["name"], each["language"], each["tagger"]) for each in answer["models"])
        except (KeyError, TypeError):
            raise _unexpected_answer() from None

    def _answered(self, method: str, path: str, body: dict[str, Any] | None = None) -> _Steps[dict[str, Any]]:
        """The JSON answer to a request, which is sent again if the server is busy and says when."""
        content = None if body is None else json.dumps(body)  # in ASCII: turns may not be valid Unicode
        headers = {} if body is None else {"Content-Type": "application/json"}
        request = self._http.build_request(method, path, content=content, headers=headers)
        for retries_left in reversed(range(self._retries + 1)):
            response = yield request
            if isinstance(response, Exception):
                raise ServerError(
                    f"no answer from {self._url} within {self._timeout:g} s ({type(response).__name__}); "
                    "check that a server runs there"
                )
            try:
                return _json_in(response)
            except ServerError as refusal:
                if refusal.retry_after is None or not retries_left:
                    raise
                yield min(refusal.retry_after, _LONGEST_WAIT)
        raise AssertionError("unreachable")


class Client(_Connection):
    """A server, with one request at a time. Safe to use from several threads.

    A busy server is asked again, up to `retries` times, after the time it names. `timeout` is in seconds, per request.
    """

    _sender = "Client"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
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
        """`Rewriter.rewrite` on the server. With `fail_open`, the source also comes back if the server is down."""
        options = RewriteOptions(n_best=n_best, min_confidence=min_confidence, fail_open=fail_open)
        return self._run(self._rewrite(dialogue, options, model))

    def rewrite_many(
        self,
        dialogues: Iterable[Conversation],
        *,
        batch_size: int = 32,
        n_best: int = 1,
        min_confidence: float = 0.0,
        model: str | None = None,
    ) -> Iterator[Rewrite]:
        """`Rewriter.rewrite_many` on the server: any number of dialogues, sent in batches, answered in order."""
        options = RewriteOptions(n_best=n_best, min_confidence=min_confidence)
        for batch in _batches(dialogues, batch_size):
            yield from self._run(self._rewrite_batch(batch, options, model))

    def models(self) -> tuple[RemoteModel, ...]:
        return self._run(self._models())

    def _run(self, steps: _Steps[_Result]) -> _Result:
        outcome = None
        while True:
            try:
                step = steps.send(outcome)
                if isinstance(step, float):
                    time.sleep(step)
                else:
                    outcome = self._http.send(step)
            except self._httpx.HTTPError as failure:
                outcome = failure
            except StopIteration as end:
                return cast("_Result", end.value)


class AsyncClient(_Connection):
    """`Client` for programs with an event loop."""

    _sender = "AsyncClient"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
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
        options = RewriteOptions(n_best=n_best, min_confidence=min_confidence, fail_open=fail_open)
        return await self._run(self._rewrite(dialogue, options, model))

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
        options = RewriteOptions(n_best=n_best, min_confidence=min_confidence)
        for batch in _batches(dialogues, batch_size):
            for rewrite in await self._run(self._rewrite_batch(batch, options, model)):
                yield rewrite

    async def models(self) -> tuple[RemoteModel, ...]:
        return await self._run(self._models())

    async def _run(self, steps: _Steps[_Result]) -> _Result:
        outcome = None
        while True:
            try:
                step = steps.send(outcome)
                if isinstance(step, float):
                    await asyncio.sleep(step)
                else:
                    outcome = await self._http.send(step)
            except self._httpx.HTTPError as failure:
                outcome = failure
            except StopIteration as end:
                return cast("_Result", end.value)


def _check(holds: bool, name: str, must_be: str, value: object) -> None:
    if not holds:
        raise ServerError(f"{name} must be {must_be}, got {value!r}")


def _is_whole(value: object, *, least: int) -> bool:
    return type(value) is int and value >= least


def _is_address(url: str) -> bool:
    try:
        address = urlsplit(url)
        return address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
    except ValueError:  # not a port, not an IPv6 address
        return False


def _batches(dialogues: Iterable[Conversation], size: int) -> Iterator[list[Dialogue]]:
    _check(_is_whole(size, least=1), "batch_size", "a whole number of at least 1", size)
    waiting = iter(dialogues)
    while batch := [dialogue_from(each) for each in islice(waiting, size)]:
        yield batch


def _wanted(options: RewriteOptions, model: str | None) -> dict[str, Any]:
    return {"n_best": options.n_best, "min_confidence": options.min_confidence, "model": model}


def _json_in(response: Any) -> dict[str, Any]:
    """The JSON object in a response, or the server's problem raised."""
    try:
        answer = response.json()
    except (ValueError, RecursionError):
        answer = None
    if response.is_success and isinstance(answer, dict):
        return answer
    problem = answer if isinstance(answer, dict) else {}
    detail = problem.get("detail") or "this is not an answer of Utterly's; check the address"
    wait = response.headers.get("Retry-After", "")
    raise ServerError(
        f"the server answered {response.status_code}: {detail}",
        status=response.status_code,
        code=problem.get("code"),
        retry_after=float(wait) if wait.isdecimal() else None,
    )


def _rewrite_in(answer: Any, dialogue: Dialogue) -> Rewrite:
    """The `Rewrite` in an answer, its script rebuilt from the edits."""
    try:
        return Rewrite(
            text=answer["text"],
            source=answer["source"],
            confidence=answer["confidence"],
            model=answer["model"],
            script=script_from_json(answer["edits"], dialogue),
            alternatives=tuple(Alternative(way["text"], way["confidence"]) for way in answer["alternatives"]),
            abstained=answer["abstained"],
            reason=answer["reason"],
        )
    except (KeyError, TypeError):
        raise _unexpected_answer() from None


def _unexpected_answer() -> ServerError:
    return ServerError("the server's answer is not the one this client expects; use the same version of both")
