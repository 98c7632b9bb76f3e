"""The paper's tables by one command: made from scratch, continued after a kill, in pieces, and shown as Markdown."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from benchmarks.tables.__main__ import RUNS, main
from benchmarks.tables.declared import read_declared
from benchmarks.tables.figure import curves
from benchmarks.tables.making import Plan, Runs, Step
from benchmarks.tables.markdown import HOW_TO_READ, page
from benchmarks.tables.scores import METRICS

from tests import tiny
from utterly.dialogues.jsonl import write_jsonl
from utterly.metrics import Predictions, score_files

ROOT = Path(__file__).parent.parent.parent
ROWS = """
commands = [
    "utterly convert jsonl $DATA/tiny.jsonl {runs/tiny/all.jsonl}",
    "head -n 12 runs/tiny/all.jsonl | cat > {runs/tiny/test.jsonl}",
    "utterly label runs/tiny/all.jsonl {runs/tiny/labels.jsonl} --syntax none",
    "utterly rules runs/tiny/labels.jsonl {runs/tiny/rules.json} --size 3",
]
[2]
title = "tiny dialogues"
test = "runs/tiny/test.jsonl"
held = "runs/tiny/all.jsonl"
seeds = [3]
scores.paper = "--mode paper"
rows = [
    { name = "source", outputs = "runs/tiny/test.jsonl", field = "utterance" },
    { name = "Pro-Sub", ours = "tiny/pro-sub" },
    { name = "MST", ours = "tiny" },
]
[6]
title = "rules"
books.ours = "runs/tiny/rules.json"
"""
PRINTED = """
[2]
where = "Table 2"
columns = ["BLEU-1", "EM"]
rows.Pro-Sub = [60.4]
rows.MST = [66.6, 24.0]
[6]
where = "Table 6"
rules = ["_", "by _"]
"""
RECIPE = """
out = "runs/tiny"
data = { train = ["runs/tiny/labels.jsonl"], dev = "runs/tiny/test.jsonl", book = "runs/tiny/rules.json" }
tagger = { kind = "mst", encoder = "encoders/tiny", max_length = 64 }
training = { epochs = 6, batch_size = 8, learning_rate = 2e-3, device = "cpu", seed = 3, patience = 6 }
[variants.pro-sub]
tagger = { kind = "pro-sub", encoder = "" }
[variants.larger]
tagger.encoder = "encoders/large"
"""
SOURCE_ROW = "| source | | 71.18 | 0.00 [0.00, 0.00] |"  # 48 of 54 words, for 66
DATA_STEPS = [
    "+ utterly convert jsonl $DATA/tiny.jsonl runs/tiny/all.jsonl",
    "+ head -n 12 runs/tiny/all.jsonl | cat > runs/tiny/test.jsonl",
]


@pytest.fixture
def folder(tmp_path: Path, encoder_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place like the root of the repository, with one corpus, one recipe and two tables."""
    files = {"rows.toml": ROWS, "printed.toml": PRINTED, "recipes/tiny.toml": RECIPE}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "encoders").mkdir()
    (tmp_path / "encoders" / "tiny").symlink_to(encoder_folder)
    write_jsonl(tmp_path / "tiny.jsonl", (each.script.dialogue for each in tiny.labels()))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATA", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'src'}{os.pathsep}{ROOT}")
    return tmp_path


