"""`evaluate`: whole reports from text."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import corpus_bleu
from rouge import Rouge
from sacrebleu.metrics.bleu import BLEU

from utterly.errors import MetricsError
from utterly.metrics import Mode, Report, evaluate

SOURCES = ["Is he Swiss?", "How many slams did he win?", "What was the band's first album called?", "Why?"]
PREDICTIONS = [
    "Is Federer Swiss?",
    "How many slams did Roger Federer win?",
    "What was Queen's first album called?",
    "Why did Federer retire?",
]
REFERENCES = [
    "Is Roger Federer Swiss?",
    "How many slams did Roger Federer win?",
    "What was the band Queen's first album called?",
    "Why did Roger Federer retire in 2022?",
]


def whole_report(mode: Mode | str = Mode.PAPER, seed: int | None = None) -> Report:
    return evaluate(
        PREDICTIONS,
        REFERENCES,
        sources=SOURCES,
        domains=["sport", "sport", "music", "sport"],
        mode=mode,
        rng=None if seed is None else np.random.default_rng(seed),
    )


def test_a_report_has_every_metric_overall_and_by_domain() -> None:
    report = whole_report()
    names = [f"BLEU-{order}" for order in (1, 2, 3, 4)] + ["ROUGE-1", "ROUGE-2", "ROUGE-L", "EM"]
    names += [f"restoration-{letter}{order}" for order in (1, 2, 3) for letter in "PRF"]
    assert list(report.overall) == names
    assert list(report.domains) == ["sport", "music"]
    assert all(list(scores) == names for scores in report.domains.values())
    assert report.domains["sport"]["EM"].settings.n == 3


def test_a_domain_scores_as_if_it_were_alone() -> None:
    sport = [0, 1, 3]
    alone = evaluate([PREDICTIONS[row] for row in sport], [REFERENCES[row] for row in sport])
    for name, score in alone.overall.items():
        assert whole_report().domains["sport"][name] == score


def test_paper_scores_of_text_are_those_of_the_packages_on_its_words() -> None:
    words = {
        "Is Federer Swiss?": "is federer swiss ?",
        "Is Roger Federer Swiss?": "is roger federer swiss ?",
        "What was Queen's first album called?": "what was queen 's first album called ?",
        "What was the band Queen's first album called?": "what was the band queen 's first album called ?",
    }
    hypotheses, references = list(words)[::2], list(words)[1::2]
    report = evaluate(hypotheses, references)
    theirs = corpus_bleu([[words[text].split()] for text in references], [words[text].split() for text in hypotheses])
    assert report["BLEU-4"].value == pytest.approx(100 * theirs)
    rouge = Rouge().get_scores([words[text] for text in hypotheses], [words[text] for text in references], avg=True)
    assert report["ROUGE-L"].value == pytest.approx(100 * rouge["rouge-l"]["f"], abs=1e-5)


def test_sacrebleu_scores_are_those_of_sacrebleu() -> None:
    report = whole_report(Mode.SACREBLEU)
    for order in (1, 2, 3, 4):
        theirs = BLEU(max_ngram_order=order).corpus_score(PREDICTIONS, [REFERENCES])
        assert report[f"BLEU-{order}"].value == pytest.approx(theirs.score)


def test_chinese_sacrebleu_scores_are_those_of_sacrebleu() -> None:
    predictions, references = ["徐晨是谁", "PVC是什么啊"], ["那么徐晨是谁", "PVC是聚氯乙烯啊"]
    report = evaluate(predictions, references, mode="sacrebleu")
    theirs = BLEU(tokenize="zh").corpus_score(predictions, [references])
    assert report["BLEU-4"].value == pytest.approx(theirs.score)
    assert report.language == "zh"


def test_a_score_says_how_it_was_made() -> None:
    report = whole_report()
    assert str(report["EM"]) == "EM 25.00"
    bleu = report["BLEU-4"].settings
    assert str(bleu) == f"mode:paper|order:4|words:{bleu.words}|case:lower|smooth:none|n:4"
    assert bleu.words.startswith("spacy-3.8.")
    assert "variant:rouge-1.0.1" in str(report["ROUGE-L"].settings)


@pytest.mark.parametrize("mode", [Mode.PAPER, Mode.SACREBLEU])
def test_references_against_themselves_score_100(mode: Mode) -> None:
    report = evaluate(REFERENCES, REFERENCES, sources=SOURCES, mode=mode)
    assert all(score.value == pytest.approx(100) for score in report.overall.values())


def test_the_published_path_takes_points_from_a_perfect_rewrite() -> None:
    text = ["What was Queen's first album called?"]
    assert evaluate(text, text, mode="paper")["BLEU-4"].value == pytest.approx(100)
    assert evaluate(text, text, mode="published")["BLEU-4"].value < 80
    assert evaluate(text, text, mode="published")["EM"].value == 0


@given(st.lists(st.text(max_size=20), min_size=1, max_size=4), st.sampled_from([*Mode]))
def test_any_text_can_be_scored(texts: list[str], mode: Mode) -> None:
    report = evaluate(texts[::-1], texts, sources=texts, language="en", mode=mode)
    assert all(0 <= score.value <= 100.000001 for score in report.overall.values())


@pytest.mark.parametrize(
    ("prediction", "reference", "exact"), [("", "Is he Swiss?", 0), ("Is he Swiss?", "", 0), ("", "", 100)]
)
def test_a_side_without_words_scores_zero_and_two_are_an_exact_match(
    prediction: str, reference: str, exact: float
) -> None:
    report = evaluate([prediction], [reference])
    assert report["EM"].value == exact
    assert report["BLEU-4"].value == report["ROUGE-1"].value == 0


def test_intervals_lie_around_the_score_and_depend_on_the_generator_alone() -> None:
    report = whole_report(seed=7)
    for score in report.overall.values():
        assert score.interval is not None
        assert score.interval.low <= score.value <= score.interval.high
    assert report == whole_report(seed=7)
    assert report != whole_report(seed=8)
    assert str(report["EM"]) == "EM 25.00 [0.00, 75.00]"


def test_a_report_goes_into_json() -> None:
    plain = json.loads(json.dumps(whole_report("sacrebleu", seed=1).to_dict()))
    assert plain["mode"] == "sacrebleu"
    assert plain["signature"].startswith("nrefs:1|")
    assert plain["overall"]["EM"]["value"] == 25
    assert plain["overall"]["EM"]["settings"].endswith("n:4")
    assert set(plain["domains"]["music"]["BLEU-4"]["interval"]) == {"low", "high", "level"}


def test_an_unknown_score_is_answered_with_the_known_ones() -> None:
    with pytest.raises(MetricsError, match=r"no score called 'METEOR' .* BLEU-1, .*EM"):
        evaluate(["a"], ["a"])["METEOR"]


@pytest.mark.parametrize(
    ("predictions", "references", "more", "words"),
    [
        (["a"], ["a", "b"], {}, "1 predictions and 2 references"),
        (["a", "b"], ["a"], {}, "2 predictions and 1 references"),
        (["a"], ["a"], {"sources": []}, "0 sources and 1 references"),
        (["a"], ["a"], {"domains": ["x", "y"]}, "2 domains and 1 references"),
        ([], [], {}, "at least one pair"),
        ("a", ["a"], {}, "predictions must be a list"),
        ([None], ["a"], {}, "number 1 is NoneType; use an empty string"),
    ],
)
def test_lists_that_do_not_fit_are_refused_with_their_counts(
    predictions: list[str], references: list[str], more: dict[str, list[str]], words: str
) -> None:
    with pytest.raises(MetricsError, match=words):
        evaluate(predictions, references, **more)  # type: ignore[arg-type]


def test_resampling_needs_a_trial() -> None:
    with pytest.raises(MetricsError, match=r"must be at least 1, got 0"):
        evaluate(["a"], ["a"], rng=np.random.default_rng(0), resamples=0)
