"""The API answers as the rewriter does."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.server.conftest import FEDERER, MakeClient
from utterly.dialogues.dialogue import Dialogue
from utterly.scripts.serialize import script_from_json


def rewritten(client: TestClient, **body: Any) -> dict[str, Any]:
    response = client.post("/v1/rewrite", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def test_a_dialogue_is_answered_with_its_rewrite_and_every_edit(client: TestClient) -> None:
    assert rewritten(client, turns=FEDERER) == {
        "text": "Did Federer have any other injuries?",
        "source": "Did he have any other injuries?",
        "changed": True,
        "confidence": 0.9,
        "abstained": False,
        "reason": None,
        "model": "en",
        "language": "",
        "edits": [
            {
                "word": 1,
                "text": "he",
                "keep": False,
                "insert": "Federer",
                "rule": [None],
                "spans": [{"turn": 0, "words": [2, 3], "characters": [8, 15], "text": "Federer"}],
            }
        ],
        "segments": [
            {"kind": "kept", "text": "Did ", "turn": None, "characters": None},
            {"kind": "deleted", "text": "he", "turn": None, "characters": None},
            {"kind": "copied", "text": "Federer", "turn": 0, "characters": [8, 15]},
            {"kind": "kept", "text": " have any other injuries?", "turn": None, "characters": None},
        ],
        "alternatives": [],
        "search_query": None,
        "terms": None,
    }


def test_edits_can_be_made_a_script_again(client: TestClient) -> None:
    answer = rewritten(client, turns=FEDERER)
    assert script_from_json(answer["edits"], Dialogue.of(FEDERER)).apply() == answer["text"]


def test_messages_are_read_as_chat_apis_pass_them(client: TestClient) -> None:
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": FEDERER[0]}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
        {"role": "tool", "content": "{}"},
        {"role": "assistant", "content": FEDERER[1]},
        {"role": "user", "content": FEDERER[2]},
        {"role": "assistant", "content": "Well ..."},
    ]
    assert rewritten(client, messages=messages) == rewritten(client, turns=FEDERER)


@pytest.mark.parametrize("source", ["  What is the capital of Portugal?\n", "", " ", "👍🏽"])
def test_a_first_turn_comes_back_byte_for_byte(client: TestClient, source: str) -> None:
    answer = rewritten(client, turns=[source])
    assert (answer["text"], answer["changed"], answer["edits"]) == (source, False, [])
    assert "".join(each["text"] for each in answer["segments"]) == source


def test_n_best_brings_alternatives(client: TestClient) -> None:
    answer = rewritten(client, turns=FEDERER, n_best=3)
    assert [way["confidence"] for way in answer["alternatives"]] == [0.06, 0.03]


def test_a_search_query_and_its_terms_come_if_asked_for(client: TestClient) -> None:
    answer = rewritten(client, turns=FEDERER, search=True)
    assert answer["search_query"] == f"{answer['text']} tennis"
    assert answer["terms"] == [{"text": "tennis", "turn": 0, "word": 0, "probability": 0.5}]
    plain = rewritten(client, turns=FEDERER)
    assert (plain["search_query"], plain["terms"]) == (None, None)


def test_under_the_confidence_asked_for_the_turn_comes_back(client: TestClient) -> None:
    answer = rewritten(client, turns=FEDERER, min_confidence=0.95)
    assert (answer["text"], answer["abstained"], answer["changed"]) == (FEDERER[2], True, False)
    assert answer["reason"] == "confidence 0.90 is under 0.95"


def test_a_model_is_chosen_by_the_text_or_by_name(client: TestClient) -> None:
    chinese = ["你喜欢周杰伦吗", "喜欢", "他最近出新歌了吗"]
    assert rewritten(client, turns=chinese)["model"] == "zh"
    assert rewritten(client, turns=chinese)["text"] == "周杰伦最近出新歌了吗"
    assert rewritten(client, turns=chinese, model="en")["model"] == "en"


def test_a_batch_is_answered_in_order(client: TestClient) -> None:
    dialogues = [{"turns": FEDERER}, {"turns": ["Hello!"]}, {"messages": [{"role": "user", "content": "Hi"}]}]
    response = client.post("/v1/rewrite/batch", json={"dialogues": dialogues, "n_best": 2})
    assert [answer["source"] for answer in response.json()["answers"]] == [FEDERER[2], "Hello!", "Hi"]


def test_models_are_listed_without_their_folders(client: TestClient) -> None:
    response = client.get("/v1/models")
    assert [(model["name"], model["min_confidence"]) for model in response.json()["models"]] == [
        ("en", 0.4),
        ("zh", 0.4),
    ]
    assert "secret" not in response.text


def test_the_same_request_gives_the_same_answer(client: TestClient) -> None:
    first, second = (client.post("/v1/rewrite", json={"turns": FEDERER}) for _ in range(2))
    assert first.content == second.content


def test_one_that_fails_does_not_fail_those_that_came_with_it(asking: MakeClient) -> None:
    client = asking()
    dialogues = [{"turns": FEDERER}, {"turns": ["a", "explode"]}]
    assert client.post("/v1/rewrite/batch", json={"dialogues": dialogues}).status_code == 500
    assert client.post("/v1/rewrite", json={"turns": FEDERER}).status_code == 200


def test_health_and_readiness_are_told_apart(client: TestClient) -> None:
    assert client.get("/healthz").json() == client.get("/readyz").json() == {"status": "ok"}


def test_figures_are_counted_for_prometheus(client: TestClient) -> None:
    rewritten(client, turns=FEDERER)
    client.post("/v1/rewrite", json={})
    figures = client.get("/metrics")
    assert figures.headers["content-type"].startswith("text/plain")
    assert 'utterly_rewrites_total{model="en",outcome="changed"} 1.0' in figures.text
    assert 'utterly_problems_total{code="invalid-request"} 1.0' in figures.text
    assert 'utterly_requests_total{method="POST",route="/v1/rewrite",status="200"} 1.0' in figures.text
    assert "utterly_batch_dialogues_sum 1.0" in figures.text
    assert "Federer" not in figures.text


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_may_be_asked_for_without_a_body(client: TestClient, path: str) -> None:
    response = client.head(path)
    assert (response.status_code, response.content) == (200, b"")
