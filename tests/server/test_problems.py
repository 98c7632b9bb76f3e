"""Every limit and every malformed request has a problem of its own: what must hold, what was given, what to do."""

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
from utterly.server.problems import PROBLEM_TYPES
from utterly.server.settings import ServerSettings

JSON = {"Content-Type": "application/json"}


def refused(response: Any, code: str) -> str:
    """The detail of a problem that is of this type and has its form."""
    problem = response.json()
    assert (problem["code"], response.status_code) == (code, PROBLEM_TYPES[code].status), response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert problem["request_id"] == response.headers["x-request-id"]
    assert problem["type"] == f"/docs#{code}"
    assert problem["status"] == response.status_code
    assert problem["detail"]
    return str(problem["detail"])


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, "the body must have either turns or messages, got neither; "),
        ({"turns": ["a"], "messages": []}, "messages must have at least 1 entry, got an empty list; "),
        (
            {"turns": ["a"], "messages": [{"role": "user", "content": "a"}]},
            "the body must have either turns or messages, got messages and turns; ",
        ),
        ({"turns": []}, "turns must have at least 1 entry, got an empty list; "),
        ({"turns": "Hello"}, "turns must be a list, got a string; "),
        ({"turns": None}, "turns must be a list, got null; "),
        ({"turns": ["a", 7]}, "turns.1 must be a string, got a number; "),
        ({"turns": ["a", None]}, "turns.1 must be a string, got null; "),
        ({"turns": ["a"], "nbest": 3}, "nbest must not be given (there is no such field), got a number; "),
        ({"turns": ["a"], "n_best": 0}, "n_best must be at least 1, got 0; "),
        ({"turns": ["a"], "n_best": 11}, "n_best must be at most 10, got 11; "),
        ({"turns": ["a"], "n_best": "3"}, "n_best must be a whole number, got a string; "),
        ({"turns": ["a"], "search": 1}, "search must be true or false, got a number; "),
        ({"turns": ["a"], "n_best": True}, "n_best must be a whole number, got true or false; "),
        ({"turns": ["a"], "min_confidence": 2}, "min_confidence must be at most 1, got 2; "),
        ({"turns": ["a"], "model": 3}, "model must be a string, got a number; "),
        ({"messages": ["a"]}, "messages.0 must be an object, got a string; "),
        ([], "the body must be an object, got a list; "),
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
        ([{"role": "user", "content": "\ud800"}], "messages: a turn must be valid Unicode, "),
    ],
)
def test_messages_that_make_no_dialogue_are_explained(client: TestClient, messages: Any, detail: str) -> None:
    response = client.post("/v1/rewrite", content=json.dumps({"messages": messages}), headers=JSON)
    assert refused(response, "invalid-dialogue").startswith(detail)


def test_a_body_must_be_there(client: TestClient) -> None:
    detail = refused(client.post("/v1/rewrite", content=b"", headers=JSON), "invalid-request")
    assert detail.startswith("the body must be given, got nothing; ")


def test_a_turn_that_is_no_unicode_is_explained(client: TestClient) -> None:
    response = client.post("/v1/rewrite", content=b'{"turns": ["a", "\\ud800"]}', headers=JSON)
    detail = "turns: a turn must be valid Unicode, "
    assert refused(response, "invalid-dialogue").startswith(detail)


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b'{"turns": ["a"', "the body must be one JSON object, but at character 14: Expecting ',' delimiter; "),
        (b"\xff\xfe{}", "the body must be one JSON object, but at character 0: "),
        (b'{"turns": ["\xff"]}', "the body must be UTF-8, but byte 12 is not; "),
        (b"[" * 200_000, "the body must be one JSON object, but it is nested too deeply; "),
        (b'{"turns": ["a"], "n_best": ' + b"9" * 5_000 + b"}", "the body must be one JSON object; "),
    ],
)
def test_a_body_that_is_no_json_is_explained(client: TestClient, body: bytes, detail: str) -> None:
    assert refused(client.post("/v1/rewrite", content=body, headers=JSON), "invalid-json").startswith(detail)


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonish"])
def test_only_json_is_taken(client: TestClient, kind: str) -> None:
    response = client.post("/v1/rewrite", content=b'{"turns": ["a"]}', headers={"Content-Type": kind})
    assert refused(response, "wrong-media-type").startswith("Content-Type must be application/json, got ")


