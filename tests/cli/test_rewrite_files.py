"""`utterly rewrite --input`: rows in, the same rows with their rewrites out, resumable, and nothing lost."""

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import tiny
from tests.command_line import CommandLine
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import FileError
from utterly.rewriter import Rewrite, Rewriter
from utterly.training.data import read_dev

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

PROGRAM = [sys.executable, "-c", "from utterly.cli.app import main; main()"]
ROWS: list[dict[str, Any]] = [
    {
        "id": number,
        "history": [turn.text for turn in dialogue.context],
        "utterance": dialogue.source.text,
        "rewrite": dialogue.target and dialogue.target.text,
        "weight": number / 2,
    }
    for number, dialogue in enumerate(each.script.dialogue for each in tiny.labels())
]


def lines_of(rows: Iterable[Any]) -> str:
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)


def expected(rewriter: Rewriter, row: dict[str, Any]) -> dict[str, Any]:
    result = rewriter.rewrite([*row["history"], row["utterance"]])
    return {
        "id": row["id"],
        "history": row["history"],
        "utterance": row["utterance"],
        "target": row["rewrite"],
        "weight": row["weight"],
        "rewrite": result.text,
        "confidence": round(result.confidence, 4),
        "changed": result.changed,
    }


def as_csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0])
    writer.writeheader()
    writer.writerows({**row, "history": json.dumps(row["history"])} for row in rows)
    return text.getvalue()


