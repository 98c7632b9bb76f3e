"""The map of the package: its parts in the order of their imports, each described by its own first sentence.

python -m docs.map     # write the map into docs/map.md
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
SOURCE: Final = ROOT / "src" / "utterly"
PAGE: Final = ROOT / "docs" / "map.md"
BEGIN: Final = "<!-- map:begin -->"
END: Final = "<!-- map:end -->"

ORDER: Final = (
    "errors presets extras files parallel dialogues scripts labels metrics rules model networks baselines rewriter "
    "training tables client server fleets integrations cli"
).split()
"""The parts of the package. Each imports only those before it; `tests/test_map.py` holds that."""


def package_map() -> str:
    """Every module with the first sentence of its docstring, as a tree."""
    return "\n".join(["```text", "src/utterly/", *_lines(SOURCE, 1), "```"])


def _lines(folder: Path, depth: int) -> Iterator[str]:
    parts = [path for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()]
    rank = {name: i for i, name in enumerate(ORDER)}
    for path in sorted(parts, key=lambda path: (rank.get(path.stem, -1) if depth == 1 else path.is_dir(), path.name)):
        if path.stem == "__init__" and depth > 1:
            continue
        name = "  " * depth + path.name + "/" * path.is_dir()
        yield f"{name:<28}{first_sentence(path / '__init__.py' if path.is_dir() else path)}"
        if path.is_dir():
            yield from _lines(path, depth + 1)


def first_sentence(module: Path) -> str:
    return (ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or "").split("\n")[0]


def page_with_map(page: str) -> str:
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{package_map()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(page_with_map(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
