"""docs/http.md has every setting and every error as they are, and the program of docs/serving.md runs."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from tests.server.conftest import Listen
from tests.server.stand_in import StandIn
from utterly.server.app import create_app
from utterly.server.problems import PROBLEM_TYPES
from utterly.server.settings import PREFIX, ServerSettings

ROOT = Path(__file__).parent.parent.parent
REFERENCE = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")


def test_every_setting_stands_there_with_its_default() -> None:
    rows = dict(re.findall(rf"`{PREFIX}(\w+)` \| (.*?) \|", REFERENCE))
    defaults = {each.name.upper(): getattr(ServerSettings(), each.name) for each in fields(ServerSettings)}
    assert set(rows) == set(defaults)
    shown = {name: float(text) for name, text in rows.items() if re.fullmatch(r"\d+", text)}
    assert shown == {name: float(defaults[name]) for name in shown}


def test_every_route_stands_there() -> None:
    described = create_app(ServerSettings(), rewriter=StandIn()).openapi()["paths"]
    routes = {f"{method.upper()} {path}" for path, methods in described.items() for method in methods}
    assert set(re.findall(r"^\| `((?:GET|POST) /\S+)` \|", REFERENCE, re.MULTILINE)) == routes


def test_every_problem_stands_there_with_its_status() -> None:
    table = REFERENCE.partition("| code | status | |")[2].partition("\n\n")[0]
    for code, problem in PROBLEM_TYPES.items():
        row = next(line for line in table.splitlines() if f"`{code}`" in line)
        assert str(problem.status) in row


def test_pictures_are_there() -> None:
    named = re.findall(r"images/[\w-]+\.png", GUIDE)
    assert named
    assert all((ROOT / "docs" / name).is_file() for name in named)


def test_the_program_runs(listening: Listen, capsys: pytest.CaptureFixture[str]) -> None:
    program = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)[0]
    exec(program.replace("http://127.0.0.1:8000", listening()), {})  # noqa: S102 - our own page
    assert capsys.readouterr().out.startswith("Is Federer Swiss? 0.9 ")
