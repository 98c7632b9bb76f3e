"""Oracles, and how they hang on the threshold."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import FileError, LabelError, MissingExtraError, RuleBookError
from utterly.labels.extract import LabelExtractor
from utterly.labels.labels import Labels
from utterly.labels.syntax import load_syntax
from utterly.rules.cluster import cluster_rules
from utterly.rules.oracle import oracle
from utterly.rules.sweep import draw_sweep, parse_thresholds, sweep
from utterly.scripts.edits import EditScript, Rule

PNG = b"\x89PNG\r\n\x1a\n"
COUNTS = Counter({Rule.parse("_"): 90, Rule.parse("besides _"): 8, Rule.parse("by _"): 2})
CLUSTERS = cluster_rules(COUNTS)


def labelled(*dialogues: Dialogue) -> list[Labels]:
    return LabelExtractor(load_syntax("none")).extract(dialogues)


LABELS = labelled(
    Dialogue.of(["He hurt his back.", "Any other injuries?"], "Any other injuries besides his back?"),
    Dialogue.of(["Federer won.", "Why did he win?"], "Why did Federer win?"),
)


def test_the_oracle_scores_what_the_scripts_give() -> None:
    report = oracle(LABELS)
    assert report["EM"].value == 100
    assert str(report.mode) == "paper"
    unchanged = [Labels(EditScript.unchanged(each.script.dialogue), ((),) * len(each.mentions)) for each in LABELS]
    assert oracle(unchanged)["EM"].value == 0


def test_the_language_of_the_dialogues_decides_what_words_are() -> None:
    chinese = labelled(Dialogue.of(["他 去 哪里", "不 知道"], "他 不 知道", language="zh"))
    assert "words:characters" in str(oracle(chinese)["BLEU-4"].settings)


def test_an_oracle_needs_targets() -> None:
    script = EditScript.unchanged(Dialogue.of(["why"], id="d1"))
    with pytest.raises(LabelError, match="needs the target of each dialogue, but 'd1' has none; give its rewrite"):
        oracle([Labels(script, ((), ()))])


def test_a_higher_threshold_leaves_fewer_rules_and_lower_scores() -> None:
    points = list(sweep(CLUSTERS, COUNTS, (0.02, 0.08, 0.5), max_slots=1, oracle_labels=LABELS))
    assert [point.rules for point in points] == [3, 2, 1]
    assert [point.scores["EM"].value for point in points if point.scores] == [100, 100, 50]
    assert [point.scores for point in sweep(CLUSTERS, COUNTS, (0.02,))] == [None]


@pytest.mark.parametrize("oracle_labels", [LABELS, None], ids=["with an oracle", "without"])
def test_a_sweep_is_drawn_as_a_picture(oracle_labels: list[Labels] | None, tmp_path: Path) -> None:
    path = tmp_path / "sweep.png"
    draw_sweep(list(sweep(CLUSTERS, COUNTS, (0.02, 0.5), oracle_labels=oracle_labels)), path)
    assert path.read_bytes().startswith(PNG)
    assert [each.name for each in tmp_path.iterdir()] == ["sweep.png"]


def test_a_picture_that_cannot_be_written_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"nowhere/sweep.png: cannot be written: No such file or directory; check"):
        draw_sweep(list(sweep(CLUSTERS, COUNTS, (0.02,))), tmp_path / "nowhere" / "sweep.png")


def test_without_matplotlib_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"package 'matplotlib'.*pip install 'utterly\[labels\]'"):
        draw_sweep([], tmp_path / "sweep.png")


@pytest.mark.parametrize("text", ["", "0.005;0.01", "a,b"])
def test_thresholds_are_numbers_apart_by_commas(text: str) -> None:
    with pytest.raises(RuleBookError, match=r"must be numbers apart by commas, but .* came; write them as"):
        parse_thresholds(text)
