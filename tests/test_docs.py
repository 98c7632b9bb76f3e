"""The documentation site is built without a warning, and what its pages show is run.

The programs of a page are one program, told in parts. Decimals may differ from what is shown: models are trained anew,
and processors round differently.
"""

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer.main

from tests.pages import Command, agree, blocks_of, commands_of, programs_of, run_command
from utterly.cli.app import app
from utterly.model.folder import bundled_folders
from utterly.training.recipe import Recipe, read_variants

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").glob("*.md"))
BLOCKS = {page.stem: blocks_of(page.read_text(encoding="utf-8")) for page in PAGES}
LANGUAGES = {"python", "console", "text", "sh", "json", "toml"}
OTHERS = {"fleets", "rag", "serving"}  # run in tests/fleets, tests/integrations and tests/server
TOLD = [name for name, blocks in BLOCKS.items() if name not in OTHERS and any(programs_of(blocks))]
COMMANDS = [
    pytest.param(each, id=f"{name}, line {each.line}: {each.text[:40]}")
    for name, blocks in BLOCKS.items()
    for each in commands_of(blocks)
]
TYPED = [
    pytest.param(line, id=f"{name}: {line[:50]}")
    for name, blocks in BLOCKS.items()
    for block in blocks
    if block.language == "sh"
    for line in block.text.splitlines()
    if line.startswith("utterly ")
]
TYPED += [
    pytest.param(line, id=f"{page.stem}: {line[:50]}")
    for page in sorted((ROOT / "benchmarks").glob("*.md"))
    for line in re.findall(r"^    (utterly .*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
]
MODULES = {
    module
    for page in (ROOT / "benchmarks").glob("*.md")
    for module in re.findall(r"python -m ((?:benchmarks|recipes)\.[\w.]+)", page.read_text(encoding="utf-8"))
}
needs_models = pytest.mark.skipif(
    not {"en", "zh"} <= set(bundled_folders()), reason="no model is bundled with this checkout"
)
needs_mkdocs = pytest.mark.skipif(find_spec("mkdocs") is None, reason="mkdocs is not installed")


def without_decimals(text: str) -> str:
    return re.sub(r"\d\.\d+", "0.0", text)


def test_every_block_is_of_a_kind_that_is_run_or_read() -> None:
    assert {block.language for blocks in BLOCKS.values() for block in blocks} <= LANGUAGES
    assert TOLD
    assert COMMANDS
    assert TYPED


@needs_models
@pytest.mark.parametrize("name", TOLD)
def test_programs_print_what_is_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for program in programs_of(BLOCKS[name]):
        exec(program.text, names)  # noqa: S102 - our own page
        printed = capsys.readouterr().out
        assert program.shown is not None
        assert agree(without_decimals(program.shown), without_decimals(printed)), f"line {program.line}: {printed}"


@needs_models
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_print_what_is_shown(command: Command, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    result = run_command(command.text, tmp_path)
    assert result.stderr == ""
    assert agree(without_decimals(command.shown), without_decimals(result.stdout)), result.stdout


@pytest.mark.parametrize("line", TYPED)
def test_commands_have_the_arguments_they_are_shown_with(line: str) -> None:
    _, name, *arguments = shlex.split(line, comments=True)
    command = typer.main.get_group(app).commands[name]
    command.make_context(name, arguments)  # raises where an option is unknown or an argument is missing


def test_results_name_programs_that_exist() -> None:
    assert len(MODULES) > 8
    assert [module for module in MODULES if find_spec(module) is None] == []


def test_the_page_of_commands_has_each_with_its_extra() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    commands = typer.main.get_group(app).commands
    rows = re.findall(r"^\| `utterly (\w+)` \| .* \| (.*)\|$", page, re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(commands)
    for name, extra in rows:
        named = re.findall(r"extra `?(\w+)", commands[name].help or "")
        assert set(named) <= set(re.findall(r"`(\w+)`", extra)), name


def test_every_extra_is_in_the_quick_start() -> None:
    table = (
        (ROOT / "docs" / "quick-start.md").read_text(encoding="utf-8").partition("| extra |")[2].partition("\n\n")[0]
    )
    shown = {extra for row in table.splitlines() for extra in re.findall(r"`([\w-]+)`", row.split(" | ")[0])}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert shown == set(project["optional-dependencies"])


def test_recipes_that_are_shown_are_recipes(tmp_path: Path) -> None:
    shown = [block.text for blocks in BLOCKS.values() for block in blocks if block.language == "toml"]
    assert shown
    for text in shown:
        path = tmp_path / "recipe.toml"
        path.write_text(text, encoding="utf-8")
        Recipe.read(path)


def test_pages_stay_short() -> None:
    def text(name: str) -> str:
        return (ROOT / name).read_text(encoding="utf-8")

    assert len(text("README.md").split()) <= 1300
    assert len(text("benchmarks/quality.md").splitlines()) <= 300
    assert len(text("benchmarks/speed.md").splitlines()) <= 120
    entries = text("benchmarks/log.md").split("\n\n")
    assert [entry for entry in entries if len(entry.splitlines()) > 10] == []


def test_results_name_recipes_and_variants_that_exist() -> None:
    page = (ROOT / "benchmarks" / "quality.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w-]+\.toml)(?: --variant ([\w.-]+))?`", page)
    assert len(named) > 15
    for file, variant in named:
        variants = read_variants(ROOT / "recipes" / file)
        assert not variant or variant in variants, f"{file} --variant {variant}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    # Without --quiet: with it warnings do not count.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return folder


class Loaded(HTMLParser):
    """What a browser fetches to show a page, links to click left out."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        wanted = {"link": "href", "a": ""}.get(tag, "src")
        self.addresses += [value for name, value in attrs if name == wanted and value]


@needs_mkdocs
def test_the_site_is_built_without_a_warning(site: Path) -> None:
    for name in (
        "index",
        "quick-start",
        "rag",
        "serving",
        "files",
        "fleets",
        "training",
        "api",
        "cli",
        "http",
        "how-it-works",
        "map",
        "trust",
        "faq",
        "models/en",
        "models/zh",
        "results/index",
        "results/quality",
        "recipes",
    ):
        assert (site / f"{name}.html").is_file()
    assert (site / "results" / "figure4.png").is_file()
    assert not list(site.rglob("*.py"))


@needs_mkdocs
def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    def addresses() -> Iterator[str]:
        for page in site.rglob("*.html"):
            yield from Loaded(page).addresses

    found = list(addresses())
    assert found
    assert [address for address in found if re.match(r"(https?:)?//", address)] == []


@needs_mkdocs
def test_what_is_loaded_is_there(site: Path) -> None:
    for page in site.rglob("*.html"):
        if page.name != "404.html":  # whose addresses are those of a server
            missing = [each for each in Loaded(page).addresses if not (page.parent / each.split("?")[0]).exists()]
            assert missing == [], page.name