def read_json(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


class Files:
    """Runs `utterly rewrite` on files of a folder."""

    def __init__(self, utterly: CommandLine, model: Path, folder: Path) -> None:
        self.utterly, self.model, self.folder = utterly, model, folder

    def __call__(self, source: object, out: object, *more: object) -> tuple[int, str, str]:
        return self.utterly("rewrite", "--input", source, "--output", out, "--model", self.model, *more)

    def left(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


@pytest.fixture
def rewrite(utterly: CommandLine, model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    monkeypatch.chdir(tmp_path)
    return Files(utterly, model_folder, tmp_path)


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Any:
    def set_input(content: bytes) -> None:
        raw = io.BufferedReader(io.BytesIO(content))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))

    return set_input


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_json_lines_come_back_with_their_rewrites(rewrite: Files, rewriter: Rewriter, name: str) -> None:
    Path("in.jsonl").write_text(lines_of(ROWS))
    assert rewrite("in.jsonl", name) == (0, f"wrote {len(ROWS)} rewrites to {name}\n", "")
    raw = Path(name).read_bytes()
    rows = read_json((gzip.decompress(raw) if name.endswith(".gz") else raw).decode())
    assert rows == [expected(rewriter, row) for row in ROWS]
    assert any(row["changed"] for row in rows)
    assert rewrite.left() == ["in.jsonl", name]


@pytest.mark.parametrize("more", [[], ["--json"], ["--n-best", "2"]], ids=["plain", "everything", "alternatives"])
def test_what_is_written_is_nothing_to_learn_from(rewrite: Files, more: list[str]) -> None:
    Path("in.jsonl").write_text(lines_of({**row, "id": str(row["id"])} for row in ROWS))
    assert rewrite("in.jsonl", "out.jsonl", *more)[0] == 0
    for command in (["label", "out.jsonl", "new", "--syntax", "none"], ["convert", "jsonl", "out.jsonl", "new"]):
        status, printed, error = rewrite.utterly(*command)
        assert (status, printed) == (2, "")
        assert "out.jsonl, line 1: the 'rewrite' of a row must be a reference, but `utterly rewrite` wrote" in error
        assert "give the file it was made from" in error
        assert rewrite.left() == ["in.jsonl", "out.jsonl"]
    with pytest.raises(FileError, match="`utterly rewrite` wrote this row"):
        read_dev("out.jsonl")  # for `train`; `calibrate` reads as it does
    rows = read_json(Path("out.jsonl").read_text())
    Path("meant.jsonl").write_text(lines_of({name: row[name] for name in row if name != "changed"} for row in rows))
    assert rewrite.utterly("label", "meant.jsonl", "new", "--syntax", "none").status == 0


@pytest.mark.parametrize("gold", [True, False], ids=["with targets", "without"])
def test_what_is_written_cannot_be_scored_against_itself(rewrite: Files, gold: bool) -> None:
    names = {"id", "history", "utterance", *(["rewrite"] if gold else [])}
    rows = [{name: value for name, value in row.items() if name in names} | {"id": str(row["id"])} for row in ROWS]
    Path("in.jsonl").write_text(lines_of(rows))
    assert rewrite("in.jsonl", "out.jsonl")[0] == 0
    Path("copy.jsonl").write_bytes(Path("out.jsonl").read_bytes())
    Path("link.jsonl").hardlink_to("out.jsonl")
    for references, problem in {
        "out.jsonl": "predictions must not be the references, but both are the field 'rewrite' of the same file",
        "link.jsonl": "predictions must not be the references, but both are the field 'rewrite' of the same file",
        "copy.jsonl": "`utterly rewrite` wrote this row; give the file",
    }.items():
        command = ["evaluate", "--predictions", "out.jsonl", "--references", references]
        status, printed, error = rewrite.utterly(*command)
        assert (status, printed) == (2, "")
        assert problem in error


def test_what_is_written_is_scored_against_what_it_was_made_from(rewrite: Files) -> None:
    Path("in.jsonl").write_text(lines_of({**row, "id": str(row["id"])} for row in ROWS))
    assert rewrite("in.jsonl", "out.jsonl")[0] == 0
    against = ["evaluate", "--references", "in.jsonl", "--json", "--predictions"]
    status, printed, _ = rewrite.utterly(*against, "out.jsonl")
    assert status == 0
    assert json.loads(printed)["report"]["overall"]["EM"]["value"] < 100
    assert rewrite.utterly(*against, "in.jsonl", "--field", "utterance").status == 0


def test_csv_keeps_its_cells_and_gets_three_columns(rewrite: Files, rewriter: Rewriter) -> None:
    Path("in.csv").write_text(as_csv(ROWS))
    assert rewrite("in.csv", "out.csv")[0] == 0
    with Path("out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row, came in zip(rows, ROWS, strict=True):
        want = expected(rewriter, came)
        assert list(row) == list(want)
        assert json.loads(row["history"]) == came["history"]
        assert (row["rewrite"], row["target"], row["weight"]) == (want["rewrite"], came["rewrite"], str(came["weight"]))
        assert (float(row["confidence"]), row["changed"]) == (want["confidence"], json.dumps(want["changed"]))


def test_history_in_a_cell_may_be_a_turn_a_line(rewrite: Files, rewriter: Rewriter) -> None:
    Path("in.csv").write_text(
        '\ufeffutterance,history\nso?,\nwhere was he born ?,"who is anna ?\r\n\r\na singer ."\r\n'
    )
    assert rewrite("in.csv", "out.jsonl")[0] == 0
    first, second = read_json(Path("out.jsonl").read_text())
    assert (first["history"], first["changed"]) == ([], False)
    assert second["history"] == ["who is anna ?", "a singer ."]
    assert second["rewrite"] == rewriter.rewrite(["who is anna ?", "a singer .", "where was he born ?"]).text


def test_parquet_keeps_the_types_of_its_columns(rewrite: Files, rewriter: Rewriter) -> None:
    table = pyarrow.Table.from_pylist(ROWS)
    moments = pyarrow.array([10**18 + n for n in range(len(ROWS))], pyarrow.timestamp("ns"))  # Python has none so fine
    table = table.append_column("when", moments).replace_schema_metadata({"made by": "us"})
    parquet.write_table(table, "in.parquet", row_group_size=5)
    assert rewrite("in.parquet", "out.parquet")[0] == 0
    made = parquet.read_table("out.parquet")
    assert made.drop_columns(["when"]).to_pylist() == [expected(rewriter, row) for row in ROWS]
    assert made.column("when").combine_chunks().equals(moments)
    assert made.schema.field("weight").type == table.schema.field("weight").type
    assert made.schema.metadata[b"made by"] == b"us"
    assert rewrite.left() == ["in.parquet", "out.parquet"]


def test_parquet_may_hold_null_or_cells_for_histories(rewrite: Files, rewriter: Rewriter) -> None:
    rows = [{"history": None, "utterance": "so ?"}, {"history": "who is anna ?\nso", "utterance": "where was he ?"}]
    parquet.write_table(pyarrow.Table.from_pylist(rows), "in.parquet")
    assert rewrite("in.parquet", "out.jsonl")[0] == 0
    first, second = read_json(Path("out.jsonl").read_text())
    assert first["history"] == []
    assert second["rewrite"] == rewriter.rewrite(["who is anna ?", "so", "where was he ?"]).text


def test_every_kind_can_be_looked_at_as_json_lines(rewrite: Files, rewriter: Rewriter) -> None:
    Path("in.csv").write_text(as_csv(ROWS))
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), "in.parquet")
    want = [expected(rewriter, row) for row in ROWS]
    assert read_json(rewrite("in.parquet", "-")[1]) == want
    assert rewrite("in.csv", "out.jsonl")[0] == 0
    assert [row["rewrite"] for row in read_json(Path("out.jsonl").read_text())] == [row["rewrite"] for row in want]


