"""What every request passes: keys, origins, headers, and a log that holds no text."""

import json
import logging
import re

import pytest
from starlette.testclient import TestClient

from tests.server.conftest import FEDERER, MakeClient
from utterly.server.observability import LOGGER, JsonFormatter


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.DEBUG, LOGGER)
    caplog.handler.setFormatter(JsonFormatter())
    return caplog


@pytest.mark.parametrize(
    "headers", [{"Authorization": "Bearer second"}, {"X-API-Key": "first"}, {"authorization": "bearer first"}]
)
def test_a_key_opens_the_door(asking: MakeClient, headers: dict[str, str]) -> None:
    client = asking(api_keys=("first", "second"))
    assert client.post("/v1/rewrite", json={"turns": FEDERER}, headers=headers).status_code == 200
    assert client.get("/metrics", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic first"},
        {"X-API-Key": "firs"},
        {"X-API-Key": "ü"},
    ],
)
def test_without_one_nothing_is_read(asking: MakeClient, headers: dict[str, str]) -> None:
    client = asking(api_keys=("first",))
    sent = {name.encode(): value.encode() for name, value in headers.items()}
    for response in (client.post("/v1/rewrite", content=b"{", headers=sent), client.get("/v1/models", headers=sent)):
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == 'Bearer realm="utterly"'
        assert response.json()["code"] == "invalid-key"
        assert "first" not in response.text
    assert client.get("/healthz").status_code == client.get("/").status_code == 200


def test_pages_of_listed_origins_may_ask(asking: MakeClient) -> None:
    client = asking(cors_origins=("https://chat.example",), api_keys=("k",))
    wanted = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    allowed = client.options("/v1/rewrite", headers={"Origin": "https://chat.example", **wanted})
    assert allowed.headers["access-control-allow-origin"] == "https://chat.example"
    refused = client.post("/v1/rewrite", json={}, headers={"Origin": "https://chat.example"})
    assert refused.headers["access-control-allow-origin"] == "https://chat.example"  # a page may read why
    other = client.options("/v1/rewrite", headers={"Origin": "https://evil.example", **wanted})
    assert "access-control-allow-origin" not in other.headers


def test_without_a_list_no_other_page_may(client: TestClient) -> None:
    response = client.post("/v1/rewrite", json={"turns": FEDERER}, headers={"Origin": "https://evil.example"})
    assert not [name for name in response.headers if name.startswith("access-control")]


@pytest.mark.parametrize("path", ["/", "/docs", "/page/page.js", "/v1/models", "/nowhere"])
def test_every_answer_forbids_what_the_page_does_not_need(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert re.fullmatch(r"total;dur=[\d.]+", headers["server-timing"])


def test_the_page_is_asked_for_again_only_where_it_changed(client: TestClient) -> None:
    etag = client.get("/page/page.css").headers["etag"]
    assert client.get("/page/page.css", headers={"If-None-Match": etag}).status_code == 304


@pytest.mark.parametrize(("given", "kept"), [("my-id.1", True), ("with blank", False), ("x" * 65, False), ("", False)])
def test_a_request_may_name_itself_with_a_plain_word(client: TestClient, given: str, kept: bool) -> None:
    shown = client.get("/healthz", headers={"X-Request-ID": given}).headers["x-request-id"]
    assert (shown == given) is kept
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,64}", shown)


def test_the_log_says_how_it_went_and_holds_no_text(client: TestClient, lines: pytest.LogCaptureFixture) -> None:
    client.post("/v1/rewrite", json={"turns": FEDERER}, headers={"X-Request-ID": "r1"})
    client.post("/v1/rewrite", json={"turns": ["Federer", 5], "Federer": 1})
    client.post("/v1/rewrite", json={"messages": [{"role": "Federer", "content": "Federer"}]})
    client.post("/v1/rewrite", json={"turns": ["a", "Federer explode"]})
    client.get("/Federer?q=Federer", headers={"User-Agent": "Federer"})
    client.request("FEDERER", "/v1/rewrite")
    logged = [json.loads(line) for line in lines.text.splitlines()]
    first = next(line for line in logged if line.get("request_id") == "r1")
    assert first["event"] == "request"
    assert (first["route"], first["status"], first["turns"], first["changed"]) == ("/v1/rewrite", 200, 3, 1)
    failed = next(line for line in logged if line["event"] == "failed")
    assert failed["error"] == "RuntimeError"
    assert re.fullmatch(r"tests\.server\.stand_in:\d+", failed["at"])
    assert not re.search("Federer|FEDERER|secret|Traceback|/work|/src", lines.text)


def test_text_is_logged_where_it_was_asked_for(asking: MakeClient, lines: pytest.LogCaptureFixture) -> None:
    asking(log_text=True).post("/v1/rewrite", json={"turns": FEDERER})
    texts = [json.loads(line).get("texts") for line in lines.text.splitlines()]
    assert [{"source": FEDERER[2], "rewrite": "Did Federer have any other injuries?"}] in texts