def test_a_compressed_body_is_not_taken(client: TestClient) -> None:
    response = client.post("/v1/rewrite", content=b"", headers={**JSON, "Content-Encoding": "gzip"})
    assert refused(response, "wrong-media-type").startswith("the body must not be compressed; ")


def test_each_limit_says_itself_and_what_came(asking: MakeClient) -> None:
    client = asking(max_body_bytes=2_000, max_turns=3, max_characters=50, max_batch=2)

    def answer(path: str, body: object) -> Any:
        return client.post(path, json=body)

    long = answer("/v1/rewrite", {"turns": ["a" * 3_000]})
    assert refused(long, "body-too-large") == (
        "the body must have at most 2000 bytes, got 3014; send fewer or shorter dialogues"
    )
    assert refused(answer("/v1/rewrite", {"turns": ["a"] * 4}), "too-many-turns") == (
        "turns must have at most 3 entries, got 4; leave out the oldest"
    )
    assert refused(answer("/v1/rewrite", {"turns": ["a" * 30, "b" * 21]}), "too-many-characters") == (
        "turns must have at most 50 characters in all, got 51; leave out or shorten the oldest turns"
    )
    messages = [{"role": "user", "content": "a"}] * 4
    batch = {"dialogues": [{"turns": ["a"]}, {"messages": messages}]}
    assert refused(answer("/v1/rewrite/batch", batch), "too-many-turns").startswith("dialogues.1.messages must have")
    assert refused(answer("/v1/rewrite/batch", {"dialogues": [{"turns": ["a"]}] * 3}), "batch-too-large") == (
        "a batch must have at most 2 dialogues, got 3; send several requests"
    )


def test_a_body_without_a_length_is_cut_off_where_it_is_too_long(asking: MakeClient) -> None:
    sent = 0

    def endless() -> Any:
        nonlocal sent
        while sent < 10_000_000:
            sent += 1_000
            yield b" " * 1_000

    response = asking(max_body_bytes=5_000).post("/v1/rewrite", content=endless(), headers=JSON)
    assert refused(response, "body-too-large").startswith("the body must have at most 5000 bytes, got more; ")


def test_a_body_that_does_not_arrive_is_given_up(listening: Listen) -> None:
    address = urlsplit(listening(body_timeout=0.2))
    head = "POST /v1/rewrite HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    with socket.create_connection((address.hostname, address.port), timeout=10) as line:
        line.sendall(head.encode())
        answer = b"".join(iter(lambda: line.recv(65536), b"")).decode()
    assert answer.startswith("HTTP/1.1 408 ")
    assert "the body must arrive within 0.2 s; send it again" in answer


def test_a_model_that_is_not_there_is_named_with_those_that_are(client: TestClient) -> None:
    response = client.post("/v1/rewrite", json={"turns": ["a"], "model": "fr"})
    assert refused(response, "unknown-model").startswith("model must be one of: en, zh; ")


def test_a_full_queue_answers_at_once_and_serves_what_it_accepted(asking: MakeClient) -> None:
    client = asking(rewriter=StandIn(seconds_each=0.1), max_queue=2, max_batch=2, model_batch=1)
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: client.post("/v1/rewrite", json={"turns": FEDERER}), range(12)))
    turned_away = [response for response in answers if response.status_code == 503]
    assert 12 > len(turned_away) > 0
    for response in turned_away:
        assert refused(response, "overloaded").startswith("more dialogues are waiting than can be answered in time; ")
        assert int(response.headers["retry-after"]) >= 1
    assert client.post("/v1/rewrite", json={"turns": FEDERER}).status_code == 200


def test_a_request_that_takes_too_long_is_given_up(asking: MakeClient) -> None:
    client = asking(rewriter=StandIn(seconds=0.4), timeout=0.1)
    assert refused(client.post("/v1/rewrite", json={"turns": FEDERER}), "timed-out") == (
        "no answer within 0.1 s; try again later, or with fewer dialogues"
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
    optional=dict.fromkeys(
        ("turns", "messages", "dialogues", "n_best", "min_confidence", "search", "model", "x"), ANYTHING
    ),
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
