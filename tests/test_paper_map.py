"""Every name that the map of the paper points to exists, and so does every test that it and the page on trust name."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAP = (ROOT / "docs" / "paper-map.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`(utterly(?:\.\w+)+)`", MAP)))
TRUST = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
TESTS = sorted(set(re.findall(r"`(tests/[\w/]+\.py\S*?)`", MAP + TRUST)))


@pytest.mark.parametrize("name", NAMES)
def test_the_code_is_there(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    assert hasattr(import_module(module), attribute)


@pytest.mark.parametrize("test", TESTS)
def test_the_test_is_there(test: str) -> None:
    path, _, function = test.partition("::")
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_statement_that_has_code_has_a_test() -> None:
    rows = [line for line in MAP.splitlines() if line.startswith("|") and "`utterly." in line]
    assert len(rows) > 30
    assert [row for row in rows if "::test_" not in row] == []


def test_every_fault_has_a_test() -> None:
    rows = [line for line in TRUST.splitlines() if line.startswith("| ") and not line.startswith("| fault |")]
    assert len(rows) > 25
    assert [row for row in rows if "::test_" not in row.rpartition(" | ")[2]] == []