def tables(*arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "benchmarks.tables", "--declared", ".", "--runs", "kept", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def commands_in(progress: str) -> list[str]:
    return [line for line in progress.splitlines() if line.startswith("+ ")]


def test_a_table_is_made_from_scratch_continued_after_a_kill_and_shown(folder: Path) -> None:
    log = folder / "runs" / "tiny" / "log.jsonl"
    with tables("2") as first:
        while first.poll() is None and not (log.exists() and log.read_text()):
            time.sleep(0.05)
        assert first.poll() is None, first.communicate()[1]
        os.killpg(first.pid, signal.SIGKILL)
        progress = commands_in(first.communicate()[1])
    assert progress[:2] == DATA_STEPS
    assert progress[-1] == "+ utterly train recipes/tiny.toml --seed 3"
    assert (folder / "kept" / "tiny" / "tiny" / "pro-sub" / "seed-3.paper.json").exists()
    learned_before = log.read_text().splitlines()
    with tables("2") as again:
        table, errors = again.communicate()
    assert again.returncode == 0, errors
    kept = "kept/tiny/tiny/seed-3.jsonl.gz"
    assert commands_in(errors) == [
        "+ utterly train recipes/tiny.toml --seed 3",
        "+ utterly calibrate runs/tiny/model runs/tiny/all.jsonl",
        f"+ utterly rewrite --model runs/tiny/model --preset eager --input runs/tiny/test.jsonl --output {kept}",
        f"+ utterly evaluate --predictions {kept} --references runs/tiny/test.jsonl --mode paper --intervals --json",
    ]
    learned = log.read_text().splitlines()
    assert learned[: len(learned_before)] == learned_before  # training went on where it was
    pro_sub, mst = (
        score_files(folder / "runs/tiny/test.jsonl", Predictions(folder / f"{path}.jsonl.gz"), intervals=True).report
        for path in ("kept/tiny/tiny/pro-sub/seed-3", "kept/tiny/tiny/seed-3")
    )
    assert table == (
        "## Table 2: tiny dialogues\n\nPrinted: Table 2.\n\n`utterly evaluate --mode paper`:\n\n"
        "| | | BLEU-1 | EM |\n|---|---|---|---|\n"
        f"{SOURCE_ROW}\n"
        "| Pro-Sub | printed | 60.4 | |\n"
        f"| | ours, seed 3 | {pro_sub['BLEU-1'].value:.2f} | {pro_sub['EM'].value:.2f} {pro_sub['EM'].interval} |\n"
        "| MST | printed | 66.6 | 24.0 |\n"
        f"| | ours, tiny, seed 3 | {mst['BLEU-1'].value:.2f} | {mst['EM'].value:.2f} {mst['EM'].interval} |\n\n"
        f"Settings: `{mst['EM'].settings}`.\n\n"
        f"{HOW_TO_READ}\n"
    )
    with tables("2", "--plan") as plan:
        assert plan.communicate()[0] == "\n"  # nothing is left to do


def test_what_is_missing_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ROWS.replace('ours = "tiny" }', 'ours = "tiny/larger", seeds = [0, 1] }')
    (folder / "rows.toml").write_text(rows)
    (folder / "tiny.jsonl").unlink()
    options = ["2", "--declared", ".", "--runs", "kept"]
    assert main([*options, "--show"]) == 0
    shown, _ = capsys.readouterr()
    assert "| | ours: missing | | |\n" in shown
    assert shown.split("Missing:\n\n")[1].splitlines()[:3] == [
        "- source: needs $DATA/tiny.jsonl",
        "- tiny/pro-sub, seed 3: needs $DATA/tiny.jsonl",
        "- tiny/larger, large, seeds 0, 1: needs $DATA/tiny.jsonl, encoders/large",
    ]
    assert main(options) == 1
    _, errors = capsys.readouterr()
    assert errors.splitlines() == [
        "source: missing $DATA/tiny.jsonl",
        "tiny/pro-sub, seed 3: missing $DATA/tiny.jsonl",
        "tiny/larger, seed 0: missing $DATA/tiny.jsonl, encoders/large",
        "tiny/larger, seed 1: missing $DATA/tiny.jsonl, encoders/large",
    ]


def keep(path: Path, **figures: Sequence[float]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"settings": {"EM": "mode:paper"}, "rules": 24, "scores": {"": figures}}))


def test_figures_of_several_seeds_are_means_with_their_spread(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "rows.toml").write_text(ROWS.replace("seeds = [3]", "seeds = [3, 4, 5]"))
    (folder / "printed.toml").write_text(PRINTED.replace('"EM"]', '"EM", "rules", "music EM"]'))
    keep(folder / "kept/tiny/tiny/seed-3.paper.json", **{"BLEU-1": [60, 50, 70], "EM": [20, 10, 30]})
    keep(folder / "kept/tiny/tiny/seed-5.paper.json", **{"BLEU-1": [61, 50, 70], "EM": [22, 11, 33]})
    assert main(["2", "--show", "--declared", ".", "--runs", "kept"]) == 0
    shown, _ = capsys.readouterr()
    assert "| | ours, tiny, seeds 3, 5 | 60.50 | 21.00 ± 1.41 [10.50, 31.50] | 24 | |\n" in shown
    assert "- tiny, tiny, seed 4: `--plan` prints the commands\n" in shown


