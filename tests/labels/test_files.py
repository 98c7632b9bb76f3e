"""Labelling files: in order, in several processes, and on from where it was killed."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from utterly.dialogues.dialogue import Dialogue
from utterly.dialogues.jsonl import write_jsonl
from utterly.errors import FileError
from utterly.files import numbered_lines
from utterly.labels import files as module
from utterly.labels.coverage import Coverage
from utterly.labels.extract import LabelExtractor
from utterly.labels.files import label_file
from utterly.labels.labels import Labels, read_labels

DIALOGUES = [
    Dialogue.of([f"Ann {i} sang.", "Bob left.", "Why did she?"], f"Why did Ann {i} and bob sing?", id=str(i))
    for i in range(10)
]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "_BATCH", 3)
    monkeypatch.setenv("UTTERLY_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def dialogues(tmp_path: Path) -> Path:
    path = tmp_path / "dialogues.jsonl"
    write_jsonl(path, DIALOGUES)
    return path


class Killed(BaseException):
    pass


def killed_after(count: int) -> Any:
    """A progress that ends the run once so many dialogues were taken."""

    def progress(dialogues: Iterable[Dialogue], total: int) -> Iterator[Dialogue]:
        for i, dialogue in enumerate(dialogues):
            if i == count:
                raise Killed
            yield dialogue

    return progress


def unfinished(folder: Path) -> list[Path]:
    return sorted(folder.glob(".*.unfinished"))


def test_labels_come_in_the_order_of_the_dialogues(dialogues: Path, tmp_path: Path) -> None:
    coverage = label_file(dialogues, tmp_path / "out.jsonl", syntax="none")
    labels = list(read_labels(tmp_path / "out.jsonl"))
    assert [each.script.dialogue for each in labels] == DIALOGUES
    assert (coverage.dialogues, coverage.covered, coverage.settings) == (10, 10, "syntax:none")
    assert unfinished(tmp_path) == []


@pytest.mark.parametrize("count", range(11))
@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_a_killed_run_goes_on_and_gives_the_same_file(dialogues: Path, tmp_path: Path, count: int, name: str) -> None:
    whole, out = tmp_path / f"whole-{name}", tmp_path / name
    coverage = label_file(dialogues, whole, syntax="none")
    if count < 10:
        with pytest.raises(Killed):
            label_file(dialogues, out, syntax="none", progress=killed_after(count))
    assert not out.exists()
    again = label_file(dialogues, out, syntax="none")
    assert out.read_bytes() == whole.read_bytes()
    assert again == coverage
    assert unfinished(tmp_path) == []


def test_what_was_labelled_is_not_labelled_again(
    dialogues: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Killed):
        label_file(dialogues, tmp_path / "out", syntax="none", progress=killed_after(7))
    counted: list[Dialogue] = []

    class Counting(LabelExtractor):
        def extract(self, dialogues: Sequence[Dialogue]) -> list[Labels]:
            counted.extend(dialogues)
            return super().extract(dialogues)

    monkeypatch.setattr(module, "LabelExtractor", Counting)
    label_file(dialogues, tmp_path / "out", syntax="none")
    assert counted == DIALOGUES[6:]  # two batches of three were done


@pytest.mark.parametrize("cut", [1, 40, 10_000])
def test_a_line_cut_off_inside_is_made_again(dialogues: Path, tmp_path: Path, cut: int) -> None:
    label_file(dialogues, tmp_path / "whole", syntax="none")
    with pytest.raises(Killed):
        label_file(dialogues, tmp_path / "out", syntax="none", progress=killed_after(9))
    (part,) = unfinished(tmp_path)
    part.write_bytes(part.read_bytes()[:-cut])
    label_file(dialogues, tmp_path / "out", syntax="none")
    assert (tmp_path / "out").read_bytes() == (tmp_path / "whole").read_bytes()


def test_other_dialogues_or_settings_do_not_go_on_with_it(dialogues: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(Killed):
        label_file(dialogues, out, syntax="none", progress=killed_after(9))
    with pytest.raises(Killed):
        label_file(dialogues, out, syntax="zh", progress=killed_after(9))
    assert len(unfinished(tmp_path)) == 2
    write_jsonl(dialogues, DIALOGUES[::-1])
    label_file(dialogues, out, syntax="none")
    assert [labels.id for labels in read_labels(out)] == [dialogue.id for dialogue in DIALOGUES[::-1]]
    assert unfinished(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="signals differ there")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_process_killed_for_real_leaves_no_others_and_can_be_gone_on_with(
    dialogues: Path, tmp_path: Path, jobs: int
) -> None:
    write_jsonl(dialogues, (Dialogue.of([f"Ann {i} sang. " * 20, "Why?"], f"Why Ann {i}?") for i in range(3_000)))
    out = tmp_path / "out"
    program = (
        "from utterly.labels.files import label_file\n"
        f"if __name__ == '__main__': label_file({str(dialogues)!r}, {str(out)!r}, syntax='none', jobs={jobs})"
    )
    (tmp_path / "program.py").write_text(program)
    process = subprocess.Popen([sys.executable, tmp_path / "program.py"], start_new_session=True)
    while process.poll() is None and not any(part.stat().st_size for part in unfinished(tmp_path)):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not out.exists()
    deadline = time.monotonic() + 20
    while members(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert members(process.pid) == []
    label_file(dialogues, out, syntax="none")
    label_file(dialogues, tmp_path / "whole", syntax="none")
    assert out.read_bytes() == (tmp_path / "whole").read_bytes()


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
    assert len(list((tmp_path / "cache").glob("*.sqlite"))) == 1
    two = label_file(dialogues, tmp_path / "two", syntax="zh", jobs=2, cached=False)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert one == two


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
    assert not (tmp_path / "out").exists()
    assert unfinished(tmp_path) == []


def test_bad_dialogues_are_passed_over_on_demand_also_when_resumed(tmp_path: Path) -> None:
    (tmp_path / "in").write_text(lines(NO_TARGET, GOOD, [], GOOD, GOOD, NO_TARGET, GOOD, GOOD))
    with pytest.raises(Killed):
        label_file(tmp_path / "in", tmp_path / "out", syntax="none", on_bad=print, progress=killed_after(4))
    bad: list[int | None] = []
    label_file(tmp_path / "in", tmp_path / "out", syntax="none", on_bad=lambda error: bad.append(error.line))
    assert len(list(numbered_lines(tmp_path / "out"))) == 5
    assert sorted(set(filter(None, bad))) == [1, 3, 6]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(
    "others",
    [DIALOGUES[::-1], DIALOGUES[:5], [*DIALOGUES, replace(DIALOGUES[0], id="10")], []],
    ids=["order", "fewer", "more", "none"],
)
@pytest.mark.parametrize("count", [0, 7])
def test_a_file_that_changes_meanwhile_is_refused_and_its_labels_are_not_taken_for_others(
    dialogues: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: list[Dialogue], count: int
) -> None:
    out = tmp_path / "out.jsonl"

    def replacing(language: str) -> str:
        write_jsonl(dialogues, others)
        return "none"

    with pytest.raises(Killed):
        label_file(dialogues, out, syntax="none", progress=killed_after(count))
    monkeypatch.setattr(module, "default_syntax", replacing)
    with pytest.raises(FileError, match=r"dialogues.jsonl: the file must stay the same while it is labelled, but it"):
        label_file(dialogues, out)
    assert not out.exists()
    write_jsonl(dialogues, DIALOGUES)
    assert label_file(dialogues, out, syntax="none").dialogues == 10
    assert [each.script.dialogue for each in read_labels(out)] == DIALOGUES


def test_a_pipe_is_refused_since_it_can_be_read_only_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="must be in a file, since it is read twice; save them to one"):
        label_file(tmp_path / "pipe", tmp_path / "out", syntax="none")
