"""The retrieval benchmark, on three hand-written sets in the formats of the real ones."""

import gzip
import json
import string
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks.retrieval import systems
from benchmarks.retrieval.__main__ import main
from benchmarks.retrieval.condense import condense
from benchmarks.retrieval.dense import Dense, VectorCache, Vectors
from benchmarks.retrieval.measures import (
    Comparison,
    Estimate,
    Floats,
    ndcg_at_5,
    recall_at_10,
    reciprocal_rank,
    resampled,
)
from benchmarks.retrieval.retrievers import BM25, fused
from benchmarks.retrieval.searches import Searches
from benchmarks.retrieval.sets import Bench, read_bench
from benchmarks.retrieval.systems import System
from benchmarks.retrieval.table import show

from utterly.model.folder import find_book

KETTLE = "A copper kettle boils two litres of water in four minutes on a gas stove."
MOSS = "Moss grows on the northern side of old walls, where shade keeps it damp."
FERN = "Ferns spread by spores, which ripen under the leaves in late summer."
FILES: dict[str, list[dict[str, object]]] = {
    "cast2021": [
        {
            "id": "c_1",
            "history": [],
            "utterance": "Tell me about moss.",
            "rewrite": "Tell me about moss.",
            "answer": MOSS,
        },
        {
            "id": "c_2",
            "history": ["Tell me about moss.", MOSS],
            "utterance": "And the other plants?",
            "rewrite": "How do ferns spread their spores?",
            "answer": FERN,
        },
        {"id": "c_3", "history": [], "utterance": "No answer known.", "rewrite": "No answer known."},
    ],
    "ikat2023_test": [
        {
            "id": "i_1",
            "history": ["I bought a copper kettle.", "Lovely."],
            "utterance": "How fast is it?",
            "rewrite": "How fast does a copper kettle boil water?",
            "answer": KETTLE,
        },
        {
            "id": "i_2",
            "history": [],
            "utterance": "What suits me?",
            "rewrite": "What suits a gardener?",
            "answer": "Boots.",
            "needs_persona": True,
        },
    ],
    "ikat2023_peers": [{"id": "i_1", "big": "copper kettle speed"}, {"id": "i_2", "big": "boots"}],
    "mtrag_dev": [
        {
            "id": "m_1",
            "domain": "cloud",
            "history": ["What is a bucket?", "A place for files."],
            "utterance": "Can I change it later?",
            "llm_rewrite": "Can I rename a bucket?",
            "relevant": ["p2"],
        },
        {"id": "m_2", "domain": "cloud", "history": [], "utterance": "Thanks!", "llm_rewrite": None, "relevant": []},
    ],
    "mtrag_pool": [
        {"id": "p1", "domain": "cloud", "text": "Keys are rotated every month."},
        {"id": "p2", "domain": "cloud", "text": "A bucket cannot be renamed after it was made."},
        {"id": "p3", "domain": "fiqa", "text": "Interest is paid once a year."},
    ],
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "wild").mkdir()
    for name, rows in FILES.items():
        with gzip.open(folder / "wild" / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    return folder


@pytest.fixture(scope="module")
def bench(data: Path) -> Bench:
    return read_bench(data)


@pytest.fixture(scope="module")
def searches(bench: Bench) -> Searches:
    return Searches(bench, {name: BM25(list(pool.values())) for name, pool in bench.pools.items()})


def test_turns_without_a_known_passage_or_with_facts_from_outside_are_left_out(bench: Bench) -> None:
    assert [[turn.id for turn in each.turns] for each in bench.sets] == [["c_1", "c_2"], ["i_1"], ["m_1"]]


def test_answers_are_searched_among_all_answers_and_passages_mtrag_in_its_domain(bench: Bench) -> None:
    texts = {name: list(pool.values()) for name, pool in bench.pools.items()}
    assert sorted(texts) == ["answers", "cloud", "fiqa"]
    assert {MOSS, FERN, KETTLE, "Boots.", "Keys are rotated every month."} < set(texts["answers"])
    assert len(texts["cloud"]) == 2


def test_the_same_answer_to_two_turns_is_one_passage(bench: Bench) -> None:
    assert len(set(bench.pools["answers"].values())) == len(bench.pools["answers"])


@pytest.mark.parametrize(
    ("scores", "relevant", "expected"),
    [
        ([3, 2, 1], [0], 1),
        ([3, 2, 1], [2], 1 / 3),
        ([3, 2, 1], [1, 2], 1 / 2),
        ([2, 2, 1], [0], 1 / 2),  # another passage scores the same
        ([2, 2, 1], [0, 1], 1),  # both are relevant
        ([1, 0, 0], [1], 0),
    ],
)
def test_the_reciprocal_rank_counts_equal_scores_against_the_passage(
    scores: list[float], relevant: list[int], expected: float
) -> None:
    assert reciprocal_rank(np.array(scores, dtype=float), relevant) == expected


def test_ndcg_is_1_only_if_the_relevant_passages_come_first() -> None:
    scores = np.arange(10, 0, -1.0)
    assert ndcg_at_5(scores, [0, 1]) == 1
    assert ndcg_at_5(scores, list(range(7))) == 1  # more than five are relevant
    assert ndcg_at_5(scores, [1]) == pytest.approx(1 / np.log2(3))
    assert ndcg_at_5(scores, [5]) == 0


def test_recall_counts_only_passages_that_score_at_all() -> None:
    assert recall_at_10(np.array([2.0, 1, 0, 0]), [1, 3]) == 0.5


def closed(scores: Floats, raw: Floats, reference: Floats) -> Estimate | None:
    weights = resampled(["a", "a", "b"], np.random.default_rng(1))
    shares = Comparison(scores, raw, reference, weights).closed
    return None if shares is None else Estimate.of(shares)


def test_the_share_closed_is_0_for_raw_turns_and_1_for_references() -> None:
    raw, reference = np.array([0.1, 0.5, 0.2]), np.array([0.9, 0.4, 1.0])
    assert closed(raw, raw, reference) == Estimate(0, 0, 0)
    half, whole = closed((raw + reference) / 2, raw, reference), closed(reference, raw, reference)
    assert whole
    assert whole.value == pytest.approx(1)
    assert str(half) == "50 (50 to 50)"


def test_an_interval_holds_95_of_100_resamples_whatever_the_value_is() -> None:
    estimate = Estimate.of(np.array([7.0, *range(101)]))
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((7, 2.5, 97.5))


@pytest.mark.parametrize("reference", [[0.5, 0.5, 0.5], [0.9, 0.9, 0.2]])  # the same; better in one dialogue only
def test_there_is_no_share_if_the_reference_does_not_clearly_beat_the_raw_turn(reference: list[float]) -> None:
    raw = np.array([0.5, 0.5, 0.5])
    assert closed(raw, raw, np.array(reference)) is None


def test_better_and_worse_are_shares_of_turns() -> None:
    raw = np.array([0.5, 0.5, 0.5, 0.5])
    comparison = Comparison(np.array([0.6, 0.5, 0.4, 0.3]), raw, raw + 0.1, np.ones((1, 4)))
    assert (comparison.better, comparison.worse) == (0.25, 0.5)


def test_turns_of_a_dialogue_are_drawn_together() -> None:
    weights = resampled(["a", "b", "a", "c"], np.random.default_rng(1))
    assert (weights[0] == 1).all()
    assert (weights[:, 0] == weights[:, 2]).all()
    assert (weights[:, 0] != weights[:, 1]).any()


def test_bm25_matches_stems_and_gives_nothing_for_words_it_does_not_know() -> None:
    index = BM25([KETTLE, MOSS, FERN])
    assert index.scores("growing mosses").argmax() == 1
    assert index.scores("the zeppelin").tolist() == [0, 0, 0]


def test_fused_rankings_put_first_what_both_rank_high() -> None:
    assert fused([np.array([3.0, 2, 0]), np.array([0.0, 2, 3])]).argmax() == 1
    alone = np.array([3.0, 2, 0])
    assert fused([alone]) is alone


def test_a_rewrite_that_names_its_topic_is_better_than_the_raw_turn(bench: Bench, searches: Searches) -> None:
    _, ikat, mtrag = bench.sets
    assert searches.compare(systems.reference(bench.turns), ikat).better == 1
    assert searches.compare(systems.reference(bench.turns), mtrag).mean == 1
    assert searches.compare(systems.with_previous(bench.turns), ikat).better == 1


def test_the_previous_question_is_the_asker_s_not_the_answer(bench: Bench) -> None:
    queries = systems.with_previous(bench.turns).queries
    assert queries["c_1"] == ("Tell me about moss.",)
    assert queries["c_2"] == ("Tell me about moss. And the other plants?",)


def test_a_file_of_rewrites_may_leave_out_sets_and_first_turns(bench: Bench, tmp_path: Path) -> None:
    file = tmp_path / "rewrites.jsonl"
    file.write_text('{"id": "c_2", "rewrite": ["And ferns?", "fern spores"]}\n', encoding="utf-8")
    system = systems.rewrites_file("mine", file)
    assert [system.covers(each) for each in bench.sets] == [True, False, False]
    assert [system.asks(turn) for turn in bench.sets[0].turns] == [
        ("Tell me about moss.",),
        ("And ferns?", "fern spores"),
    ]


def test_a_system_with_only_some_follow_up_turns_of_a_set_is_refused(bench: Bench) -> None:
    first, second = bench.sets[0].turns
    cast = replace(bench.sets[0], turns=(first, second, replace(second, id="c_9")))
    with pytest.raises(
        ValueError, match=r"mine must have all 2 follow-up turns of CAsT 2021 .* 1 are missing, c_9 first"
    ):
        System("mine", {"c_2": ("fern spores",)}).covers(cast)


def test_a_rewrite_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rewrites.jsonl"
    file.write_text('{"id": "c_2", "rewrite": null}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="c_2: rewrite must be a string or a list of strings, got None"):
        systems.rewrites_file("mine", file)


def test_the_table_has_a_row_for_each_system_and_dashes_for_sets_it_does_not_cover(
    bench: Bench, searches: Searches, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [systems.raw(bench.turns), *systems.peers(bench.peers), systems.reference(bench.turns)]
    show("BM25", searches, rows, base="raw turn")
    title, _, raw, big, reference, _, settings, _ = capsys.readouterr().out.split("\n")[:8]
    assert title.startswith("| BM25 | CAsT 2021, MRR | closed, % | better / worse, % | iKAT 2023, MRR")
    assert raw.startswith("| raw turn |")
    assert raw.endswith("| 0 (0 to 0) | – |")
    assert big.startswith("| big | – | – | – | ")
    assert big.endswith("| – | – | – | – | – |")
    assert reference.endswith("| 100 (100 to 100) | 100 (100 to 100) |")
    assert settings.startswith("turns: CAsT 2021 2, iKAT 2023 1, MTRAG dev 1; passages: answers 7, cloud 2, fiqa 1;")


def test_a_set_without_a_gap_to_close_is_named_and_left_out_of_the_mean(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    cast, ikat, mtrag = bench.sets
    ikat = replace(ikat, turns=tuple(replace(turn, reference=turn.source) for turn in ikat.turns))
    same = replace(bench, sets=(cast, ikat, mtrag))
    searches = Searches(same, {name: BM25(list(pool.values())) for name, pool in bench.pools.items()})
    show("BM25", searches, [systems.reference(same.turns)], base=systems.reference(same.turns).name)
    out = capsys.readouterr().out
    assert out.count("100 (100 to 100)") == 3  # two sets and the mean
    assert "iKAT 2023 has no share and is not in the mean" in out


def test_gold_scripts_say_the_reference_in_rules_and_words_of_the_dialogue(bench: Bench) -> None:
    gold = systems.gold_scripts(bench.turns, find_book("en"))
    assert gold.name == "gold scripts, 24 rules"
    assert gold.queries["c_1"] == ("Tell me about moss.",)
    assert "bucket" in gold.queries["m_1"][0]


def test_a_model_s_rewrites_stay_out_below_a_confidence(bench: Bench) -> None:
    rewrites, search, fused, none, *_ = systems.rewriter("ours", "en", bench.turns, [1.0])
    assert (rewrites.name, none.name) == ("ours", "ours, confidence ≥ 1")
    assert rewrites.queries["m_1"] != none.queries["m_1"] == ("Can I change it later?",)
    assert (search.name, fused.name) == ("ours, search form", "ours, both fused")
    for turn, queries in rewrites.queries.items():
        assert fused.queries[turn] == queries + search.queries[turn]
        assert search.queries[turn][0].startswith(queries[0])


def test_a_thinned_bench_keeps_what_answers_a_turn(bench: Bench) -> None:
    thin = bench.thinned(100)
    assert thin.sets == bench.sets
    assert set(thin.pools["cloud"]) == {"p2"}
    assert {MOSS, FERN, KETTLE} < set(thin.pools["answers"].values())
    assert bench.thinned(1) == bench


class LetterCounts:
    """An encoder anyone can check: how often each letter comes."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        counts = np.array([[text.count(letter) for letter in string.ascii_lowercase] for text in texts], dtype=float)
        vectors: Vectors = (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)
        return vectors


def test_vectors_are_made_once_and_kept_for_the_next_run(tmp_path: Path) -> None:
    first, second = LetterCounts(), LetterCounts()
    VectorCache(first, tmp_path / "kept" / "letters.npz").encode_all(["abc", "xyz", "abc"])
    vectors = VectorCache(second, tmp_path / "kept" / "letters.npz")
    vectors.encode_all(["abc", "xyz", "new"])
    assert (sorted(first.asked), second.asked) == (["abc", "xyz"], ["new"])
    np.testing.assert_allclose(vectors.of(["abc"]), LetterCounts().encode(["abc"]), atol=1e-3)


def test_dense_scores_rank_by_cosine_and_are_above_0(tmp_path: Path) -> None:
    vectors = VectorCache(LetterCounts(), tmp_path / "letters.npz")
    vectors.encode_all(["abc", "abx", "xyz", "abcc"])
    scores = Dense(["xyz", "abx", "abc"], vectors).scores("abcc")
    assert scores.argsort().tolist() == [0, 1, 2]
    assert scores[0] == 1


def test_a_language_model_is_asked_once_about_each_turn_with_history(bench: Bench, tmp_path: Path) -> None:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return "a rewrite"

    out = tmp_path / "runs" / "llm.jsonl"
    assert list(condense(bench.turns, ask, out)) == ["Tell me about moss.", *["a rewrite"] * 3]
    assert list(condense(bench.turns, ask, out)) == []
    assert len(asked) == 3
    assert f"Human: Tell me about moss.\nAssistant: {MOSS}\nFollow Up Input: And the other plants?" in asked[0]
    assert systems.rewrites_file("llm", out).covers(bench.sets[2])


def test_one_command_measures_models_and_files_of_rewrites_side_by_side(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrites, details = tmp_path / "rewrites.jsonl", tmp_path / "details.jsonl"
    rewrites.write_text('{"id": "m_1", "rewrite": "rename a bucket"}\n', encoding="utf-8")
    main(["--data", str(data), "--model", "ours=en", "--rewrites", f"mine={rewrites}", "--details", str(details)])
    rows = [line.split(" | ")[0] for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert rows == [
        "| BM25",
        "| raw turn",
        "| previous question + turn",
        "| ours",
        "| ours, search form",
        "| ours, both fused",
        "| mine",
        "| big",
        "| reference: human, MTRAG a language model",
        "| gold scripts, 24 rules",
    ]
    searches = [json.loads(line) for line in details.read_text(encoding="utf-8").splitlines()]
    assert [
        (search["id"], search["queries"], search["score"]) for search in searches if search["system"] == "mine"
    ] == [("m_1", ["rename a bucket"], 1)]
