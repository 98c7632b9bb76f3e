"""The API's description says what the server does: schemathesis makes requests from it and checks the answers."""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from starlette.testclient import TestClient

from tests.server.conftest import MakeClient, server
from tests.server.stand_in import StandIn
from utterly.server.app import create_app
from utterly.server.problems import PROBLEM_TYPES
from utterly.server.settings import ServerSettings

LIMITS: dict[str, Any] = {"max_turns": 20, "max_batch": 4}
SCHEMA = schemathesis.openapi.from_dict(create_app(ServerSettings(**LIMITS), rewriter=StandIn()).openapi())

# Too much is refused too, with a status of its own.
SCHEMA.config.checks.negative_data_rejection.expected_statuses += ["413"]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with server(StandIn(), **LIMITS) as address:
        yield address


@SCHEMA.parametrize()
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_one_that_the_description_names(case: Any, url: str) -> None:
    case.call_and_validate(base_url=url)


@pytest.mark.parametrize(
    ("part", "status"),
    [
        ({"type": "text", "text": "Is he Swiss?"}, 200),
        ({"type": "text", "text": []}, 422),
        ({"type": "text"}, 422),
        ({"type": "image", "text": []}, 200),  # passed over, whatever it holds
        ({"text": "Is he Swiss?"}, 200),  # Gemini
        ({"text": 3}, 422),
        ({"type": None, "text": 3}, 422),
        ({"inline_data": {}}, 200),
        ("Is he Swiss?", 200),
        (3, 422),
    ],
)
def test_parts_are_taken_as_they_are_described(client: TestClient, part: Any, status: int) -> None:
    body = {"messages": [{"role": "user", "content": [part]}]}
    described = client.get("/openapi.json").json()
    schema = {"$ref": "#/components/schemas/RewriteRequest", "components": described["components"]}
    assert jsonschema_rs.is_valid(schema, body) == (status == 200)
    assert client.post("/v1/rewrite", json=body).status_code == status


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ({"role": "user", "parts": [{"text": "Is he Swiss?"}]}, 200),
        ({"role": "human", "content": "Is he Swiss?"}, 200),
        ({"type": "human", "content": "Is he Swiss?"}, 200),
        ({"type": "human"}, 422),
        ({"type": "reasoning"}, 422),  # nothing from the user
        ({"role": "user", "content": None}, 422),
        ({"role": "user"}, 422),
        ({"role": "wizard", "content": "Is he Swiss?"}, 422),
        ({"content": "Is he Swiss?"}, 422),
    ],
)
def test_messages_are_taken_as_they_are_described(client: TestClient, message: Any, status: int) -> None:
    body = {"messages": [message]}
    described = client.get("/openapi.json").json()
    schema = {"$ref": "#/components/schemas/RewriteRequest", "components": described["components"]}
    assert jsonschema_rs.is_valid(schema, body) == (status == 200)
    assert client.post("/v1/rewrite", json=body).status_code == status


def test_every_field_and_route_is_described(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    for path in described["paths"].values():
        for operation in path.values():
            assert operation["summary"]
            assert operation["description"]
            assert "500" in operation["responses"]
    named = ("RewriteRequest", "BatchRequest", "RewriteResponse", "EditResponse", "SpanResponse")
    for name in named:
        schema = described["components"]["schemas"][name]
        assert schema["description"]
        assert all(field["description"] for field in schema["properties"].values()), name


def test_problems_are_in_their_own_media_type(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    responses = described["paths"]["/v1/rewrite"]["post"]["responses"]
    refusals = {status: set(answer["content"]) for status, answer in responses.items() if int(status) >= 400}
    assert set(refusals) == {"400", "401", "408", "413", "415", "422", "500", "503", "504"}
    assert all(kinds == {"application/problem+json"} for kinds in refusals.values())
    assert set(described["x-problems"]) == set(PROBLEM_TYPES)


def test_limits_models_and_keys_are_those_of_the_server(asking: MakeClient) -> None:
    described = asking(max_turns=7, max_batch=5, api_keys=("k",)).get("/openapi.json").json()
    fields = described["components"]["schemas"]["RewriteRequest"]["properties"]
    assert fields["turns"]["maxItems"] == 7
    assert fields["model"]["anyOf"][0]["enum"] == ["en", "zh"]
    assert described["components"]["schemas"]["BatchRequest"]["properties"]["dialogues"]["maxItems"] == 5
    assert described["paths"]["/v1/rewrite"]["post"]["security"] == [{"bearer": []}, {"header": []}]
    assert "security" not in described["paths"]["/healthz"]["get"]
