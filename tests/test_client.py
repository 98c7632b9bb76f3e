"""The client is used like a rewriter and gives the same results."""

# ruff: noqa: F811 - `listening` is a fixture

import asyncio
import json
import math
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from tests.server.conftest import FEDERER, Listen, listening  # noqa: F401
from tests.server.stand_in import StandIn
from utterly.client import AsyncClient, Client, RemoteModel
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import DialogueError, ServerError
from utterly.rewriter import Rewrite

CHAT = [{"role": "user", "content": FEDERER[0]}, {"role": "user", "content": FEDERER[2]}]


def same(left: Rewrite, right: Rewrite) -> bool:
    return left.to_json() == right.to_json() and left.explain() == right.explain()


def test_a_client_answers_as_the_rewriter_behind_the_server(listening: Listen) -> None:
    with Client(listening()) as client:
        for dialogue in (FEDERER, CHAT, Dialogue.of(FEDERER), ["Hello"]):
            expected = StandIn().rewrite(
                dialogue if isinstance(dialogue, Dialogue) else _dialogue(dialogue), n_best=3, min_confidence=0.5
            )
            assert same(client.rewrite(dialogue, n_best=3, min_confidence=0.5), expected)


def test_terms_come_as_the_rewriter_gives_them(listening: Listen) -> None:
    expected = StandIn().rewrite(Dialogue.of(FEDERER), search=True)
    with Client(listening()) as client:
        assert client.rewrite(FEDERER, search=True).terms == expected.terms != ()
        assert [each.search_query for each in client.rewrite_many([FEDERER], search=True)] == [expected.search_query]


def _dialogue(turns: Any) -> Dialogue:
    return Dialogue.of([turn if isinstance(turn, str) else turn["content"] for turn in turns])


def test_many_are_sent_in_batches_and_answered_in_order(listening: Listen) -> None:
    rewriter = StandIn()
    with Client(listening(rewriter=rewriter)) as client:
        answers = list(client.rewrite_many((["Anna?", f"Is she {i}?"] for i in range(7)), batch_size=3))
    assert [answer.text for answer in answers] == [f"Is Anna {i}?" for i in range(7)]
    assert [size for size in rewriter.batches if size > 2] == [3, 3]


def test_models_are_listed(listening: Listen) -> None:
    with Client(listening()) as client:
        assert client.models() == (RemoteModel("en", "en", "hct", 0.4), RemoteModel("zh", "zh", "hct", 0.4))


def test_an_event_loop_has_a_client_of_its_own(listening: Listen) -> None:
    async def ask(url: str) -> tuple[Rewrite, list[Rewrite], int]:
        async with AsyncClient(url) as client:
            one = await client.rewrite(FEDERER)
            many = [answer async for answer in client.rewrite_many([FEDERER] * 3, batch_size=2)]
            return one, many, len(await client.models())

    one, many, models = asyncio.run(ask(listening()))
    assert one.text == "Did Federer have any other injuries?"
    assert (len(many), models) == (3, 2)


def test_what_the_server_refuses_is_raised_with_its_kind(listening: Listen) -> None:
    with Client(listening(max_turns=2)) as client, pytest.raises(ServerError) as refused:
        client.rewrite(FEDERER)
    assert (refused.value.status, refused.value.code) == (413, "too-many-turns")
    assert "turns must have at most 2 entries, got 3" in str(refused.value)


def test_a_key_is_sent(listening: Listen) -> None:
    url = listening(api_keys=("hush",))
    with Client(url, api_key="hush") as client:
        assert client.rewrite(FEDERER).changed
    with Client(url) as client, pytest.raises(ServerError, match="answered 401: "):
        client.rewrite(FEDERER)


def test_no_dialogue_is_refused_before_it_is_sent() -> None:
    with Client("http://127.0.0.1:9") as client, pytest.raises(DialogueError):
        client.rewrite([])