def test_standard_input_and_output_can_be_used(rewrite: Files, rewriter: Rewriter, typed: Any) -> None:
    want = [expected(rewriter, row) for row in ROWS]
    typed(lines_of(ROWS).encode())
    status, out, error = rewrite("-", "-")
    assert (status, read_json(out), error) == (0, want, "")
    typed(gzip.compress(lines_of(ROWS).encode()))
    assert rewrite("-", "out.jsonl")[0] == 0
    assert read_json(Path("out.jsonl").read_text()) == want
    typed(as_csv(ROWS).encode())
    assert rewrite("-", "-", "--format", "csv")[1].splitlines()[0].endswith(",target,weight,rewrite,confidence,changed")
    table = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), table)
    typed(table.getvalue())
    assert read_json(rewrite("-", "-", "--format", "parquet")[1]) == want


def test_without_an_output_rows_go_to_standard_output(utterly: CommandLine, rewrite: Files, model_folder: Path) -> None:
    Path("in.jsonl").write_text(lines_of(ROWS[:2]))
    out = utterly("rewrite", "--input", "in.jsonl", "--model", model_folder).out
    assert [row["id"] for row in read_json(out)] == [0, 1]


def test_everything_can_be_written_as_json_lines(rewrite: Files, rewriter: Rewriter) -> None:
    Path("in.jsonl").write_text(lines_of(ROWS[:3]))
    assert rewrite("in.jsonl", "out.jsonl", "--json", "--n-best", "2")[0] == 0
    for row, came in zip(read_json(Path("out.jsonl").read_text()), ROWS[:3], strict=True):
        said = rewriter.rewrite([*came["history"], came["utterance"]], n_best=2).to_json()
        assert {name: row[name] for name in ("edits", "alternatives", "abstained", "model", "reason")} == {
            name: said[name] for name in ("edits", "alternatives", "abstained", "model", "reason")
        }


def test_a_target_that_came_stays_the_target(rewrite: Files) -> None:
    row = {"history": [], "utterance": "so", "rewrite": "theirs", "target": "right", "confidence": 2, "lang": "en-GB"}
    Path("in.jsonl").write_text(lines_of([row]))
    assert read_json(rewrite("in.jsonl", "-")[1]) == [
        {"history": [], "utterance": "so", "target": "right", "lang": "en-GB"}
        | {"rewrite": "so", "confidence": 1.0, "changed": False}
    ]


@pytest.mark.parametrize("name", ["none.jsonl", "none.csv", "none.parquet"])
def test_a_file_without_rows_gives_one_without_rows(rewrite: Files, name: str) -> None:
    Path("none.jsonl").write_text("")
    Path("none.csv").write_text("history,utterance\n")
    schema = pyarrow.schema([("history", pyarrow.list_(pyarrow.string())), ("utterance", pyarrow.string())])
    parquet.write_table(schema.empty_table(), "none.parquet")
    assert rewrite(name, f"out-{name}")[:2] == (0, f"wrote 0 rewrites to out-{name}\n")
    assert Path(f"out-{name}").exists()


