"""What all readers have in common: streaming, gzip, odd files, bad records, and their names."""

import gzip
import io
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from tests.corpus_files import CORPUS_FILES, FIXTURES
from utterly import files
from utterly.dialogues.corpora import json_stream, read_corpus
from utterly.errors import FileError

EXAMPLES = {name: path for name, path in CORPUS_FILES.items() if name != "restoration"}  # which needs a second file


def canard_row(number: int, text: str = "why") -> str:
    return json.dumps({"History": [], "Question": text, "Rewrite": text})


def our_row(number: int, text: str = "why") -> str:
    return json.dumps({"history": [], "utterance": text})


def mudoco_member(number: int, text: str = "why") -> str:
    turn = {"number": 1, "utterance": text, "graded": True, "rewritten_utterance": text}
    return f'"{number}": ' + json.dumps({"split": "train", "turns": [turn]})


def rewrite_row(number: int, text: str = "why") -> str:
    return f"a\t\tb\t\t{text}\t\td"


class Format:
    """How to write a file of any length: what is before, between and after its records."""

    def __init__(self, corpus: str, start: str, record: Callable[..., str], between: str, end: str) -> None:
        self.corpus, self.start, self.record, self.between, self.end = corpus, start, record, between, end

    def pieces(self, text: str = "why") -> Iterator[bytes]:
        yield (self.start + self.record(1, text)).encode()
        for number in count(2):
            yield (self.between + self.record(number, text)).encode()

    def write(self, path: Path, *, records: int, text: str) -> Path:
        with path.open("wb") as file:
            file.writelines(islice(self.pieces(text), records))
            file.write(self.end.encode())
        return path


FORMATS = [
    pytest.param(Format("canard", "[", canard_row, ", ", "]"), id="canard list on one line"),
    pytest.param(Format("canard", "", canard_row, "\n", "\n"), id="canard lines"),
    pytest.param(Format("jsonl", "", our_row, "\n", "\n"), id="jsonl"),
    pytest.param(Format("mudoco", '{"domain": "d", "dialogs": {', mudoco_member, ", ", "}}"), id="mudoco"),
    pytest.param(Format("rewrite", "", rewrite_row, "\n", "\n"), id="rewrite"),
]


class Endless(io.RawIOBase):
    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces, self.rest = pieces, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.rest = self.rest or next(self.pieces)
        taken = self.rest[: len(buffer)]
        buffer[: len(taken)] = taken
        self.rest = self.rest[len(taken) :]
        return len(taken)


@pytest.mark.parametrize("form", FORMATS)
def test_dialogues_come_out_of_a_file_that_never_ends(form: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def opened(path: object) -> Iterator[io.BufferedReader]:
        yield io.BufferedReader(Endless(form.pieces()))

    monkeypatch.setattr(files, "opened", opened)
    monkeypatch.setattr(json_stream, "opened", opened)
    assert len(list(islice(read_corpus(form.corpus, "endless"), 3))) == 3


@pytest.mark.parametrize("form", FORMATS)
def test_memory_does_not_grow_with_the_file(form: Format, tmp_path: Path) -> None:
    path = form.write(tmp_path / "large", records=300, text="why " * 5_000)
    assert path.stat().st_size > 6_000_000
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_corpus(form.corpus, path)) == 300
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


@pytest.mark.parametrize("form", FORMATS)
def test_a_turn_of_a_megabyte_is_read(form: Format, tmp_path: Path) -> None:
    path = form.write(tmp_path / "large", records=2, text="why " * 250_000)
    assert [len(dialogue.source.text) for dialogue in read_corpus(form.corpus, path)] == [1_000_000] * 2


def test_a_history_of_ten_thousand_turns_is_read(tmp_path: Path) -> None:
    (tmp_path / "long.jsonl").write_text(json.dumps({"history": ["so", ""] * 5_000, "utterance": "why"}))
    (dialogue,) = read_corpus("jsonl", tmp_path / "long.jsonl")
    assert len(dialogue.context) == 10_000


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("change", ["gzip", "CRLF", "BOM", "no last line end", "blank lines"])
def test_the_same_dialogues_come_from_files_written_otherwise(name: str, change: str, tmp_path: Path) -> None:
    content = EXAMPLES[name].read_bytes()
    changed = {
        "gzip": gzip.compress(content),
        "CRLF": content.replace(b"\n", b"\r\n"),
        "BOM": b"\xef\xbb\xbf" + content,
        "no last line end": content.rstrip(b"\n"),
        "blank lines": content + b"\n \n\n",
    }[change]
    (tmp_path / "file").write_bytes(changed)
    assert list(read_corpus(name, tmp_path / "file")) == list(read_corpus(name, EXAMPLES[name]))


