"""Files: plain and gzip, lines with numbers, and outputs that are whole or not there."""

import gzip
import os
import subprocess
import sys
import threading
from contextlib import AbstractContextManager, ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from utterly import files
from utterly.errors import FileError
from utterly.files import PartialFile, check_output, numbered_lines, opened, path_written_whole, written_whole

needs_flock = pytest.mark.skipif(os.name == "nt", reason="needs flock")


@pytest.mark.parametrize("name", ["plain.txt", "packed.txt.gz", "packed but not named so.txt"])
def test_plain_and_gzip_files_read_alike(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(b"a\nb") if "packed" in name else b"a\nb")
    with opened(path) as file:
        assert file.read() == b"a\nb"


def test_several_gzip_parts_read_as_one(tmp_path: Path) -> None:
    (tmp_path / "parts.gz").write_bytes(gzip.compress(b"a\n") + gzip.compress(b"b\n"))
    assert list(numbered_lines(tmp_path / "parts.gz")) == [(1, "a"), (2, "b")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_can_be_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(gzip.compress(b"a\nb\n"),))
    writer.start()
    assert list(numbered_lines(pipe)) == [(1, "a"), (2, "b")]
    writer.join()


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"\n \n\t\r\n", []),
        (b"a\n\nb", [(1, "a"), (3, "b")]),
        (b"a\r\nb\r\n", [(1, "a"), (2, "b")]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n", [(1, "a"), (2, "\ufeffb")]),
        ("a\u2028b\x0bc\n".encode(), [(1, "a\u2028b\x0bc")]),
        (b" a \n", [(1, " a ")]),
    ],
    ids=["empty", "blank", "gap", "CRLF", "BOM", "other separators", "blanks kept"],
)
def test_lines_are_numbered_and_blank_ones_left_out(
    tmp_path: Path, content: bytes, lines: list[tuple[int, str]]
) -> None:
    (tmp_path / "lines.txt").write_bytes(content)
    assert list(numbered_lines(tmp_path / "lines.txt")) == lines


def test_an_empty_file_named_gz_has_no_lines(tmp_path: Path) -> None:
    (tmp_path / "empty.gz").write_bytes(b"")
    assert list(numbered_lines(tmp_path / "empty.gz")) == []


