"""A tagger that onnxruntime runs: the same answer every time, from every thread, with few words asked for spans."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import tiny
from tests.networks.exported import exported
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import ModelError
from utterly.model.decode import Decoder, ScoredScript
from utterly.model.encode import PieceEncoder
from utterly.model.folder import TAGGER_GRAPH
from utterly.model.onnx_scorer import Graph, OnnxScorer
from utterly.model.settings import DecodeSettings

DIALOGUES = [each.script.dialogue for each in tiny.labels()]
ENCODER = PieceEncoder(tiny.tokenizer(), max_length=64)
PIECES = [ENCODER.encode(dialogue) for dialogue in DIALOGUES]


@pytest.fixture(scope="module")
def folder(encoder_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    exported("hct", encoder_folder, folder)
    return folder


def answers(scorer: OnnxScorer, **settings: Any) -> list[list[ScoredScript]]:
    decoder = Decoder(tiny.BOOK, DecodeSettings(**settings))
    asked = zip(DIALOGUES, PIECES, strict=True)
    return [decoder.best(dialogue, pieces, scorer.read(pieces), 2) for dialogue, pieces in asked]


def test_answers_are_the_same_to_the_bit_with_every_number_of_threads(folder: Path) -> None:
    expected = answers(OnnxScorer(folder, threads=1))
    assert any(best[0].script.has_changes for best in expected)
    for threads in (None, 2, 3):
        scorer = OnnxScorer(folder, threads=threads)
        assert answers(scorer) == answers(scorer) == expected


def test_several_threads_may_ask_one_scorer(folder: Path) -> None:
    scorer = OnnxScorer(folder)
    expected = answers(scorer)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: answers(scorer), range(8))) == [expected] * 8


def spied(scorer: OnnxScorer, monkeypatch: pytest.MonkeyPatch) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """What goes into and comes out of the second graph."""
    calls: list[tuple[dict[str, Any], dict[str, Any]]] = []
    run = scorer._spans.run

    def kept(arrays: dict[str, Any]) -> dict[str, Any]:
        calls.append((arrays, run(arrays)))
        return calls[-1][1]

    monkeypatch.setattr(scorer._spans, "run", kept)
    return calls


def test_the_second_graph_is_not_run_where_nothing_wants_spans(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = OnnxScorer(folder)
    calls = spied(scorer, monkeypatch)
    answers(scorer, null_bias=-99.0)
    blank = Dialogue.of(["", " ", "where ?"])
    pieces = ENCODER.encode(blank)
    Decoder(tiny.BOOK, DecodeSettings(null_bias=50.0)).best(blank, pieces, scorer.read(pieces))
    assert calls == []


def test_the_second_graph_scores_as_many_slots_as_the_rules_have(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = OnnxScorer(folder)
    calls = spied(scorer, monkeypatch)
    answers(scorer, null_bias=2.0)
    assert {count for asked, _ in calls for count in asked["slots"].tolist()} == {1, 2}
    for asked, found in calls:
        slots = np.array(tiny.BOOK.slots)[asked["rule"]]
        assert (asked["slots"] == slots).all()
        assert [len(found[f"start_{slot}"]) for slot in (1, 2)] == [(slots >= 1).sum(), (slots >= 2).sum()]


def test_a_graph_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "graph.onnx").write_bytes(b"so")
    with pytest.raises(ModelError, match=r"graph\.onnx: onnxruntime cannot read this graph: .*; export the"):
        Graph(tmp_path / "graph.onnx")
    with pytest.raises(ModelError, match=r"nowhere\.onnx: onnxruntime cannot read"):
        Graph(tmp_path / "nowhere.onnx")


def test_a_graph_that_cannot_run_on_what_it_gets_says_so_in_one_line(folder: Path) -> None:
    with pytest.raises(ModelError, match=r"onnxruntime says: .*; export the model again") as raised:
        Graph(folder / TAGGER_GRAPH).run({"ids": np.zeros((1, 2, 3), dtype=np.int64)})
    assert "\n" not in str(raised.value)


def test_importing_it_does_not_import_what_runs_it() -> None:
    heavy = "{'onnxruntime', 'onnx', 'torch'}"
    program = f"import sys, utterly.model.onnx_scorer; sys.exit(', '.join({heavy} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""