GOOD = {"history": ["who is anna ?"], "utterance": "where was he born ?"}
BAD_ROWS = {
    "in.jsonl": (
        lines_of(
            [
                GOOD,
                "{",
                GOOD,
                {"history": []},
                {"history": "so", "utterance": "a"},
                '{"history": [], "utterance": "a\x00"}',
                GOOD,
            ]
        ),
        [
            "line 2: a record must be valid JSON",
            "line 4: the field 'utterance' is missing",
            "line 5: the field 'history' must be a list, got",
        ],
        4,
    ),
    "in.csv": (
        'utterance,history\na,b\na,b,c\n\nc,"[1]"\nd,[\n"e"e,f\nf,"g\nh"\ni,"',
        [
            "line 3: a row must have 2 cells like the header, got 3",
            "line 5: the field 'history' must be a list of",
        ],
        5,
    ),
}


@pytest.mark.parametrize("name", BAD_ROWS)
def test_bad_rows_are_named_and_end_it_before_it_begins_or_are_counted(rewrite: Files, name: str) -> None:
    content, problems, count = BAD_ROWS[name]
    Path(name).write_text(content)
    status, out, error = rewrite(name, f"out-{name}")
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert f"error: {name}, {problems[0]}" in error
    assert rewrite.left() == [name]
    status, out, error = rewrite(name, f"out-{name}", "--skip-bad")
    assert status == 0
    assert error.startswith(f"skipped {count} bad record(s)")
    assert [problem for problem in problems if problem not in error] == []
    again = rewrite(name, "-", "--skip-bad")
    assert again[1] == Path(f"out-{name}").read_text()
    assert again[2] == error


def test_bad_rows_of_parquet_are_named_by_number(rewrite: Files) -> None:
    rows: list[dict[str, Any]] = [
        GOOD,
        {"history": [None], "utterance": "a"},
        {"history": ["so"], "utterance": None},
        GOOD,
    ]
    parquet.write_table(pyarrow.Table.from_pylist([{**row, "n": n} for n, row in enumerate(rows)]), "in.parquet")
    assert "in.parquet: row 2: the field 'history' must be a list of strings" in rewrite("in.parquet", "out.parquet")[2]
    status, _, error = rewrite("in.parquet", "out.parquet", "--skip-bad")
    assert (status, error.splitlines()[0]) == (0, "skipped 2 bad record(s), starting with:")
    assert parquet.read_table("out.parquet").column("n").to_pylist() == [0, 3]


def test_into_a_pipe_all_rows_before_a_bad_one_are_answered(rewrite: Files) -> None:
    Path("in.jsonl").write_text(lines_of([GOOD, GOOD, "{", GOOD]))
    status, out, error = rewrite("in.jsonl", "-")
    assert (status, len(read_json(out))) == (2, 2)
    assert error.startswith("error: in.jsonl, line 3: ")