def test_lines_that_are_not_utf8_are_refused_by_number(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(b"ok\ncaf\xe9\n")
    with pytest.raises(FileError, match=r"latin.txt, line 2: text must be UTF-8, but byte 3 is not; convert"):
        list(numbered_lines(tmp_path / "latin.txt"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(FileError, match=r"nowhere.txt: there is no such file; check the path"),
        opened(tmp_path / "nowhere.txt"),
    ):
        pass


def test_a_folder_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read: "), opened(tmp_path):
        pass


def test_a_file_named_gz_must_be_gzip(tmp_path: Path) -> None:
    (tmp_path / "plain.gz").write_bytes(b"plain")
    with pytest.raises(FileError, match=r"plain.gz: a file named .gz must be gzip, but it is not"):
        list(numbered_lines(tmp_path / "plain.gz"))


@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_broken_gzip_data_is_an_error_after_the_lines_before_it(tmp_path: Path, damage: str) -> None:
    packed = bytearray(gzip.compress(b"line\n" * 10_000))
    if damage == "cut":
        packed = packed[:-12]
    else:
        packed[-6] ^= 0xFF
    (tmp_path / "broken.gz").write_bytes(packed)
    lines = numbered_lines(tmp_path / "broken.gz")
    assert next(lines) == (1, "line")
    with pytest.raises(FileError, match=r"broken.gz: the gzip data is broken: .*; fetch the file again"):
        list(lines)


@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
def test_what_is_written_can_be_read_back(tmp_path: Path, name: str) -> None:
    with written_whole(tmp_path / name) as file:
        file.write("é\n")
        file.write("b\n")
        assert not (tmp_path / name).exists()
    assert list(numbered_lines(tmp_path / name)) == [(1, "é"), (2, "b")]
    assert list(tmp_path.iterdir()) == [tmp_path / name]


def test_the_same_text_gives_the_same_gzip_bytes(tmp_path: Path) -> None:
    for name in ("one.gz", "two.gz"):
        with written_whole(tmp_path / name) as file:
            file.write("text")
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError), written_whole(path) as file:
        file.write("new\ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_writer_that_wants_a_path_gets_one_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "out.bin"
    path.write_bytes(b"old")

    def write(data: bytes, *, fail: bool) -> None:
        with path_written_whole(path) as beside:
            beside.write_bytes(data)
            assert path.read_bytes() == b"old"
            if fail:
                raise OSError(28, "No space left on device")

    with pytest.raises(FileError, match=r"out\.bin: cannot be written: No space left on device"):
        write(b"half", fail=True)
    write(b"new", fail=False)
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_outputs_must_be_files_in_folders_that_exist(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="the output must be a file, but this is a folder"), written_whole(tmp_path):
        pass
    with (
        pytest.raises(FileError, match="cannot be written: No such file or directory; check folder"),
        written_whole(tmp_path / "no" / "out.txt"),
    ):
        pass


def test_a_device_or_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for writing in (written_whole(pipe), resumed(pipe, made_from="this")):
        with pytest.raises(FileError, match="must be a file, but this is a device or a pipe; name a file"), writing:
            pass
    assert pipe.is_fifo()


def resumed(path: Path, *, made_from: str, replace: bool = True) -> AbstractContextManager[PartialFile]:
    """A resumable file that is its lines."""

    def finish(part: PartialFile) -> None:
        with written_whole(path, replace=replace) as file:
            file.writelines(part.lines())

    return files.resumed(path, made_from=made_from, finish=finish, replace=replace)


WRITERS = {
    "at once": lambda path, replace: written_whole(path, replace=replace),
    "resumed": lambda path, replace: resumed(path, made_from="this", replace=replace),
}
writers = pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)


def write_line(file: Any) -> None:
    file.write(["new"] if isinstance(file, PartialFile) else "new\n")


@writers
@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
def test_without_replace_a_file_that_exists_is_left_alone(tmp_path: Path, writer: Any, name: str) -> None:
    path = tmp_path / name
    path.write_text("old")
    with pytest.raises(FileError, match="the output already exists; name another file, or replace it with --force"):
        writer(path, False).__enter__()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    with writer(path, True) as file:
        write_line(file)
    assert list(numbered_lines(path)) == [(1, "new")]


@writers
@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
@pytest.mark.parametrize("links", [True, False], ids=["", "no hard links"])
def test_without_replace_a_file_that_appears_meanwhile_is_left_alone(
    tmp_path: Path, writer: Any, name: str, links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    if not links:
        monkeypatch.setattr(Path, "hardlink_to", refuse)
    path = tmp_path / name

    def write(*, beside: bool) -> None:
        with writer(path, False) as file:
            write_line(file)
            if beside:
                path.write_text("another's")

    with pytest.raises(FileError, match="the output already exists"):
        write(beside=True)
    assert path.read_text() == "another's"
    kept = [each.read_text() for each in tmp_path.glob(".*.unfinished")]
    assert kept == (["new\n"] if writer is WRITERS["resumed"] else [])
    path.unlink()
    write(beside=False)
    assert {text for _, text in numbered_lines(path)} == {"new"}
    assert list(tmp_path.iterdir()) == [path]


@writers
@pytest.mark.parametrize("target", [None, "old"], ids=["of nothing yet", "of a file"])
def test_a_symlink_is_followed_and_stays(tmp_path: Path, writer: Any, target: str | None) -> None:
    (tmp_path / "elsewhere").mkdir()
    link, real = tmp_path / "link.txt", tmp_path / "elsewhere" / "real.txt"
    link.symlink_to(Path("elsewhere") / "real.txt")
    if target:
        real.write_text(target)
        with pytest.raises(FileError, match=r"link.txt: the output already exists"):
            writer(link, False).__enter__()
    with writer(link, bool(target)) as file:
        write_line(file)
    assert link.is_symlink()
    assert real.read_text() == "new\n"
    assert sorted(tmp_path.rglob("*")) == sorted([link, real, real.parent])


@writers
def test_a_symlink_to_itself_is_refused(tmp_path: Path, writer: Any) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(FileError, match="this is a symlink to itself; name a file"):
        writer(tmp_path / "loop", True).__enter__()


@pytest.mark.parametrize("made", [Path.symlink_to, Path.hardlink_to, None], ids=["symlink", "hard link", "same path"])
def test_an_output_is_no_input(tmp_path: Path, made: Any) -> None:
    given, out = tmp_path / "in", tmp_path / "out"
    check_output(out, inputs=[given], replace=True)
    given.write_text("rows")
    check_output(out, inputs=[given], replace=True)
    if made:
        made(out, given)
    else:
        out = tmp_path / "." / "in"
    with pytest.raises(FileError, match="the output must not be the input"):
        check_output(out, inputs=[given], replace=True)


def test_lines_of_a_run_that_was_cut_short_are_there_for_the_next(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"

    def cut_short(made_from: str, lines: list[str]) -> None:
        with resumed(path, made_from=made_from) as part:
            assert part.count == 0
            part.write(lines)
            raise KeyboardInterrupt

    for made_from, lines in (("this", ["a", "b"]), ("that", ["x"])):
        with pytest.raises(KeyboardInterrupt):
            cut_short(made_from, lines)
    assert not path.exists()
    with resumed(path, made_from="this") as part:
        assert part.count == 2
        assert list(numbered_lines(part.path)) == [(1, "a"), (2, "b")]
        part.write(["c"])
    assert path.read_text() == "a\nb\nc\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_run_that_fails_before_its_first_line_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="bad"), resumed(tmp_path / "out", made_from="this"):
        raise FileError("in", "bad")
    assert list(tmp_path.iterdir()) == []


@needs_flock
@pytest.mark.parametrize("settings", ["this", "that"])
@pytest.mark.parametrize("before", [[], ["a"]], ids=["before its first line", "after its first line"])
def test_whoever_comes_second_is_refused_and_takes_nothing_from_the_first(
    tmp_path: Path, settings: str, before: list[str]
) -> None:
    with resumed(tmp_path / "out", made_from="this") as part:
        part.write(before)
        with (
            pytest.raises(FileError, match="another process is writing this; wait for it, or stop it"),
            resumed(tmp_path / "out", made_from=settings),
        ):
            pass
        part.write(["b"])
    assert (tmp_path / "out").read_text().splitlines() == [*before, "b"]
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]


class Job:
    """Someone who writes the file `out` of a folder, line by line."""

    def __init__(self, folder: Path, made_from: str) -> None:
        self.folder, self.made_from = folder, made_from
        self.stack = ExitStack()
        self.part: PartialFile | None = None

    def start(self) -> bool:
        try:
            self.part = self.stack.enter_context(resumed(self.folder / "out", made_from=self.made_from))
        except FileError:
            return False
        return True

    def stop(self, error: BaseException | None = None) -> None:
        self.part = None
        with suppress(KeyboardInterrupt):
            self.stack.__exit__(type(error) if error else None, error, None)


@needs_flock
@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["start", "write", "stop", "finish"])), max_size=30))
def test_whatever_the_order_one_writes_at_a_time_and_no_line_of_an_unfinished_job_is_lost(
    events: list[tuple[int, str]],
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        jobs = [Job(folder, settings) for settings in ("this", "this", "that")]
        lines: dict[str, list[str]] = {"this": [], "that": []}
        for number, (who, event) in enumerate(events):
            job = jobs[who]
            if event == "start" and job.part is None:
                busy = any(other.part for other in jobs)
                assert job.start() is not busy
                assert job.part is None or list(job.part.lines()) == [f"{line}\n" for line in lines[job.made_from]]
            elif event == "write" and job.part:
                job.part.write([str(number)])
                lines[job.made_from].append(str(number))
            elif event == "stop" and job.part:
                job.stop(KeyboardInterrupt())
            elif event == "finish" and job.part:
                job.stop()
                assert (folder / "out").read_text().splitlines() == lines[job.made_from]
                lines = {"this": [], "that": []}
                assert list(folder.iterdir()) == [folder / "out"]
        for job in jobs:
            job.stop(KeyboardInterrupt())


@needs_flock
def test_of_several_processes_that_start_at_once_one_writes_and_the_others_are_refused(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path\n"
        "from utterly.errors import FileError; from utterly.files import resumed\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "try:\n"
        "    out = Path(sys.argv[1])\n"
        "    def finish(part): out.write_text(''.join(part.lines()))\n"
        "    with resumed(out, made_from=sys.argv[2], finish=finish) as part:\n"
        "        time.sleep(0.3); part.write(map(str, range(1000)))\n"
        "except FileError as error: sys.exit(str(error))\n"
    )
    out = tmp_path / "out"
    commands = [[sys.executable, "-c", program, str(out), settings] for settings in ("this", "this", "that", "that")]
    with ExitStack() as stack:
        started = [
            stack.enter_context(
                subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
                )
            )
            for command in commands
        ]
        for each in started:
            assert each.stdout
            assert each.stdout.readline() == "ready\n"
        for each in started:
            assert each.stdin
            each.stdin.write("\n")
            each.stdin.flush()
        errors = [each.communicate()[1] for each in started]
    assert sorted(each.returncode for each in started) == [0, 1, 1, 1]
    assert [error for error in errors if error and "another process is writing this" not in error] == []
    assert out.read_text().splitlines() == [str(number) for number in range(1000)]
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize(
    ("name", "problem"),
    [("", "the output must be a file, but this is a folder"), ("no folder/out", "cannot be written: No such file")],
)
def test_an_output_that_cannot_be_resumed_is_refused(tmp_path: Path, name: str, problem: str) -> None:
    with pytest.raises(FileError, match=problem), resumed(tmp_path / name, made_from="this") as part:
        part.write(["a"])


def test_lines_of_a_part_can_be_read_and_dropped_from_the_first_that_no_longer_holds(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    with suppress(KeyboardInterrupt), resumed(out, made_from="a") as part:
        part.write(["one", "zwei", "three"])
        raise KeyboardInterrupt
    with resumed(out, made_from="a") as part:
        assert list(part.lines()) == ["one\n", "zwei\n", "three\n"]
        part.keep(1)
        assert part.count == 1
        part.write(["two"])
    assert out.read_text() == "one\ntwo\n"


def test_a_file_can_be_made_from_its_lines_in_the_end(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"

    def full(_: PartialFile) -> None:
        raise OSError(28, "No space left on device")

    with (
        pytest.raises(FileError, match="cannot be written: No space left"),
        files.resumed(out, made_from="a", finish=full) as p,
    ):
        p.write(["one"])
    assert not out.exists()

    def shout(part: PartialFile) -> None:
        out.write_text("".join(part.lines()).upper())

    with files.resumed(out, made_from="a", finish=shout) as part:
        assert part.count == 1
    assert out.read_text() == "ONE\n"
    assert list(tmp_path.iterdir()) == [out]
