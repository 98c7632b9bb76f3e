"""The map: each part of the package imports only earlier ones, the page says so, and torch stays where it belongs."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from docs.map import ORDER, PAGE, SOURCE, first_sentence, page_with_map

AT_HOME_IN = {
    "torch": {"baselines", "networks", "training"},
    "onnx": {"networks"},
    "onnxruntime": {"model"},
    "transformers": {"networks"},
    "accelerate": {"training"},
    "haystack": {"integrations"},
    "langchain_core": {"integrations"},
    "llama_index": {"integrations"},
    "mcp": {"integrations"},
    "fastapi": {"server"},
    "uvicorn": {"server"},
    "prometheus_client": {"server"},
    "typer": {"cli"},
    "rich": {"cli"},
}


class Import(NamedTuple):
    path: Path
    line: int
    module: str

    @property
    def step(self) -> str:
        """The step that imports: a folder or a module of the package."""
        return self.path.relative_to(SOURCE).parts[0].removesuffix(".py")

    def __str__(self) -> str:
        return f"{self.path.relative_to(SOURCE)}:{self.line} imports {self.module}"


def imports() -> Iterator[Import]:
    """Every import of the package, also those inside functions."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (Import(path, node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                # `from utterly import edits` names its step last
                inner = [f"{node.module}.{alias.name}" for alias in node.names]
                modules = inner if node.module == "utterly" else ["." * node.level + (node.module or "")]
                yield from (Import(path, node.lineno, module) for module in modules)


IMPORTS = list(imports())
STEPS = sorted({path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or [*path.glob("*.py")]})


def test_the_list_has_every_part_of_the_package_and_no_other() -> None:
    assert set(STEPS) - {"__init__"} == set(ORDER), "keep docs/map.py's ORDER true: each part after all that it imports"


def test_the_page_shows_the_package_as_it_is() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == page_with_map(page), "the package changed: run `python -m docs.map`"


def test_every_module_says_in_its_first_sentence_what_it_is_for() -> None:
    assert [str(path) for path in SOURCE.rglob("*.py") if not first_sentence(path)] == []


@pytest.mark.parametrize("step", [step for step in STEPS if step != "__init__"])
def test_a_step_imports_only_earlier_ones(step: str) -> None:
    allowed = {f"utterly.{earlier}" for earlier in ORDER[: ORDER.index(step) + 1]} | {"utterly.__version__"}
    wrong = [
        str(each)
        for each in IMPORTS
        if each.step == step
        and each.module.split(".")[0] == "utterly"
        and ".".join(each.module.split(".")[:2]) not in allowed
    ]
    assert wrong == []


def test_imports_are_absolute() -> None:
    assert [str(each) for each in IMPORTS if each.module.startswith(".")] == []


@pytest.mark.parametrize("package", AT_HOME_IN)
def test_a_heavy_or_outer_package_is_imported_only_where_it_is_at_home(package: str) -> None:
    guests = [
        str(each) for each in IMPORTS if each.module.split(".")[0] == package and each.step not in AT_HOME_IN[package]
    ]
    assert guests == []
