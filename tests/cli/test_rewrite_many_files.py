"""`utterly rewrite --input` of a folder or a glob: a file each, resumable by file, and the same with an engine."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_rewrite_files import GOOD, ROWS, lines_of, read_json
from tests.command_line import CommandLine, Outcome

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


class Folder:
    """Runs `utterly rewrite` in a folder that has three files of dialogues in `in`."""

    def __init__(self, utterly: CommandLine, model: Path) -> None:
        self.utterly, self.model = utterly, model

    def __call__(self, source: str, out: str, *more: object) -> Outcome:
        return self.utterly("rewrite", "--input", source, "--output", out, "--model", self.model, *more)


@pytest.fixture
def rewrite(utterly: CommandLine, model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    Path("in/day=2").mkdir(parents=True)
    Path("in/a.jsonl").write_text(lines_of(ROWS[:3]))
    Path("in/day=2/b.jsonl").write_text(lines_of(ROWS[3:6]))
    parquet.write_table(pyarrow.Table.from_pylist(ROWS[6:9]), "in/c.parquet")
    for name in ("in/_SUCCESS", "in/.a.jsonl.crc", "in/notes.txt", "in/_later.jsonl"):
        Path(name).write_text("not dialogues")
    return Folder(utterly, model_folder)


def written(folder: str) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file())


def test_each_file_of_a_folder_gets_what_it_gets_alone(rewrite: Folder) -> None:
    assert rewrite("in", "out") == (0, "wrote 9 rewrites to 3 files in out\n", "")
    assert written("out") == [".utterly", "a.jsonl", "c.parquet", "day=2/b.jsonl"]
    for name in ("a.jsonl", "day=2/b.jsonl", "c.parquet"):
        alone = Path(f"alone-{Path(name).name}")
        assert rewrite(f"in/{name}", str(alone))[0] == 0
        assert Path("out", name).read_bytes() == alone.read_bytes()


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("in/*.jsonl", ["a.jsonl"]),
        ("in/**/*.jsonl", ["a.jsonl", "day=2/b.jsonl"]),
        ("in/day=[12]/b.jsonl", ["day=2/b.jsonl"]),
        ("{}/in/*.parquet", ["c.parquet"]),
    ],
)
def test_a_glob_names_files_below_its_fixed_part(rewrite: Folder, pattern: str, names: list[str]) -> None:
    assert rewrite(pattern.format(Path.cwd()), "out").status == 0
    assert written("out") == [".utterly", *names]


def test_a_file_whose_name_looks_like_a_glob_is_one_file(rewrite: Folder) -> None:
    Path("in/a.jsonl").rename("[1].jsonl")
    assert rewrite("[1].jsonl", "out.jsonl").out == "wrote 3 rewrites to out.jsonl\n"


def test_what_is_done_is_left_alone_and_what_is_new_or_changed_is_done(rewrite: Folder) -> None:
    rewrite("in", "out")
    before = {name: os.stat(Path("out", name)).st_mtime_ns for name in written("out")}  # noqa: PTH116
    assert rewrite("in", "out").out == "wrote 0 rewrites to 0 files in out; 3 were done before\n"
    Path("in/d.jsonl").write_text(lines_of(ROWS[:1]))
    Path("in/a.jsonl").write_text(lines_of(ROWS[:2]))
    assert rewrite("in", "out").out == "wrote 3 rewrites to 2 files in out; 2 were done before\n"
    assert len(read_json(Path("out/a.jsonl").read_text())) == 2
    assert Path("out/c.parquet").stat().st_mtime_ns == before["c.parquet"]


def test_a_run_that_stopped_at_a_bad_row_goes_on_after_it_is_mended(rewrite: Folder) -> None:
    Path("in/b.jsonl").write_text(lines_of([GOOD, "{", GOOD]))
    status, out, error = rewrite("in", "out")
    assert (status, out) == (2, "")
    assert error.startswith("error: in/b.jsonl, line 2: a record must be valid JSON")
    assert written("out") == [".utterly", "a.jsonl"]
    Path("in/b.jsonl").write_text(lines_of([GOOD]))
    assert rewrite("in", "out").out == "wrote 7 rewrites to 3 files in out; 1 were done before\n"


def test_bad_rows_of_all_files_can_be_skipped_and_are_counted_once(rewrite: Folder) -> None:
    for name in ("in/a.jsonl", "in/day=2/b.jsonl"):
        Path(name).write_text(lines_of([GOOD, "{", GOOD]))
    status, out, error = rewrite("in", "out", "--skip-bad")
    assert (status, out) == (0, "wrote 7 rewrites to 3 files in out\n")
    assert error.splitlines()[0] == "skipped 2 bad record(s), starting with:"


def test_outputs_of_two_settings_are_not_mixed(rewrite: Folder) -> None:
    rewrite("in/*.jsonl", "out")
    for more in (["--min-confidence", "0.5"], ["--field", "utterance"]):
        status, _, error = rewrite("in/*.jsonl", "out", *more)
        assert (status, "rewrites of another model, or with other settings; use --force" in error) == (2, True)
    assert (
        rewrite("in/*.jsonl", "out", "--min-confidence", "1", "--force").out == "wrote 3 rewrites to 1 files in out\n"
    )
    assert not any(row["changed"] for row in read_json(Path("out/a.jsonl").read_text()))


@pytest.mark.parametrize(
    ("source", "out", "problem"),
    [
        ("in", "in", "in: the output must be outside in"),
        ("in/*.jsonl", "in/made", "in/made: the output must be outside in"),
        ("in", "in/a.jsonl", "in/a.jsonl: the output must be outside in"),
        ("in", "file", "file: the output of many files must be a folder, but this is a file"),
        ("in", "full", "full: the folder must be empty or begun by this command, but holds other files"),
        ("none*", "out", "none*: there is no file to rewrite; check the folder or the pattern"),
        ("empty", "out", "empty: there is no file to rewrite"),
        ("in/*.txt", "out", "in/notes.txt: the extension must be one of"),
        ("in", "-", "in: many files cannot be written to one; give a folder with --output"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_written(
    rewrite: Folder, source: str, out: str, problem: str
) -> None:
    Path("empty").mkdir()
    Path("file").write_text("mine")
    Path("full").mkdir()
    Path("full/mine.txt").write_text("mine")
    before = written(".")
    status, _, error = rewrite(source, out)
    assert (status, problem in error) == (2, True), error
    assert written(".") == before


def test_an_engine_needs_many_files(rewrite: Folder) -> None:
    status, _, error = rewrite("in/a.jsonl", "out.jsonl", "--engine", "ray")
    assert (status, "--engine needs a folder or a glob as --input" in error) == (2, True)


def test_an_engine_that_is_not_installed_is_named(rewrite: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert "pip install 'utterly[ray]'" in rewrite("in", "out", "--engine", "ray").err


@pytest.fixture
def cluster() -> Iterator[Any]:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield ray
    ray.shutdown()


@pytest.mark.filterwarnings("ignore:::ray", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_ray_gives_the_same_files_errors_and_counts(rewrite: Folder, cluster: Any) -> None:
    rewrite("in", "plain")
    assert rewrite("in", "out", "--engine", "ray") == (0, "wrote 9 rewrites to 3 files in out\n", "")
    assert {name: Path("out", name).read_bytes() for name in written("out")} == {
        name: Path("plain", name).read_bytes() for name in written("plain")
    }
    assert rewrite("in", "out").out == "wrote 0 rewrites to 0 files in out; 3 were done before\n"
    Path("in/b.jsonl").write_text(lines_of([GOOD, "{", json.dumps(GOOD)]))
    status, _, error = rewrite("in", "out", "--engine", "ray")
    assert (status, error.count("\n")) == (2, 1)
    assert error.startswith("error: in/b.jsonl, line 2: a record must be valid JSON")
    status, out, error = rewrite("in", "out", "--engine", "ray", "--skip-bad")
    assert (status, out) == (0, "wrote 2 rewrites to 1 files in out; 3 were done before\n")
    assert error.startswith("skipped 1 bad record(s)")