def test_a_piece_can_be_made_alone_and_its_scores_are_enough(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--make", "source", "--declared", ".", "--runs", "kept"]) == 0
    shown, errors = capfd.readouterr()
    assert shown == ""
    assert commands_in(errors)[:2] == DATA_STEPS
    assert (folder / "kept/tiny/utterance.paper.json").exists()
    for path in (folder / "runs/tiny").iterdir():
        path.unlink()
    assert main(["2", "--show", "--declared", ".", "--runs", "kept"]) == 0
    shown, _ = capfd.readouterr()
    assert SOURCE_ROW in shown
    (folder / "runs/tiny/test.jsonl").touch()  # newer than its scores
    assert main(["--plan", "--make", "source", "--declared", ".", "--runs", "kept"]) == 0
    assert capfd.readouterr().out.startswith("utterly evaluate --predictions runs/tiny/test.jsonl --field utterance")


def test_a_failed_command_is_said_and_others_go_on(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "tiny.jsonl").write_text("{}\n")
    assert main(["2", "6", "--declared", ".", "--runs", "kept"]) == 1
    shown, errors = capfd.readouterr()
    assert errors.count("failed with status 2; run this again to continue") == 4
    assert "tiny/pro-sub, seed 3: failed with status 2" in errors
    assert "- ours: missing, runs/tiny/rules.json" in shown
    assert not (folder / "runs/tiny/test.jsonl").exists()


def test_half_a_file_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    step = Step(("made.txt",), (), ("cat here.txt nowhere.txt | head > made.txt",))
    Path("here.txt").write_text("a part\n")
    with pytest.raises(subprocess.CalledProcessError):
        Plan({}, [], [step]).carry_out()
    assert not Path("made.txt").exists()
    Path("nowhere.txt").write_text("the rest\n")
    Plan({}, [], [step]).carry_out()
    assert Path("made.txt").read_text() == "a part\nthe rest\n"


def test_a_gpu_is_named_in_the_commands_that_take_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--make", "tiny", "--plan", "--device", "cuda", "--declared", ".", "--runs", "kept"]) == 0
    commands = capsys.readouterr().out.splitlines()
    assert [each.split()[1] for each in commands if each.endswith(" --device cuda")] == ["calibrate", "rewrite"]


def test_an_unknown_table_or_row_is_refused_with_those_there_are(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, problem in (
        (["9"], "no table '9'; there are: 2, 6"),
        (["--make", "hct"], "no row 'hct'; there are: source, tiny, tiny/pro-sub"),
    ):
        with pytest.raises(SystemExit):
            main([*arguments, "--declared", "."])
        assert problem in capsys.readouterr().err


def test_rules_stand_beside_the_papers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = folder / "kept/books/table-6-ours.json"
    book.parent.mkdir(parents=True)
    book.write_text('{"_": 1200, "besides _": 30}')
    assert main(["6", "--show", "--declared", ".", "--runs", "kept"]) == 0
    assert capsys.readouterr().out == (
        "## Table 6: rules\n\nPrinted: Table 6.\n\n"
        "| the paper's rules | ours |\n|---|---|\n| `_` | 1,200 |\n| `by _` | |\n\n"
        f"- ours: 2 rules, 1 of the paper's 2; the others: `besides _` 30\n\n{HOW_TO_READ}\n"
    )


def test_figure_4_is_drawn_from_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    keep(tmp_path / "kept/canard/canard/book-0.0075/seed-0.published.json", EM=[23.5, 22, 25])
    declared = read_declared()
    found = curves(declared.tables["figure4"], Runs(declared, tmp_path / "kept"))
    assert found["printed"][2] == (0.75, 24.0, 19)
    assert found["ours"] == [(0.75, 23.5, 24.0)]
    picture = tmp_path / "figure4.png"
    assert main(["figure4", "--show", "--runs", str(tmp_path / "kept"), "--picture", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG\r\n")


def test_what_is_declared_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    declared = read_declared()
    assert declared.names == ["2", "3", "4", "5", "6", "7", "8", "figure4"]
    runs = Runs(declared, Path("kept"))
    calibrated: dict[str, bool] = {}
    for table in declared.tables.values():
        assert {column.split()[-1] for column in table.columns} <= {*METRICS, "rules"}
        assert {*table.printed} <= {row.name for row in table.rows}
        needed = {path for _, run in runs.all([table]) for path in (*run.needs, run.test)} | {*table.books.values()}
        assert {path for path in needed if path.startswith("runs/")} <= {*runs.steps}, table.key
        for _, run in runs.all([table]):
            assert calibrated.setdefault(run.model, len(run.training) > 1) == (len(run.training) > 1), run.name


def test_files_are_made_as_the_recipes_say() -> None:
    readme = re.sub(r"\s+", " ", (ROOT / "recipes" / "README.md").read_text("utf-8"))
    for command in read_declared().commands:
        text = re.sub(r"[{}]| # .*", "", command)
        assert text in readme or re.search(r"--threshold 0\.0", text), text


def test_the_page_shows_the_scores_that_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    declared, text = read_declared(), Path("benchmarks/tables.md").read_text("utf-8")
    assert "## Figure 4" in text
    assert text == page(text, declared.tables.values(), Runs(declared, RUNS)), (
        "run `python -m benchmarks.tables --show --page benchmarks/tables.md`"
    )
