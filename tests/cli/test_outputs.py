"""Outputs of all commands: nothing that exists is replaced unless `--force` says so, and an input never is."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine, write_rows

ROWS: list[Any] = [
    {"history": ["Ann sang.", "Bob left."], "utterance": "Why did she?", "rewrite": "Why did Ann and bob sing?"},
    {"history": ["Ann sang.", "Bob left."], "utterance": "Did she?", "rewrite": "Did Ann?"},
]
COMMANDS = {
    "rewrite": ["rewrite", "--input", "IN", "--output", "OUT", "--model", "MODEL"],
    "convert": ["convert", "jsonl", "IN", "OUT"],
    "label": ["label", "IN", "OUT", "--syntax", "none"],
    "rules": ["rules", "IN", "OUT", "--max-slots", "1"],
}
commands = pytest.mark.parametrize("name", COMMANDS)


class Writes:
    """Runs a command that writes a file."""

    def __init__(self, utterly: CommandLine, model: Path, folder: Path) -> None:
        self.utterly, self.model, self.folder = utterly, model, folder
        write_rows(folder / "in.jsonl", ROWS)
        assert utterly("label", folder / "in.jsonl", folder / "labels.jsonl", "--syntax", "none").status == 0

    def input_of(self, name: str) -> Path:
        return self.folder / ("labels.jsonl" if name == "rules" else "in.jsonl")

    def __call__(self, name: str, out: Path, *more: str) -> tuple[int, str, str]:
        values = {"IN": self.input_of(name), "OUT": out, "MODEL": self.model}
        return self.utterly(*(values.get(each, each) for each in COMMANDS[name]), *more)


@pytest.fixture
def write(utterly: CommandLine, model_folder: Path, tmp_path: Path) -> Writes:
    return Writes(utterly, model_folder, tmp_path)


@commands
def test_an_output_that_exists_is_replaced_only_by_force(write: Writes, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out.jsonl"
    assert write(name, out)[0] == 0
    made = out.read_bytes()
    out.write_text("dear to someone")
    status, printed, error = write(name, out)
    assert (status, printed) == (2, "")
    assert error == f"error: {out}: the output already exists; name another file, or replace it with --force\n"
    assert out.read_text() == "dear to someone"
    assert write(name, out, "--force")[0] == 0
    assert out.read_bytes() == made


@commands
@pytest.mark.parametrize("link", [None, Path.symlink_to, Path.hardlink_to], ids=["itself", "symlink", "hard link"])
def test_an_input_is_never_the_output(write: Writes, tmp_path: Path, name: str, link: Any) -> None:
    given = out = write.input_of(name)
    if link:
        out = tmp_path / "link.jsonl"
        link(out, given)
    before = given.read_bytes()
    for more in ([], ["--force"]):
        status, printed, error = write(name, out, *more)
        assert (status, printed) == (2, "")
        assert error == f"error: {out}: the output must not be the input; name another file\n"
    assert given.read_bytes() == before


@commands
def test_a_symlink_is_followed(write: Writes, tmp_path: Path, name: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    link, real = tmp_path / "link.jsonl", tmp_path / "elsewhere" / "out.jsonl"
    link.symlink_to(real)
    assert write(name, link)[0] == 0
    assert link.is_symlink()
    assert real.stat().st_size
    assert list(real.parent.iterdir()) == [real]


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="standard input has no path")
def test_standard_input_is_never_the_output(write: Writes, tmp_path: Path) -> None:
    path = write.input_of("rewrite")
    program = [sys.executable, "-c", "from utterly.cli.app import main; main()"]
    command = [*program, "rewrite", "--input", "-", "--output", str(path), "--force", "--model", str(write.model)]
    with path.open() as rows:
        result = subprocess.run(command, stdin=rows, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert "the output must not be the input" in result.stderr
