"""Every example runs as it stands."""

import runpy
from pathlib import Path
from shutil import which

import pytest

from utterly.model.folder import bundled_folders

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))
FRAMEWORKS = {  # what an example needs beside the bundled English model
    "fleets_datasets.py": "datasets",
    "fleets_duckdb.py": "duckdb",
    "fleets_polars.py": "polars",
    "fleets_ray.py": "ray.data",
    "fleets_spark.py": "pyspark.sql",
    "haystack_pipeline.py": "haystack",
    "langchain_retriever.py": "langchain_core",
    "llama_index_chat.py": "llama_index.core",
    "mcp_client.py": "mcp",
}


@pytest.fixture
def framework(example: Path) -> None:
    """Imported before output is captured: MCP keeps the standard error that it finds."""
    if name := FRAMEWORKS.get(example.name):
        pytest.importorskip(name)
        if "en" not in bundled_folders():
            pytest.skip("no English model is bundled with this checkout")
        if name.startswith("pyspark") and not which("java"):
            pytest.skip("Spark needs Java, and there is none")


@pytest.mark.filterwarnings("ignore:::ray", "ignore:PySpark does not yet fully support pandas:FutureWarning")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_it_runs_and_prints(example: Path, framework: None, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(example), run_name="__main__")
    shown = capsys.readouterr()
    assert shown.out
    assert shown.err == ""


def test_the_demo_shows_the_papers_rewrite_and_where_its_words_come_from(capsys: pytest.CaptureFixture[str]) -> None:
    (demo,) = [path for path in EXAMPLES if path.name == "federer.py"]
    runpy.run_path(str(demo), run_name="__main__")
    out = capsys.readouterr().out
    assert "Did Federer have any other injuries besides his back?" in out
    assert 'insert "besides his back" by rule "besides _" from turn 2' in out