def test_odd_text_goes_through_to_the_byte(rewrite: Files) -> None:
    odd = ["\x00 \x07", "\x1b[31m", "\u2028 好 👍🏽", 'a,b\n"c"', "x" * 1_000_000, " "]
    rows = [{"history": [text], "utterance": text, "note": text} for text in odd]
    Path("in.jsonl").write_text(lines_of(rows))
    assert rewrite("in.jsonl", "out.jsonl")[0] == 0
    made = read_json(Path("out.jsonl").read_text().replace("\u2028", "\\u2028"))
    assert [row["note"] for row in made] == odd
    assert [row["utterance"] for row in made] == odd
    with Path("in.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([["history", "utterance"], *([json.dumps([text]), text] for text in odd)])
    assert rewrite("in.csv", "out.csv")[0] == 0
    with Path("out.csv").open(newline="") as file:
        assert [row["utterance"] for row in csv.DictReader(file)] == odd


@pytest.mark.parametrize(
    ("source", "out", "more", "problem"),
    [
        ("talk.txt", "out.jsonl", [], "talk.txt: the extension must be one of .jsonl, .jsonl.gz, .ndjson"),
        ("in.jsonl", "out.txt", [], "out.txt: the extension must be one of"),
        ("in.jsonl", "out.csv", [], "rows read as jsonl can be written as jsonl, not as csv"),
        ("in.jsonl", "-", ["--format", "xml"], "no format called 'xml'; known: jsonl, csv, pa"),
        ("none.jsonl", "out.jsonl", [], "none.jsonl: there is no such file; check the path"),
        ("none.parquet", "out.parquet", [], "none.parquet: there is no such file; check the path"),
        (".", "-", ["--format", "jsonl"], ".: many files cannot be written to one; give a folder with --output"),
        ("in.jsonl", "no/such/out.jsonl", [], "cannot be written: No such file or directory; check folder and disk"),
        ("in.jsonl", ".", ["--format", "jsonl"], "the output must be a file, but this is a folder"),
        ("in.jsonl", "/dev/null", ["--format", "jsonl"], "the output must be a file, but this is a device"),
        ("bad.parquet", "out.parquet", [], "bad.parquet: not a valid Parquet file: "),
        ("other.parquet", "-", [], "the column 'history' is missing; add it (columns: 'a')"),
        ("empty.csv", "-", [], "empty.csv, line 1: the column 'history' is missing; add it"),
        ("twice.csv", "-", [], "twice.csv, line 1: the names in the header must differ"),
        ("bytes.csv", "-", [], "bytes.csv, line 2: text must be UTF-8, but the cell of 'utterance' is not"),
        (
            "in.csv",
            "out.csv",
            ["--n-best", "2"],
            "alternatives can only be written as jsonl, but the output is",
        ),
        ("in.csv", "-", ["--json"], "edits and alternatives can only be written as jsonl, but the output is csv"),
    ],
)
def test_files_that_cannot_be_used_are_one_line_of_error(
    rewrite: Files, source: str, out: str, more: list[str], problem: str
) -> None:
    Path("in.jsonl").write_text(lines_of(ROWS[:2]))
    Path("in.csv").write_text(as_csv(ROWS[:2]))
    Path("empty.csv").write_text("")
    Path("twice.csv").write_text("history,utterance,utterance\n")
    Path("bytes.csv").write_bytes(b"history,utterance\n,caf\xe9\n")
    Path("bad.parquet").write_bytes(b"PAR1 so PAR1")
    parquet.write_table(pyarrow.table({"a": [1]}), "other.parquet")
    before = rewrite.left()
    status, printed, error = rewrite(source, out, *more)
    assert (status, printed, error.count("\n")) == (2, "", 1)
    assert problem in error
    assert rewrite.left() == before


def test_without_pyarrow_parquet_names_the_extra(rewrite: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("in.parquet").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pip install 'utterly[tables]'" in rewrite("in.parquet", "out.parquet")[2]


class Watched:
    """Counts the dialogues a rewriter is asked, and breaks off after so many answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = 0
        self.stop_after: int | None = None
        self.after: tuple[int, Callable[[], object]] | None = None  # what happens after so many answers
        real = Rewriter.rewrite_many

        def rewrite_many(this: Rewriter, dialogues: Iterable[Dialogue], **how: Any) -> Iterator[Rewrite]:
            self.asked = 0
            for result in real(this, dialogues, **how):
                if self.asked == self.stop_after:
                    raise KeyboardInterrupt
                if self.after and self.asked == self.after[0]:
                    self.after[1]()
                self.asked += 1
                yield result

        monkeypatch.setattr(Rewriter, "rewrite_many", rewrite_many)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_what_was_answered_is_not_asked_again(rewrite: Files, watched: Watched, kind: str) -> None:
    Path("in.jsonl").write_text(lines_of(ROWS))
    Path("in.csv").write_text(as_csv(ROWS))
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), "in.parquet")
    assert rewrite(f"in.{kind}", f"whole.{kind}")[0] == 0
    watched.stop_after = 7
    status, _, error = rewrite(f"in.{kind}", f"out.{kind}")
    assert status in (1, 130)
    assert error.startswith("stopped; run the same command again to continue\n")
    assert not Path(f"out.{kind}").exists()
    watched.stop_after = None
    assert rewrite(f"in.{kind}", f"out.{kind}")[0] == 0
    assert watched.asked == len(ROWS) - 7
    assert Path(f"out.{kind}").read_bytes() == Path(f"whole.{kind}").read_bytes()
    assert not [name for name in rewrite.left() if name.endswith(".unfinished")]


def test_after_a_repair_only_what_follows_it_is_asked_again(rewrite: Files, watched: Watched) -> None:
    Path("in.jsonl").write_text(lines_of(ROWS))
    watched.stop_after = 9
    rewrite("in.jsonl", "out.jsonl")
    watched.stop_after = None
    Path("in.jsonl").write_text(lines_of([*ROWS[:4], {**ROWS[4], "utterance": "why ?"}, *ROWS[5:]]))
    assert rewrite("in.jsonl", "out.jsonl")[0] == 0
    assert watched.asked == len(ROWS) - 4
    assert read_json(Path("out.jsonl").read_text())[4]["utterance"] == "why ?"


def test_answers_of_other_settings_are_not_taken(rewrite: Files, watched: Watched) -> None:
    Path("in.jsonl").write_text(lines_of(ROWS))
    watched.stop_after = 9
    rewrite("in.jsonl", "out.jsonl")
    watched.stop_after = None
    assert rewrite("in.jsonl", "out.jsonl", "--min-confidence", "1")[0] == 0
    assert watched.asked == len(ROWS)
    assert not any(row["changed"] for row in read_json(Path("out.jsonl").read_text()))


def test_answers_of_another_device_are_not_taken(rewrite: Files, watched: Watched) -> None:
    Path("in.jsonl").write_text(lines_of(ROWS))
    watched.stop_after = 9
    rewrite("in.jsonl", "out.jsonl", "--device", "cpu:0")
    assert watched.asked == 9
    watched.stop_after = None
    assert rewrite("in.jsonl", "out.jsonl")[0] == 0
    assert watched.asked == len(ROWS)


OTHER_ROWS = {
    "in another order": ROWS[::-1],
    "fewer": ROWS[:-1],
    "more": [*ROWS, ROWS[0]],
    "none": [],
    "one other": [*ROWS[:-1], {**ROWS[-1], "utterance": "why ?"}],
}


def write_table(path: str, rows: list[dict[str, Any]]) -> None:
    """Rows in the format that the extension names."""
    if path.endswith(".jsonl"):
        Path(path).write_text(lines_of(rows))
    elif path.endswith(".csv"):
        Path(path).write_text(as_csv(rows) if rows else "id,history,utterance,rewrite,weight\n")
    else:
        parquet.write_table(pyarrow.Table.from_pylist(rows, schema=pyarrow.Table.from_pylist(ROWS).schema), path)


@pytest.mark.parametrize("rows", OTHER_ROWS.values(), ids=OTHER_ROWS)
@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_a_file_that_is_replaced_meanwhile_is_refused_and_the_work_kept(
    rewrite: Files, watched: Watched, kind: str, rows: list[dict[str, Any]]
) -> None:
    write_table(f"in.{kind}", ROWS)
    write_table(f"other.{kind}", rows)
    Path(f"in.{kind}").replace(f"as-it-was.{kind}")
    Path(f"in.{kind}").write_bytes(Path(f"as-it-was.{kind}").read_bytes())
    watched.after = 7, lambda: Path(f"other.{kind}").replace(f"in.{kind}")
    status, printed, error = rewrite(f"in.{kind}", f"out.{kind}")
    assert (status, printed) == (2, "")
    assert error.startswith(f"error: in.{kind}: the file must stay the same while it is rewritten, but it was changed")
    assert not Path(f"out.{kind}").exists()
    watched.after = None
    Path(f"as-it-was.{kind}").replace(f"in.{kind}")
    assert rewrite(f"in.{kind}", f"out.{kind}")[0] == 0
    assert watched.asked == 0


def program(model: Path, *arguments: object) -> list[str]:
    return [*PROGRAM, "rewrite", "--model", str(model), *map(str, arguments)]


@pytest.mark.skipif(os.name == "nt", reason="processes are killed otherwise there")
def test_killed_at_any_moment_it_goes_on_to_the_same_result(tmp_path: Path, model_folder: Path) -> None:
    many = [{**row, "id": i} for i, row in enumerate(ROWS * 100)]
    (tmp_path / "in.jsonl").write_text(lines_of(many))
    command = program(model_folder, "--input", tmp_path / "in.jsonl", "--output", tmp_path / "out.jsonl")
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running:
        until = time.monotonic() + 60
        while not (part := list(tmp_path.glob(".out.jsonl.*.unfinished"))) or part[0].stat().st_size < 10_000:
            assert time.monotonic() < until
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
    assert not (tmp_path / "out.jsonl").exists()
    with part[0].open("ab") as file:
        file.write(b'{"row": "cut o')
    subprocess.run(command, check=True, capture_output=True)
    made = read_json((tmp_path / "out.jsonl").read_text())
    assert [row["id"] for row in made] == [row["id"] for row in many]
    assert [row["rewrite"] for row in made[: len(ROWS)]] * 100 == [row["rewrite"] for row in made]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"]


@pytest.mark.skipif(os.name == "nt", reason="has no ulimit")
@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_on_a_full_disk_what_was_answered_is_kept(tmp_path: Path, model_folder: Path, kind: str) -> None:
    (tmp_path / "in.jsonl").write_text(lines_of({**row, "note": "x" * 2000} for row in ROWS * 4))
    rows = pyarrow.Table.from_pylist([{**row, "note": os.urandom(2000).hex()} for row in ROWS * 4])
    parquet.write_table(rows, tmp_path / "in.parquet")
    command = program(model_folder, "--input", tmp_path / f"in.{kind}", "--output", tmp_path / f"out.{kind}")
    limited = ["bash", "-c", 'ulimit -f 40; exec "$@"', "bash", *command]  # blocks of 1,024 bytes
    result = subprocess.run(limited, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        f"error: {tmp_path / f'out.{kind}'}: cannot be written: File too large; check folder and disk\n"
    )
    (part,) = tmp_path.glob(f".out.{kind}.*.unfinished")
    assert part.read_text().count("\n") == len(ROWS) * 4
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    assert (tmp_path / f"out.{kind}").exists()


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
def test_a_reader_who_leaves_ends_it_quietly(tmp_path: Path, model_folder: Path) -> None:
    (tmp_path / "in.jsonl").write_text(lines_of(ROWS * 50))
    command = program(model_folder, "--input", tmp_path / "in.jsonl")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 1


def test_line_by_line_each_row_is_answered_before_the_next_comes(model_folder: Path) -> None:
    command = program(model_folder, "--input", "-", "--output", "-", "--line-buffered")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdin
        assert running.stdout
        for row in ROWS[:3]:
            running.stdin.write(json.dumps(row) + "\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["id"] == row["id"]
        running.stdin.close()
    assert running.returncode == 0


def test_memory_does_not_grow_with_the_file(
    rewrite: Files, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[int] = []
    real = Rewriter.rewrite_many

    def rewrite_many(this: Rewriter, dialogues: Iterable[Dialogue], **how: Any) -> Iterator[Rewrite]:
        read = 0

        def counted() -> Iterator[Dialogue]:
            nonlocal read
            for dialogue in dialogues:
                read += 1
                yield dialogue

        for done, result in enumerate(real(this, counted(), **how)):
            waiting.append(read - done)
            yield result

    monkeypatch.setattr(Rewriter, "rewrite_many", rewrite_many)
    Path("in.jsonl").write_text(lines_of(ROWS * 30))
    assert rewrite("in.jsonl", "out.jsonl")[0] == 0
    assert max(waiting) < len(ROWS) * 15
