"""The command line: what it writes, what it shows, and how it refuses."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from utterly import __version__
from utterly.dialogues.corpora import CORPORA, read_corpus
from utterly.dialogues.jsonl import read_jsonl
from utterly.labels.syntax import PROVIDERS
from utterly.metrics import Mode, modes
from utterly.tables.kinds import ENDINGS

FIXTURES = Path(__file__).parent.parent / "fixtures"
CORPUS_FILES = {
    "canard": FIXTURES / "canard.json",
    "jsonl": FIXTURES / "dialogues.jsonl",
    "mudoco": FIXTURES / "mudoco_garden.json",
    "rewrite": FIXTURES / "rewrite_corpus.txt",
}
ROWS: list[dict[str, Any]] = [
    {"id": "a", "domain": "sport", "history": [], "utterance": "Is he Swiss?", "rewrite": "Is Federer Swiss?"},
    {"id": "b", "domain": "music", "history": [], "utterance": "Why?", "rewrite": "Why did the band split?"},
]


def write_rows(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def test_the_version_is_shown(utterly: CommandLine) -> None:
    assert utterly("--version") == (0, f"utterly {__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--help"], ["rewrite", "chat", "models", "convert", "evaluate", "export", "--version"]),
        (
            ["rewrite", "--help"],
            [
                "TURN",
                "--input",
                "--output",
                *ENDINGS,
                "--model",
                "--n-best",
                "--min-confidence",
                "--explain",
                "Example",
            ],
        ),
        (["chat", "--help"], ["--model", "--min-confidence", "/undo", "Example"]),
        (["models", "--help"], ["FOLDER", "--json", "Example"]),
        (["export", "--help"], ["MODEL", "OUT", "--sample", "--no-int8", "Example"]),
        (
            ["convert", "--help"],
            ["CORPUS", "FILE", "OUT", *CORPORA, "--split", "--guessed-titles", "--skip-bad", "Example"],
        ),
        (["label", "--help"], ["IN", "OUT", *PROVIDERS, "--jobs", "--no-cache", "--skip-bad", "Example"]),
        (["evaluate", "--help"], ["--predictions", "--references", "--compare", "--field", *Mode, "Example"]),
    ],
)
def test_help_names_what_can_be_given_with_an_example(
    utterly: CommandLine, arguments: list[str], words: list[str]
) -> None:
    status, out, _ = utterly(*arguments)
    assert status == 0
    assert [word for word in words if word not in out] == []


def test_help_needs_none_of_the_heavy_modules() -> None:
    program = (
        "import sys; from utterly import cli;"
        "heavy = {'numpy', 'spacy', 'sacrebleu', 'rapidfuzz', 'rich', 'onnxruntime', 'pyarrow', 'torch'};"
        "sys.exit(', '.join(sorted(heavy & set(sys.modules))))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""


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
    assert utterly("convert", "canard", FIXTURES / "canard.jsonl", out, "--guessed-titles").status == 0
    assert next(read_jsonl(out)).context[0].text == "Mira Oduya"


OURS = {"history": [], "utterance": "why"}
WHOLE = b'{"history": [], "utterance": "a", "id": "1"}\n'
BAD_FILES = {
    "malformed": ("jsonl", WHOLE + b'{"history"\n', "line 2: a record must be valid JSON, but it is not"),
    "missing field": ("jsonl", b'{"history": []}\n', "line 1: the field 'utterance' is missing; add it"),
    "wrong type": ("jsonl", b'{"history": "a", "utterance": "b"}\n', "line 1: the field 'history' must be a list, but"),
    "duplicate id": ("jsonl", WHOLE * 2, "line 2: the ids of a file must differ, but '1' came before, in line 1"),
    "lone surrogate": (
        "jsonl",
        b'{"history": [], "utterance": "\\ud83d"}\n',
        "line 1: a turn must be valid Unicode, but",
    ),
    "not UTF-8": ("jsonl", b'{"history": [], "utterance": "caf\xe9"}\n', "line 1: text must be UTF-8, but byte"),
    "columns": ("rewrite", b"a\t\tb\n", "line 1: a line must be two context turns, the source and the rewrite"),
    "another file": ("mudoco", b'{"domain": "d"}', "must hold an object under the key 'dialogs', but does not"),
    "cut off": ("canard", b'[{"History": []', "line 1: its JSON must be whole"),
}


@pytest.mark.parametrize(("corpus", "content", "problem"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file_is_one_line_of_error_and_leaves_nothing(
    utterly: CommandLine, corpus: str, content: bytes, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    out = tmp_path / "out.jsonl"
    out.write_text("what was there before")
    status, printed, error = utterly("convert", corpus, path, out)
    assert (status, printed) == (2, "")
    assert error.startswith(f"error: {path}")
    assert problem in error
    assert error.count("\n") == 1
    assert out.read_text() == "what was there before"
    assert sorted(tmp_path.iterdir()) == [path, out]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("plain.jsonl.gz", b"{}", "a name that ends in .gz must be a gzip file, but it is not; rename or compress it"),
        ("cut.jsonl.gz", gzip.compress(b"{}", mtime=0)[:-4], "the gzip data must be whole"),
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
        (["quac", "FILE", "OUT"], "there is no corpus called 'quac' to read it as; known: canard, jsonl"),
        (
            ["canard", "FILE", "OUT", "--split", "dev"],
            "has no split 'dev'; give the file of that split, and name no split",
        ),
        (["mudoco", "FILE", "OUT", "--split", "x"], "has no split 'x'; choose from: train, dev, test"),
        (["jsonl", "FILE", "OUT", "--guessed-titles"], "only files of canard have guessed titles"),
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
    assert heading == "skipped 4 bad record(s), the first of them:"
    assert [line.split(":")[0].strip() for line in shown] == [f"{path}, line {number}" for number in (2, 4, 5)]


@pytest.mark.parametrize(
    "row",
    [
        {"history": [], "utterance": ""},
        {"history": ["so", ""] * 5_000, "utterance": "why"},
        {"history": ["why " * 250_000], "utterance": "so"},
        {"history": ["\x00 \x07"], "utterance": "\x1b[31m\x7f"},
        {"history": ["مرحبا بالعالم"], "utterance": "\u202eשלום\u202c"},
    ],
    ids=["no text", "ten thousand turns", "a megabyte", "control characters", "right to left"],
)
def test_odd_dialogues_convert_and_score(utterly: CommandLine, row: dict[str, Any], tmp_path: Path) -> None:
    path = write_rows(tmp_path / "odd.jsonl", [{**row, "rewrite": row["utterance"]}])
    assert utterly("convert", "jsonl", path, tmp_path / "out.jsonl").status == 0
    (dialogue,) = read_jsonl(tmp_path / "out.jsonl")
    assert [turn.text for turn in dialogue.context] == row["history"]
    status, out, _ = utterly("evaluate", "--predictions", path, "--references", tmp_path / "out.jsonl", "--json")
    assert status == 0
    assert json.loads(out)["report"]["overall"]["EM"]["value"] == 100


def table(out: str) -> dict[str, list[str]]:
    return {cells[0]: cells[1:] for line in out.splitlines() if (cells := line.split())}


def test_scores_are_shown_by_domain_with_their_settings_once(utterly: CommandLine, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", ROWS)
    status, out, error = utterly("evaluate", "--predictions", path, "--references", path, "--field", "utterance")
    assert (status, error) == (0, "")
    lines = table(out)
    assert lines["metric"] == ["overall", "sport", "music"]
    assert lines["pairs"] == ["2", "1", "1"]
    assert lines["EM"] == ["0.00", "0.00", "0.00"]
    # sport: is, swiss and ? of 4 words match; music: why and ? of 6, at exp(1 - 6/2)
    assert lines["BLEU-1"][1:] == ["75.00", "13.53"]
    assert f"predictions: {path}, field 'utterance'" in out
    assert f"references: {path}, matched by id" in out
    assert out.count("case:lower|smooth:none|n:2") == 1


def test_any_name_can_be_that_of_a_domain(utterly: CommandLine, tmp_path: Path) -> None:
    names = ["overall", "[bold]", ":cat:"]
    path = write_rows(tmp_path / "rows.jsonl", [{**ROWS[0], "id": name, "domain": name} for name in names])
    out = utterly("evaluate", "--predictions", path, "--references", path).out
    assert table(out)["metric"] == ["overall", *names]


@pytest.mark.parametrize("mode", Mode)
def test_every_mode_is_shown_with_what_split_the_words(utterly: CommandLine, mode: Mode, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", ROWS)
    out = utterly("evaluate", "--predictions", path, "--references", path, "--mode", mode).out
    assert f"mode:{mode}|words:{'sacrebleu-13a-' if mode is Mode.SACREBLEU else 'spacy-'}" in out
    assert ("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:" in out) == (mode is Mode.SACREBLEU)


def test_the_references_say_whose_words_unless_the_caller_does(utterly: CommandLine, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", [{**row, "lang": "zh"} for row in ROWS])
    files = ("--predictions", path, "--references", path)
    assert "words:characters" in utterly("evaluate", *files).out
    assert "words:spacy" in utterly("evaluate", *files, "--language", "en").out


def test_intervals_and_a_comparison_are_shown_with_seed_and_test(utterly: CommandLine, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", ROWS)
    arguments = ["--predictions", path, "--references", path, "--field", "utterance", "--compare", path]
    arguments += ["--compare-field", "rewrite", "--intervals", "--seed", "5"]
    out = utterly("evaluate", *arguments).out
    assert table(out)["EM"] == ["0.00", "100.00", "+100.00", "[100.00,", "100.00]", "0.0010"]
    assert "[13.53, 75.00]" in out
    assert "p: paired bootstrap, two-sided" in out
    assert "resampling: 1,000 resamples, seed 5" in out
    assert out == utterly("evaluate", *arguments).out


def test_everything_is_there_as_json_too(utterly: CommandLine, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", ROWS)
    copies = ["--predictions", path, "--references", path, "--field", "utterance", "--json"]
    plain = json.loads(utterly("evaluate", *copies).out)
    assert plain["predictions"] == {"file": str(path), "field": "utterance"}
    assert (plain["matched_by"], plain["compare"], plain["resampling"]) == ("id", None, None)
    assert plain["report"]["domains"]["sport"]["BLEU-1"]["value"] == pytest.approx(75)
    both = json.loads(utterly("evaluate", *copies, "--compare", path, "--compare-field", "rewrite").out)
    assert both["resampling"] == {"seed": 0, "resamples": 1000}
    assert both["comparison"]["differences"]["EM"]["difference"] == 100
    assert both["report"] == plain["report"]


@pytest.mark.parametrize(
    ("predictions", "more", "problem"),
    [
        ([ROWS[0], "{"], [], "predictions.jsonl, line 2: a record must be valid JSON, but it is not"),
        (ROWS, ["--field", "mine"], "predictions.jsonl, line 1: the field 'mine' is missing; add it (the fields that"),
        (
            ROWS,
            ["--field", "history"],
            "predictions.jsonl, line 1: the field 'history' must be a string, but it is a l",
        ),
        ([ROWS[0], ROWS[0]], [], "predictions.jsonl, line 2: the ids of a file must differ, but 'a' came before"),
        (ROWS[:1], [], "references.jsonl, line 2: the id 'b' must also be in "),
        ([{"rewrite": "so"}], [], "predictions.jsonl: must have a line for each line of "),
        (ROWS, ["--mode", "papers"], "no mode called 'papers'; known modes: paper, published, sacrebleu"),
        (ROWS, ["--language", "tlh"], "language must be one of en, zh, but 'tlh' came"),
        (ROWS, ["--compare", "nowhere.jsonl"], "nowhere.jsonl: there is no such file; check the path"),
    ],
)
def test_what_cannot_be_scored_is_one_line_of_error(
    utterly: CommandLine, predictions: list[Any], more: list[str], problem: str, tmp_path: Path
) -> None:
    references = write_rows(tmp_path / "references.jsonl", ROWS)
    path = write_rows(tmp_path / "predictions.jsonl", predictions)
    status, out, error = utterly("evaluate", "--predictions", path, "--references", references, *more)
    assert (status, out) == (2, "")
    assert error.startswith("error: ")
    assert problem in error
    assert error.count("\n") == 1


def test_bad_predictions_are_left_out_on_demand_and_reported(utterly: CommandLine, tmp_path: Path) -> None:
    references = write_rows(tmp_path / "references.jsonl", ROWS)
    path = write_rows(tmp_path / "predictions.jsonl", [ROWS[0], {"id": "b"}])
    status, out, error = utterly("evaluate", "--predictions", path, "--references", references, "--skip-bad")
    assert status == 0
    assert table(out)["pairs"] == ["1", "1"]
    assert error.startswith("skipped 1 bad record(s)")


def test_a_missing_package_is_answered_with_the_extra_that_brings_it(
    utterly: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    modes._english.cache_clear()
    path = write_rows(tmp_path / "rows.jsonl", ROWS)
    status, _, error = utterly("evaluate", "--predictions", path, "--references", path)
    assert status == 2
    assert error == (
        "error: this needs the package 'spacy', which is not installed; "
        "install it with: pip install 'utterly[metrics]'\n"
    )


def test_a_misspelt_command_is_answered_with_the_right_one(utterly: CommandLine) -> None:
    status, _, error = utterly("evaluat")
    assert status == 2
    assert "Did you mean 'evaluate'?" in error


def test_ctrl_c_ends_quietly_and_leaves_nothing(
    utterly: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("utterly.dialogues.jsonl.dialogue_to_json", interrupted)
    assert utterly("convert", "jsonl", CORPUS_FILES["jsonl"], tmp_path / "out.jsonl").status in (1, 130)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
@pytest.mark.parametrize("arguments", [["--version"], ["evaluate", "--help"]])
def test_a_reader_who_leaves_gets_no_traceback(arguments: list[str]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-c", "from utterly.cli.app import main; main()", *arguments]
    result = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write_end)
    assert (result.returncode, result.stderr) == (1, "")


def test_the_installed_program_runs_and_its_status_tells(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("utterly")
    result = subprocess.run(
        [program, "convert", "jsonl", tmp_path / "nowhere", tmp_path / "out"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert result.stderr == f"error: {tmp_path / 'nowhere'}: there is no such file; check the path\n"
