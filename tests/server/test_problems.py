"""Every limit and every malformed request has an answer of its own: what must hold, what came, what to do."""

import json
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.server.conftest import FEDERER, Listen, MakeClient
from tests.server.stand_in import StandIn
from utterly.server.app import create_app
from utterly.server.problems import KINDS
from utterly.server.settings import ServerSettings

JSON = {"Content-Type": "application/json"}


def refused(response: Any, code: str) -> str:
    """The detail of a problem that is of this kind and has its form."""
    problem = response.json()
    assert (problem["code"], response.status_code) == (code, KINDS[code].status), response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert problem["request_id"] == response.headers["x-request-id"]
    assert problem["type"] == f"/docs#{code}"
    assert problem["status"] == response.status_code
    assert re.fullmatch(r".+; .+", problem["detail"], re.DOTALL)
    return str(problem["detail"])


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, "the body must have either turns or messages, but neither came; "),
        ({"turns": ["a"], "messages": []}, "messages must have at least 1 entry, but an empty list came; "),
        (
            {"turns": ["a"], "messages": [{"role": "user", "content": "a"}]},
            "the body must have either turns or messages, but messages and turns came; ",
        ),
        ({"turns": []}, "turns must have at least 1 entry, but an empty list came; "),
        ({"turns": "Hello"}, "turns must be a list, but a string came; "),
        ({"turns": None}, "turns must be a list, but null came; "),
        ({"turns": ["a", 7]}, "turns.1 must be a string, but a number came; "),
        ({"turns": ["a", None]}, "turns.1 must be a string, but null came; "),
        ({"turns": ["a"], "nbest": 3}, "nbest must not be there, as no such field is known, but a number came; "),
        ({"turns": ["a"], "n_best": 0}, "n_best must be greater than or equal to 1, but 0 came; "),
        ({"turns": ["a"], "n_best": 11}, "n_best must be at most 10, but 11 came; "),
        ({"turns": ["a"], "n_best": "3"}, "n_best must be a whole number, but a string came; "),
        ({"turns": ["a"], "n_best": True}, "n_best must be a whole number, but true or false came; "),
        ({"turns": ["a"], "min_confidence": 2}, "min_confidence must be less than or equal to 1, but 2 came; "),
        ({"turns": ["a"], "model": 3}, "model must be a string, but a number came; "),
        ({"messages": ["a"]}, "messages.0 must be an object, but a string came; "),
        ([], "the body must be an object, but a list came; "),
    ],
)
def test_a_request_that_does_not_fit_names_the_field(client: TestClient, body: Any, detail: str) -> None:
    assert refused(client.post("/v1/rewrite", content=json.dumps(body), headers=JSON), "invalid-request").startswith(
        detail
    )


@pytest.mark.parametrize(
    ("messages", "detail"),
    [
        ([{"role": "assistant", "content": "Hi"}], "messages: the last user message is rewritten, but none of the 1 "),
        ([{"role": "wizard", "content": "Hi"}], "messages: message 1 has the unknown role 'wizard'; "),
        ([{"content": "Hi"}], "messages: message 1 has the unknown role None; "),
        ([{"role": "user"}], "messages: message 1 from the user has no content; "),
        ([{"role": "user", "content": "\ud800"}], "messages: a turn must be valid Unicode, but "),
    ],
)
def test_messages_that_make_no_dialogue_are_explained(client: TestClient, messages: Any, detail: str) -> None:
    response = client.post("/v1/rewrite", content=json.dumps({"messages": messages}), headers=JSON)
    assert refused(response, "invalid-dialogue").startswith(detail)


def test_a_body_must_be_there(client: TestClient) -> None:
    detail = refused(client.post("/v1/rewrite", content=b"", headers=JSON), "invalid-request")
    assert detail.startswith("the body must be there, but nothing came; ")


def test_a_turn_that_is_no_unicode_is_explained(client: TestClient) -> None:
    response = client.post("/v1/rewrite", content=b'{"turns": ["a", "\\ud800"]}', headers=JSON)
    detail = "turns: a turn must be valid Unicode, but character 0 is the lone surrogate U+D800; "
    assert refused(response, "invalid-dialogue").startswith(detail)


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b'{"turns": ["a"', "a body must be one JSON object, but at character 14: Expecting ',' delimiter; "),
        (b"\xff\xfe{}", "a body must be one JSON object, but "),
        (b'{"turns": ["\xff"]}', "a body must be UTF-8, but byte 12 is not; "),
        (b"[" * 200_000, "a body must be one JSON object, but it is nested too deeply; "),
        (b'{"turns": ["a"], "n_best": ' + b"9" * 5_000 + b"}", "a body must be one JSON object, but "),
    ],
)
def test_a_body_that_is_no_json_is_explained(client: TestClient, body: bytes, detail: str) -> None:
    assert refused(client.post("/v1/rewrite", content=body, headers=JSON), "invalid-json").startswith(detail)


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonish"])
def test_only_json_is_taken(client: TestClient, kind: str) -> None:
    response = client.post("/v1/rewrite", content=b'{"turns": ["a"]}', headers={"Content-Type": kind})
    assert refused(response, "wrong-media-type").startswith("Content-Type must be application/json, but ")


def test_a_compressed_body_is_not_taken(client: TestClient) -> None:
    response = client.post("/v1/rewrite", content=b"", headers={**JSON, "Content-Encoding": "gzip"})
    assert refused(response, "wrong-media-type").startswith("a body must not be compressed, but ")