@pytest.mark.parametrize("name", ["canard", "jsonl", "rewrite"])
def test_an_empty_file_of_lines_has_no_dialogues(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    assert list(read_corpus(name, tmp_path / "empty")) == []


def test_an_empty_file_is_no_json_object(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(FileError, match="empty: must be valid JSON: parse error: premature EOF"):
        list(read_corpus("mudoco", tmp_path / "empty"))


BAD_RECORDS = [["{}"], ["{}", "nope", '"\xff"'], ["[]", "{", '"\xff"'], ['"x": 1'], ["a\tb", '"\xff"']]


@pytest.mark.parametrize(
    ("form", "bad_record"),
    [(form.values[0], bad) for form, records in zip(FORMATS, BAD_RECORDS, strict=True) for bad in records],
)
def test_a_bad_record_is_reported_or_raised(form: Format, bad_record: str, tmp_path: Path) -> None:
    records = [form.record(1), bad_record, form.record(3)]
    text = form.start + form.between.join(records) + form.end
    (tmp_path / "file").write_bytes(text.encode("latin-1"))
    bad: list[FileError] = []
    assert len(list(read_corpus(form.corpus, tmp_path / "file", on_bad=bad.append))) == 2
    with pytest.raises(FileError) as raised:
        list(read_corpus(form.corpus, tmp_path / "file"))
    assert [str(error) for error in bad] == [str(raised.value)]
    assert bad[0].line == (None if form.start else 2)
    assert form.start == "" or bad[0].problem.startswith("entry 2: ")


def test_two_elements_with_one_id_are_found(tmp_path: Path) -> None:
    row = {"History": [], "Question": "q", "Rewrite": "r", "QuAC_dialog_id": "C_1", "Question_no": 1}
    (tmp_path / "file").write_text(json.dumps([row, row]))
    with pytest.raises(FileError, match="ids must be unique within a file, but 'C_1_q#1' is also in entry 1"):
        list(read_corpus("canard", tmp_path / "file"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_file_cut_off_is_raised_even_where_bad_records_are_skipped(name: str, tmp_path: Path) -> None:
    (tmp_path / "file.gz").write_bytes(gzip.compress(EXAMPLES[name].read_bytes())[:-9])
    bad: list[FileError] = []
    with pytest.raises(FileError, match="the gzip data is broken"):
        list(read_corpus(name, tmp_path / "file.gz", on_bad=bad.append))
    assert bad == []


@pytest.mark.parametrize("name", ["canard", "mudoco"])
def test_a_list_or_object_cut_off_is_raised_too(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(EXAMPLES[name].read_bytes()[:-20])
    with pytest.raises(FileError, match=r"file: must be valid JSON: parse error: premature EOF"):
        list(read_corpus(name, tmp_path / "file", on_bad=lambda _: None))


@pytest.mark.parametrize(("name", "split"), [("canard", "dev"), ("jsonl", "train")])
def test_a_split_of_a_file_without_splits_is_refused(name: str, split: str) -> None:
    problem = f"this kind of file has no split '{split}'; give the file of that split, without naming a split"
    with pytest.raises(FileError, match=problem):
        read_corpus(name, EXAMPLES[name], split=split)


def test_a_split_is_handed_to_the_reader() -> None:
    (dialogue,) = read_corpus("mudoco", EXAMPLES["mudoco"], split="dev")
    assert dialogue.id == "garden-bb-02-turn0"


def test_guessed_titles_are_asked_for_by_the_corpus_name() -> None:
    path = FIXTURES / "canard.jsonl"
    assert next(read_corpus("canard", path, guessed_titles=True)).context[0].text == "Mira Oduya"
    with pytest.raises(FileError, match="only canard has guessed titles, but this file is read as mudoco"):
        read_corpus("mudoco", EXAMPLES["mudoco"], guessed_titles=True)


def test_an_unknown_corpus_is_refused_with_the_known_ones() -> None:
    with pytest.raises(FileError, match="no corpus called 'quac'; known: canard, cast, followup, ikat, jsonl"):
        read_corpus("quac", "file")


def test_reading_dialogues_needs_no_other_package() -> None:
    program = (
        "import sys; before = set(sys.modules); import utterly.dialogues;"
        "new = {name.split('.')[0] for name in set(sys.modules) - before} - {'utterly'};"
        "sys.exit(', '.join(sorted(new - set(sys.stdlib_module_names))))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""
