"""Clients for a server: the calls and results of a `Rewriter`, over HTTP.

    with Client("http://127.0.0.1:8000") as client:
        client.rewrite(["Who is Federer?", "A player.", "Is he Swiss?"]).text

`AsyncClient` does the same in an event loop. Both need the extra `client`.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import partial, wraps
from itertools import islice
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar
from urllib.parse import urlsplit

from utterly.dialogues.conversation import Conversation, dialogue_from, turns_of
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ServerError
from utterly.extras import require
from utterly.model.terms import Term
from utterly.presets import Preset
from utterly.rewriter import Alternative, Rewrite, RewriteOptions
from utterly.scripts.edits import Span
from utterly.scripts.serialize import script_from_json

_MOST_THREADS: Final = 64  # concurrent requests of an `AsyncClient`
_P = ParamSpec("_P")
_R = TypeVar("_R")


@dataclass(frozen=True)
class RemoteModel:
    """A model on the server."""

    name: str
    language: str
    tagger: str
    min_confidence: float  # its threshold for calls that set none


class Client:
    """Sends each call to a server as a request. Thread-safe.

    If the server is busy, retries up to `retries` times after the delay that it asks for, unless that is longer than
    `timeout`: the seconds allowed per request.
    """

    def __init__(self, url: str, *, api_key: str | None = None, timeout: float = 15.0, retries: int = 2) -> None:
        self._url, self._timeout, self._retries = url.rstrip("/"), timeout, retries
        _check(_is_address(self._url), "url", "an address like http://127.0.0.1:8000", url)
        if api_key and not (api_key.isascii() and api_key.isprintable()):
            raise ServerError("api_key must be printable ASCII")
        seconds: object = timeout  # whatever was given
        _check(isinstance(seconds, int | float) and seconds > 0, "timeout", "a number of seconds above 0", timeout)
        _check(type(retries) is int and retries >= 0, "retries", "a whole number of at least 0", retries)
        self._httpx = require("httpx", extra="client")
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._http: Any = self._httpx.Client(base_url=self._url, headers=headers, timeout=timeout)

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
        preset: Preset | str | None = None,
        n_best: int = 1,
        min_confidence: float | None = None,
        model: str | None = None,
        fail_open: bool = False,
        search: bool = False,
    ) -> Rewrite:
        """`Rewriter.rewrite` on the server. With `fail_open`, also returns the source if the server is down."""
        options = _options(model, preset, n_best=n_best, min_confidence=min_confidence, search=search)
        try:
            read = dialogue_from(dialogue)
            return _rewrite_in(self._request("POST", "/v1/rewrite", {"turns": turns_of(read), **options}), read)
        except Exception as failure:
            if not fail_open:
                raise
            return Rewrite.failed(dialogue, failure)

    def rewrite_many(
        self,
        dialogues: Iterable[Conversation],
        *,
        batch_size: int = 32,
        preset: Preset | str | None = None,
        n_best: int = 1,
        min_confidence: float | None = None,
        model: str | None = None,
        search: bool = False,
    ) -> Iterator[Rewrite]:
        """`Rewriter.rewrite_many` on the server: any number of dialogues, sent in batches, answered in order."""
        is_whole = type(batch_size) is int and batch_size >= 1
        _check(is_whole, "batch_size", "a whole number of at least 1", batch_size)
        options = _options(model, preset, n_best=n_best, min_confidence=min_confidence, search=search)
        waiting = map(dialogue_from, dialogues)
        while batch := list(islice(waiting, batch_size)):
            body = {"dialogues": [{"turns": turns_of(dialogue)} for dialogue in batch], **options}
            answers = self._request("POST", "/v1/rewrite/batch", body).get("answers")
            if not isinstance(answers, list) or len(answers) != len(batch):
                raise _unexpected_answer()
            yield from map(_rewrite_in, answers, batch)

    def models(self) -> tuple[RemoteModel, ...]:
        answer = self._request("GET", "/v1/models")
        try:
            names = [each.name for each in fields(RemoteModel)]
            return tuple(RemoteModel(**{name: each[name] for name in names}) for each in answer["models"])
        except (KeyError, TypeError):
            raise _unexpected_answer() from None

    def _request(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """The JSON answer; retries if the server is busy and says for how long."""
        content = None if body is None else json.dumps(body)  # in ASCII: turns may not be valid Unicode
        headers = {} if body is None else {"Content-Type": "application/json"}
        retries_left = self._retries
        while True:
            try:
                return _json_in(self._http.request(method, path, content=content, headers=headers))
            except self._httpx.HTTPError as failure:
                raise ServerError(
                    f"no answer from {self._url} within {self._timeout:g} s ({type(failure).__name__}); "
                    "check that a server is running there"
                ) from None
            except ServerError as refusal:
                if refusal.retry_after is None or refusal.retry_after > self._timeout or not retries_left:
                    raise
                retries_left -= 1
                time.sleep(refusal.retry_after)


def _in_thread(call: Callable[Concatenate[Client, _P], _R]) -> Callable[Concatenate["AsyncClient", _P], Awaitable[_R]]:
    @wraps(call)
    async def awaited(self: "AsyncClient", /, *given: _P.args, **named: _P.kwargs) -> _R:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(call, self._client, *given, **named))

    return awaited


class AsyncClient:
    """`Client` for an event loop: calls run in threads."""

    def __init__(self, url: str, *, api_key: str | None = None, timeout: float = 15.0, retries: int = 2) -> None:
        self._client = Client(url, api_key=api_key, timeout=timeout, retries=retries)
        self._threads = ThreadPoolExecutor(_MOST_THREADS, thread_name_prefix="utterly-client")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        self._client.close()
        self._threads.shutdown(wait=False)

    rewrite = _in_thread(Client.rewrite)
    """`Client.rewrite`."""
    models = _in_thread(Client.models)

    async def rewrite_many(self, dialogues: Iterable[Conversation], **options: Any) -> AsyncIterator[Rewrite]:
        """`Client.rewrite_many`, with the same options."""
        rewrites = self._client.rewrite_many(dialogues, **options)
        loop = asyncio.get_running_loop()
        while (rewrite := await loop.run_in_executor(self._threads, next, rewrites, None)) is not None:
            yield rewrite


def _check(holds: bool, name: str, must_be: str, value: object) -> None:
    if not holds:
        raise ServerError(f"{name} must be {must_be}, got {value!r}")


def _is_address(url: str) -> bool:
    try:
        address = urlsplit(url)
        return address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
    except ValueError:  # not a port, not an IPv6 address
        return False


def _options(model: str | None, preset: Preset | str | None, **given: Any) -> dict[str, Any]:
    """The options of a call, checked, as a request has them."""
    options = RewriteOptions(**given).with_preset(preset)
    return {"model": model, **{name: getattr(options, name) for name in given}}


def _json_in(response: Any) -> dict[str, Any]:
    """The JSON object in a response; raises `ServerError` for a problem."""
    try:
        answer = response.json()
    except (ValueError, RecursionError):
        answer = None
    if response.is_success and isinstance(answer, dict):
        return answer
    problem = answer if isinstance(answer, dict) else {}
    detail = problem.get("detail") or "this is not an Utterly server; check the address"
    wait = response.headers.get("Retry-After", "")
    raise ServerError(
        f"the server answered {response.status_code}: {detail}",
        status=response.status_code,
        code=problem.get("code"),
        retry_after=float(wait) if wait.isdecimal() else None,
    )


def _rewrite_in(answer: Any, dialogue: Dialogue) -> Rewrite:
    """The `Rewrite` in an answer, with its script rebuilt from the edits."""
    try:
        fits = isinstance(answer["text"], str) and answer["source"] == dialogue.source.text
        if not fits or not 0 <= answer["confidence"] <= 1:
            raise _unexpected_answer()
        terms = answer.get("terms")
        return Rewrite(
            text=answer["text"],
            source=answer["source"],
            confidence=answer["confidence"],
            model=answer["model"],
            language=answer["language"],
            script=script_from_json(answer["edits"], dialogue),
            alternatives=tuple(Alternative(way["text"], way["confidence"]) for way in answer["alternatives"]),
            abstained=answer["abstained"],
            reason=answer["reason"],
            terms=None if terms is None else tuple(map(_term_in, terms)),
        )
    except (KeyError, TypeError):
        raise _unexpected_answer() from None


def _term_in(term: Any) -> Term:
    text, word, probability = term["text"], term["word"], term["probability"]
    if not isinstance(text, str) or not 0 <= probability <= 1:
        raise _unexpected_answer()
    return Term(text, Span(term["turn"], word, word + 1), probability)


def _unexpected_answer() -> ServerError:
    return ServerError("unexpected answer from the server; use the same version of client and server")
