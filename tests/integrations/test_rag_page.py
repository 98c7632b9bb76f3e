"""What the RAG guide shows is run, and it names only examples that exist."""

import re
import runpy
from pathlib import Path

import pytest

from utterly.model.folder import bundled_folders

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "rag.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_it_shows_a_program_without_a_framework_and_one_for_each_that_is_called_from_python() -> None:
    assert ["# Before: " in program for program in PROGRAMS] == [False, True, True, True]


@pytest.mark.skipif("en" not in bundled_folders(), reason="no English model is bundled with this checkout")
@pytest.mark.parametrize("program", PROGRAMS, ids="plain langchain llama-index haystack".split())
def test_its_programs_run(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.py"
    path.write_text(program)
    runpy.run_path(str(path), run_name="__main__")
    shown = capsys.readouterr()
    assert "How long is it?" in shown.out
    assert shown.err == ""


def test_its_examples_are_there() -> None:
    named = re.findall(r"examples/\w+\.py", PAGE)
    assert len(named) == 4
    assert [name for name in named if not (ROOT / name).is_file()] == []