def test_a_server_that_is_not_there_is_named_or_the_turn_given_back() -> None:
    with Client("http://127.0.0.1:9") as client:
        with pytest.raises(
            ServerError,
            match=r"no answer from http://127.0.0.1:9 within 15 s \(ConnectError\); "
            "check that a server is running there",
        ):
            client.rewrite(FEDERER)
        answer = client.rewrite(FEDERER, fail_open=True)
    assert (answer.text, answer.changed) == (FEDERER[2], False)
    assert isinstance(answer.error, ServerError)


class _Busy(BaseHTTPRequestHandler):
    """Busy twice, then something else than an answer."""

    asked = 0
    body = b"{}"
    wait = "0"

    def do_POST(self) -> None:
        type(self).asked += 1
        self.send_response(503 if self.asked < 3 else 200)
        self.send_header("Retry-After", self.wait)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def busy() -> Any:
    _Busy.asked = 0
    with HTTPServer(("127.0.0.1", 0), _Busy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_busy_server_is_asked_again_and_a_strange_answer_said(busy: str) -> None:
    with (
        Client(busy) as client,
        pytest.raises(ServerError, match="unexpected answer from the server; use the same version"),
    ):
        client.rewrite(FEDERER)
    assert _Busy.asked == 3


def test_it_is_not_asked_for_ever(busy: str) -> None:
    with Client(busy, retries=1) as client, pytest.raises(ServerError, match="answered 503"):
        client.rewrite(FEDERER)


def test_a_server_that_is_busy_for_longer_than_a_request_may_take_is_not_waited_for(
    busy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Busy, "wait", "999999")
    with Client(busy) as client:
        assert client.rewrite(FEDERER, fail_open=True).text == FEDERER[-1]
    assert _Busy.asked == 1


@pytest.mark.parametrize(
    "odd",
    [
        {"text": 5},
        {"source": "another"},
        {"confidence": "high"},
        {"confidence": 5},
        {"confidence": math.nan},
        {"terms": 5},
        {"terms": [{"text": "Oslo"}]},
        {"terms": [{"text": "Oslo", "turn": 0, "word": 1, "probability": 2}]},
    ],
)
def test_an_answer_that_is_none_of_ours_is_refused(
    busy: str, monkeypatch: pytest.MonkeyPatch, odd: dict[str, Any]
) -> None:
    answer = StandIn().rewrite(Dialogue.of(FEDERER)).to_json()
    for body, error in (({**answer, **odd}, ServerError), (answer, type(None))):
        monkeypatch.setattr(_Busy, "body", json.dumps(body).encode())
        monkeypatch.setattr(_Busy, "asked", 2)
        with Client(busy) as client:
            assert type(client.rewrite(FEDERER, fail_open=True).error) is error


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"url": "http://[::1"}, "url must be an address like http://127.0.0.1:8000, got 'http://[::1'"),
        ({"url": "127.0.0.1:8000"}, "url must be an address like http://127.0.0.1:8000, got '127.0.0.1:8000'"),
        ({"api_key": "schlüssel"}, "api_key must be printable ASCII"),
        ({"api_key": "a\nb"}, "api_key must be printable ASCII"),
        ({"timeout": 0}, "timeout must be a number of seconds above 0, got 0"),
        ({"retries": -1}, "retries must be a whole number of at least 0, got -1"),
    ],
)
def test_a_wrong_setting_is_refused_when_it_is_given(kind: Any, wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ServerError) as refused:
        kind(**{"url": "http://127.0.0.1:9", **wrong})
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("size", [0, -1, 2.0])
def test_a_batch_holds_at_least_one(size: Any) -> None:
    async def ask() -> list[Rewrite]:
        async with AsyncClient("http://127.0.0.1:9") as client:
            return [answer async for answer in client.rewrite_many([FEDERER], batch_size=size)]

    with Client("http://127.0.0.1:9") as client, pytest.raises(ServerError, match="batch_size must be a whole number"):
        list(client.rewrite_many([FEDERER], batch_size=size))
    with pytest.raises(ServerError, match="batch_size must be a whole number of at least 1, got "):
        asyncio.run(ask())


def test_an_answer_that_is_nested_too_deeply_is_a_strange_one(busy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Busy, "body", b"[" * 100_000)
    with Client(busy, retries=0) as client:
        assert isinstance(client.rewrite(FEDERER, fail_open=True).error, ServerError)
