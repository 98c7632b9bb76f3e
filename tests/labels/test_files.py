"""Labelling files: in order, and in several processes."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.jsonl import write_jsonl
from utterly.errors import FileError
from utterly.files import numbered_lines
from utterly.labels import files as module
from utterly.labels.coverage import Coverage
from utterly.labels.files import label_file
from utterly.labels.labels import read_labels

DIALOGUES = [
    Dialogue.of([f"Ann {i} sang.", "Bob left.", "Why did she?"], f"Why did Ann {i} and bob sing?", id=str(i))
    for i in range(10)
]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BATCH", 3)


@pytest.fixture
def dialogues(tmp_path: Path) -> Path:
    path = tmp_path / "dialogues.jsonl"
    write_jsonl(path, DIALOGUES)
    return path


def test_labels_come_in_the_order_of_the_dialogues(dialogues: Path, tmp_path: Path) -> None:
    coverage = label_file(dialogues, tmp_path / "out.jsonl", syntax="none")
    labels = list(read_labels(tmp_path / "out.jsonl"))
    assert [each.script.dialogue for each in labels] == DIALOGUES
    assert (coverage.dialogues, coverage.covered, coverage.settings) == (10, 10, "syntax:none")
    assert sorted(tmp_path.iterdir()) == [dialogues, tmp_path / "out.jsonl"]


@pytest.mark.skipif(os.name == "nt", reason="signals differ there")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_process_killed_for_real_leaves_no_others_and_no_output(dialogues: Path, tmp_path: Path, jobs: int) -> None:
    write_jsonl(dialogues, (Dialogue.of([f"Ann {i} sang. " * 20, "Why?"], f"Why Ann {i}?") for i in range(3_000)))
    out = tmp_path / "out"
    program = (
        "from utterly.labels.files import label_file\n"
        f"if __name__ == '__main__': label_file({str(dialogues)!r}, {str(out)!r}, syntax='none', jobs={jobs})"
    )
    (tmp_path / "program.py").write_text(program)
    process = subprocess.Popen([sys.executable, tmp_path / "program.py"], start_new_session=True)
    while process.poll() is None and not any(part.stat().st_size for part in tmp_path.glob(".out.*")):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not out.exists()
    deadline = time.monotonic() + 20
    while members(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert members(process.pid) == []


def members(session: int) -> list[str]:
    """The processes of a session that still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[3] == str(session) and fields[0] != "Z":
            found.append(stat.parent.name)
    return found


def test_two_processes_give_what_one_gives(dialogues: Path, tmp_path: Path) -> None:
    one = label_file(dialogues, tmp_path / "one", syntax="zh", jobs=1)
    two = label_file(dialogues, tmp_path / "two", syntax="zh", jobs=2)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert one == two


def test_literal_labels_say_so(dialogues: Path, tmp_path: Path) -> None:
    write_jsonl(dialogues, [Dialogue.of(["the end of it", "why"], "why of the")])
    literal = label_file(dialogues, tmp_path / "out", syntax="none", literal=True, jobs=2)
    assert literal.settings == "syntax:none|literal"
    assert [str(edit.rule) for each in read_labels(tmp_path / "out") for edit in each.script.edits] == ["∅", "_ _"]


def test_an_output_named_gz_is_compressed_and_always_the_same(dialogues: Path, tmp_path: Path) -> None:
    label_file(dialogues, tmp_path / "out.jsonl.gz", syntax="none")
    first = (tmp_path / "out.jsonl.gz").read_bytes()
    assert gzip.decompress(first).count(b"\n") == 10
    label_file(dialogues, tmp_path / "out.jsonl.gz", syntax="none")
    assert (tmp_path / "out.jsonl.gz").read_bytes() == first


def test_the_language_of_the_first_dialogue_chooses_the_syntax(tmp_path: Path) -> None:
    path = tmp_path / "zh.jsonl"
    write_jsonl(path, [Dialogue.of(["你喜欢猫吗", "为什么"], "为什么喜欢猫")])
    assert label_file(path, tmp_path / "out").settings.startswith("syntax:jieba-")


def test_an_empty_file_gives_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "in").touch()
    assert label_file(tmp_path / "in", tmp_path / "out", syntax="none") == Coverage("syntax:none")
    assert (tmp_path / "out").read_bytes() == b""


def lines(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


GOOD = {"history": ["Ann."], "utterance": "Why?", "rewrite": "Why Ann?"}
NO_TARGET = {"history": ["Ann."], "utterance": "Why?"}


def test_a_dialogue_without_target_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "in").write_text(lines(GOOD, NO_TARGET))
    with pytest.raises(FileError, match="in, line 2: labels need a target, but the field 'rewrite' is missing; add it"):
        label_file(tmp_path / "in", tmp_path / "out", syntax="none")
    assert list(tmp_path.iterdir()) == [tmp_path / "in"]


def test_bad_dialogues_are_passed_over_on_demand(tmp_path: Path) -> None:
    (tmp_path / "in").write_text(lines(NO_TARGET, GOOD, [], GOOD, GOOD, NO_TARGET, GOOD, GOOD))
    bad: list[int | None] = []
    label_file(tmp_path / "in", tmp_path / "out", syntax="none", on_bad=lambda error: bad.append(error.line))
    assert len(list(numbered_lines(tmp_path / "out"))) == 5
    assert bad == [1, 3, 6]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_dialogues_may_come_through_a_pipe(dialogues: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cp", dialogues, tmp_path / "pipe"]):
        assert label_file(tmp_path / "pipe", tmp_path / "out", syntax="none").dialogues == 10
