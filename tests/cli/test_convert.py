"""`utterly convert`: every corpus, in lines that read back the same, and how it refuses."""

import gzip
from pathlib import Path

import pytest

from tests.command_line import CommandLine, write_rows
from tests.corpus_files import CORPUS_FILES, FIXTURES
from utterly.dialogues.corpora import CORPORA, read_corpus
from utterly.dialogues.jsonl import read_jsonl


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("out_name", ["out.jsonl", "out.jsonl.gz"])
def test_every_corpus_converts_to_lines_that_read_back_the_same(
    utterly: CommandLine, corpus: str, out_name: str, tmp_path: Path
) -> None:
    dialogues = list(read_corpus(corpus, CORPUS_FILES[corpus]))
    out = tmp_path / out_name
    assert utterly("convert", corpus, CORPUS_FILES[corpus], out) == (
        0,
        f"wrote {len(dialogues)} dialogues to {out}\n",
        "",
    )
    assert list(read_jsonl(out)) == dialogues
    assert list(tmp_path.iterdir()) == [out]


def test_without_an_output_file_lines_go_to_standard_output(utterly: CommandLine, tmp_path: Path) -> None:
    status, lines, errors = utterly("convert", "rewrite", CORPUS_FILES["rewrite"])
    (tmp_path / "out.jsonl").write_text(lines, encoding="utf-8")
    assert (status, errors) == (0, "")
    assert list(read_jsonl(tmp_path / "out.jsonl")) == list(read_corpus("rewrite", CORPUS_FILES["rewrite"]))


def test_a_split_and_guessed_titles_can_be_asked_for(utterly: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert utterly("convert", "mudoco", CORPUS_FILES["mudoco"], out, "--split", "dev").status == 0
    assert [dialogue.id for dialogue in read_jsonl(out)] == ["garden-bb-02-turn0"]
    assert utterly("convert", "canard", FIXTURES / "canard.jsonl", out, "--guessed-titles", "--force").status == 0
    assert next(read_jsonl(out)).context[0].text == "Mira Oduya"


OURS = {"history": [], "utterance": "why"}
WHOLE = b'{"history": [], "utterance": "a", "id": "1"}\n'
BAD_FILES = {
    "malformed": ("jsonl", WHOLE + b'{"history"\n', "line 2: a record must be valid JSON"),
    "missing field": ("jsonl", b'{"history": []}\n', "line 1: the field 'utterance' is missing; add it"),
    "wrong type": ("jsonl", b'{"history": "a", "utterance": "b"}\n', "line 1: the field 'history' must be a list, got"),
    "duplicate id": ("jsonl", WHOLE * 2, "line 2: ids must be unique within a file, but '1' is also in line 1"),
    "lone surrogate": (
        "jsonl",
        b'{"history": [], "utterance": "\\ud83d"}\n',
        "line 1: a turn must be valid Unicode, but",
    ),
    "not UTF-8": ("jsonl", b'{"history": [], "utterance": "caf\xe9"}\n', "line 1: text must be UTF-8, but byte"),
    "columns": ("rewrite", b"a\t\tb\n", "line 1: a line must be two context turns, the source and the rewrite"),
    "another file": ("mudoco", b'{"domain": "d"}', "must have an object with members under the key 'dialogs'"),
    "cut off": ("canard", b'[{"History": []', "must be valid JSON: parse error: premature EOF"),
}


@pytest.mark.parametrize(("corpus", "content", "problem"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file_is_one_line_of_error_and_leaves_nothing(
    utterly: CommandLine, corpus: str, content: bytes, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    out = tmp_path / "out.jsonl"
    out.write_text("what was there before")
    status, printed, error = utterly("convert", corpus, path, out, "--force")
    assert (status, printed) == (2, "")
    assert error.startswith(f"error: {path}")
    assert problem in error
    assert error.count("\n") == 1
    assert out.read_text() == "what was there before"
    assert sorted(tmp_path.iterdir()) == [path, out]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("plain.jsonl.gz", b"{}", "a file named .gz must be gzip, but it is not; rename or compress it"),
        ("cut.jsonl.gz", gzip.compress(b"{}", mtime=0)[:-4], "the gzip data is broken"),
        ("absent.jsonl", None, "there is no such file; check the path"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_even_where_bad_records_are_skipped(
    utterly: CommandLine, name: str, content: bytes | None, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    status, _, error = utterly("convert", "jsonl", path, tmp_path / "out", "--skip-bad")
    assert status == 2
    assert f"error: {path}: {problem}" in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["quac", "FILE", "OUT"], "no corpus called 'quac'; known: canard, cast"),
        (
            ["canard", "FILE", "OUT", "--split", "dev"],
            "has no split 'dev'; give the file of that split, without naming a split",
        ),
        (["mudoco", "FILE", "OUT", "--split", "x"], "has no split 'x'; choose from: train, dev, test"),
        (["jsonl", "FILE", "OUT", "--guessed-titles"], "only canard has guessed titles"),
        (["jsonl", "FILE", "no/such/folder/out"], "cannot be written: No such file or directory; check folder"),
        (["jsonl", "FILE", "."], "the output must be a file, but this is a folder; name a file in it"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    utterly: CommandLine, arguments: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "FILE", [OURS])
    status, out, error = utterly("convert", *arguments)
    assert (status, out) == (2, "")
    assert problem in error
    assert not (tmp_path / "OUT").exists()


def test_bad_records_are_skipped_on_demand_and_reported(utterly: CommandLine, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "mixed.jsonl", [OURS, "nope", OURS, {"history": []}, "[]", "{", OURS])
    status, out, error = utterly("convert", "jsonl", path, tmp_path / "out.jsonl", "--skip-bad")
    assert (status, out) == (0, f"wrote 3 dialogues to {tmp_path / 'out.jsonl'}\n")
    heading, *shown = error.splitlines()
    assert heading == "skipped 4 bad record(s), starting with:"
    assert [line.split(":")[0].strip() for line in shown] == [f"{path}, line {number}" for number in (2, 4, 5)]


def test_ctrl_c_ends_quietly_and_leaves_nothing(
    utterly: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("utterly.dialogues.jsonl.dialogue_to_json", interrupted)
    assert utterly("convert", "jsonl", CORPUS_FILES["jsonl"], tmp_path / "out.jsonl").status in (1, 130)
    assert list(tmp_path.iterdir()) == []
