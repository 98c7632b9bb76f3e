"""Every name that the map of the paper points to exists, and a test that its row names calls it.

The tests that it and the page on trust name exist.
"""

import ast
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
MAP = (ROOT / "docs" / "paper-map.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`(utterly(?:\.\w+)+)`", MAP)))
TRUST = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
LCS_AND_BLEU = ("utterly.labels.lcs.align", "utterly.metrics.bleu.bleu")
TESTS = sorted(set(re.findall(r"`(tests/[\w/]+\.py\S*?)`", MAP + TRUST)))


class Row(NamedTuple):
    names: list[str]
    tests: list[str]


ROWS = [
    Row(names, tests)
    for line in MAP.splitlines()
    if line.startswith("|")
    and (tests := re.findall(r"`(tests/\S+::\w+)`", line))
    and (names := re.findall(r"`(utterly(?:\.\w+)+)`", line.rpartition(tests[0])[0]))
]


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """For each test of the map, run alone, the names of the map that it calls."""
    out = tmp_path_factory.mktemp("calls") / "calls.json"
    tests = dict.fromkeys(test for row in ROWS for test in row.tests)
    quietly = [sys.executable, "-m", "pytest", "-q", "-p", "tests.calls", "-p", "no:cacheprovider", "-p", "no:cov"]
    environment = {**os.environ, "CALLS_OF": " ".join(NAMES), "CALLS_TO": str(out), "PYTHONPATH": f"{ROOT}/src:{ROOT}"}
    environment.pop("PYTEST_ADDOPTS", None)
    result = subprocess.run(
        [*quietly, *tests], cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert result.returncode in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED), result.stdout  # failures show there
    found: dict[str, list[str]] = json.loads(out.read_text(encoding="utf-8"))
    return found


def idle(row: Row, calls: dict[str, list[str]]) -> list[str]:
    """The functions and classes of a row that none of its tests calls, and its tests that call none of them."""
    called = {name for test in row.tests for name in calls[test]}
    callables = [name for name in row.names if callable(named(name))]
    return [name for name in callables if name not in called] + [
        test for test in row.tests if not set(calls[test]) & set(row.names)
    ]


def named(name: str) -> object:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def test_the_tests_of_a_row_call_its_code(calls: dict[str, list[str]]) -> None:
    assert len(ROWS) > 30
    assert [(row.names, wrong) for row in ROWS if (wrong := idle(row, calls))] == []


def test_a_row_whose_test_does_not_call_its_code_is_noticed(calls: dict[str, list[str]]) -> None:
    lcs, bleu = (next(row for row in ROWS if name in row.names) for name in LCS_AND_BLEU)
    assert idle(Row(lcs.names, bleu.tests), calls) == [*lcs.names, *bleu.tests]
    assert idle(Row([*lcs.names, *bleu.names], lcs.tests), calls) == bleu.names


@pytest.mark.parametrize("name", NAMES)
def test_the_code_is_there(name: str) -> None:
    assert named(name) is not None


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
