"""What the guide shows is run, or is part of an example that is."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "fleets.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ENGINES = ("ray", "spark", "datasets", "polars", "duckdb")


def test_the_program_without_an_engine_prints_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    exec(PROGRAMS[0], {})  # noqa: S102 - our own page
    assert f"```text\n{capsys.readouterr().out}```" in PAGE


@pytest.mark.parametrize(("engine", "program"), [*zip(ENGINES, PROGRAMS[1:], strict=True)])
def test_the_others_are_in_the_examples_line_by_line(engine: str, program: str) -> None:
    example = (ROOT / "examples" / f"fleets_{engine}.py").read_text(encoding="utf-8")
    lines = iter(line.strip() for line in example.splitlines())
    assert [line for line in program.splitlines() if line.strip() not in lines] == []