def test_each_limit_says_itself_and_what_came(asking: MakeClient) -> None:
    client = asking(max_body_bytes=2_000, max_turns=3, max_characters=50, max_batch=2)

    def answer(path: str, body: object) -> Any:
        return client.post(path, json=body)

    long = answer("/v1/rewrite", {"turns": ["a" * 3_000]})
    assert refused(long, "body-too-large") == (
        "a body must have at most 2000 bytes, but 3014 bytes came; send fewer or shorter dialogues"
    )
    assert refused(answer("/v1/rewrite", {"turns": ["a"] * 4}), "too-many-turns") == (
        "turns must have at most 3 entries, but 4 came; leave out the oldest; the newest matter most"
    )
    assert refused(answer("/v1/rewrite", {"turns": ["a" * 30, "b" * 21]}), "too-many-characters") == (
        "turns must have at most 50 characters in all, but 51 came; "
        "leave out the oldest turns or shorten them; the newest matter most"
    )
    messages = [{"role": "user", "content": "a"}] * 4
    batch = {"dialogues": [{"turns": ["a"]}, {"messages": messages}]}
    assert refused(answer("/v1/rewrite/batch", batch), "too-many-turns").startswith("dialogues.1.messages must have")
    assert refused(answer("/v1/rewrite/batch", {"dialogues": [{"turns": ["a"]}] * 3}), "batch-too-large") == (
        "a batch must have at most 2 dialogues, but 3 came; send them in several requests"
    )


def test_a_body_without_a_length_is_cut_off_where_it_is_too_long(asking: MakeClient) -> None:
    sent = 0

    def endless() -> Any:
        nonlocal sent
        while sent < 10_000_000:
            sent += 1_000
            yield b" " * 1_000

    response = asking(max_body_bytes=5_000).post("/v1/rewrite", content=endless(), headers=JSON)
    assert refused(response, "body-too-large").startswith("a body must have at most 5000 bytes, but more came; ")


def test_a_body_that_does_not_arrive_is_given_up(listening: Listen) -> None:
    address = urlsplit(listening(body_timeout=0.2))
    head = "POST /v1/rewrite HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    with socket.create_connection((address.hostname, address.port), timeout=10) as line:
        line.sendall(head.encode())
        answer = b"".join(iter(lambda: line.recv(65536), b"")).decode()
    assert answer.startswith("HTTP/1.1 408 ")
    assert "a body must arrive within 0.2 s, but it did not; send it again, on a better line" in answer


def test_a_model_that_is_not_there_is_named_with_those_that_are(client: TestClient) -> None:
    response = client.post("/v1/rewrite", json={"turns": ["a"], "model": "fr"})
    assert refused(response, "unknown-model").startswith("model must be one of en, zh, but another came; ")


def test_a_full_queue_answers_at_once_and_serves_what_it_accepted(asking: MakeClient) -> None:
    client = asking(rewriter=StandIn(seconds_each=0.1), max_queue=2, max_batch=2, model_batch=1)
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: client.post("/v1/rewrite", json={"turns": FEDERER}), range(12)))
    turned_away = [response for response in answers if response.status_code == 503]
    assert 12 > len(turned_away) > 0
    for response in turned_away:
        assert refused(response, "overloaded").startswith("a dialogue must be answered in time, but ")
        assert int(response.headers["retry-after"]) >= 1
    assert client.post("/v1/rewrite", json={"turns": FEDERER}).status_code == 200


def test_a_request_that_takes_too_long_is_given_up(asking: MakeClient) -> None:
    client = asking(rewriter=StandIn(seconds=0.4), timeout=0.1)
    assert refused(client.post("/v1/rewrite", json={"turns": FEDERER}), "timed-out") == (
        "a request must be answered within 0.1 s, but this one was not; ask again later, or for fewer dialogues at once"
    )


def test_a_failure_of_ours_says_nothing_of_itself(client: TestClient) -> None:
    response = client.post("/v1/rewrite", json={"turns": ["a", "please explode"]})
    refused(response, "failed")
    assert not re.search("secret|explode|Traceback|RuntimeError|\\.py", response.text)


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/nowhere", "not-found"),
        ("GET", "/v1/rewrite/", "not-found"),
        ("GET", "/page/../settings.py", "not-found"),
        ("GET", "/page/index.html", "not-found"),
        ("GET", "/v1/rewrite", "wrong-method"),
        ("DELETE", "/v1/models", "wrong-method"),
    ],
)
def test_paths_and_methods_that_are_not_there_are_problems_too(
    client: TestClient, method: str, path: str, code: str
) -> None:
    refused(client.request(method, path), code)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("turns", "messages", "dialogues", "n_best", "min_confidence", "model", "x"), ANYTHING),
)
BODIES = st.one_of(
    st.binary(max_size=300),
    ANYTHING.map(lambda value: json.dumps(value).encode()),
    FIELDS.map(lambda value: json.dumps(value).encode()),
    st.integers(1, 60_000).map(lambda depth: b'{"turns":' + b"[" * depth),
    st.binary(max_size=20).map(lambda noise: b'{"turns": ["' + noise + b'"]}'),
)


@pytest.fixture(scope="module")
def fuzzed() -> Any:
    app = create_app(ServerSettings(max_body_bytes=50_000), rewriter=StandIn())
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@settings(max_examples=300)
@given(
    body=BODIES, path=st.sampled_from(["/v1/rewrite", "/v1/rewrite/batch"]), kind=st.sampled_from([*JSON.values(), ""])
)
def test_whatever_comes_is_answered_or_refused(fuzzed: TestClient, body: bytes, path: str, kind: str) -> None:
    response = fuzzed.post(path, content=body, headers={"Content-Type": kind})
    if response.status_code != 200:
        assert 400 <= response.status_code < 500
        refused(response, response.json()["code"])
