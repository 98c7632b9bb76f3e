"""Text to words in each mode."""

import subprocess
import sys

import pytest
from sacrebleu.metrics.bleu import BLEU

from utterly.errors import MetricsError
from utterly.metrics.words import Mode, bert_rejoined, splitting


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "Did Federer's \"coach\" say he didn't?", "did federer 's coach say he did n't ?"),
        ("en", 'the " Goon  Show "', "the goon show"),
        ("en", "", ""),
        ("zh", "PVC是什么，3.5元吗？", "pvc 是 什 么 ， 3.5 元 吗 ？"),
        ("zh", '他 说"MP3"', "他 说 mp3"),
    ],
)
def test_paper_words_are_lower_case_without_quotes(language: str, text: str, words: str) -> None:
    how = splitting("paper", language)
    assert how.hypothesis_words(text) == how.reference_words(text) == words.split()


@pytest.mark.parametrize(
    ("text", "rejoined"),
    [
        ("Federer's e-mail", "federer ' s e - mail"),
        ("Beyoncé didn't.", "beyonce didn ' t ."),
        ("他是MJ吗", "他 是 mj 吗"),
        ("", ""),
    ],
)
def test_the_published_path_cuts_at_every_punctuation_mark(text: str, rejoined: str) -> None:
    assert bert_rejoined(text) == rejoined


def test_the_published_path_is_taken_by_the_hypothesis_alone() -> None:
    how = splitting("published", "en")
    assert how.hypothesis_words("Federer's") == ["federer", "'", "s"]
    assert how.reference_words("Federer's") == ["federer", "'s"]


@pytest.mark.parametrize(("language", "tokenize"), [("en", "13a"), ("zh", "zh")])
def test_the_signature_is_sacrebleus_own(language: str, tokenize: str) -> None:
    metric = BLEU(tokenize=tokenize)
    metric.corpus_score(["a"], [["a"]])
    assert splitting(Mode.SACREBLEU, language).signature == str(metric.get_signature())


def test_an_unknown_mode_is_answered_with_the_known_ones() -> None:
    with pytest.raises(MetricsError, match=r"'papre'; known modes: paper, published, sacrebleu"):
        splitting("papre", "en")


def test_an_unknown_language_is_answered_with_the_known_ones() -> None:
    with pytest.raises(MetricsError, match=r"one of en, zh, got 'de'"):
        splitting("paper", "de")


def test_importing_and_chinese_scores_need_numpy_only() -> None:
    script = """
import sys
for heavy in ("nltk", "rouge", "sacrebleu", "spacy", "tokenizers", "torch"):
    sys.modules[heavy] = None
from utterly.metrics import evaluate
from utterly.metrics.bleu import corpus_bleu
assert evaluate(["徐晨是谁"], ["徐晨是谁"])["BLEU-4"].value == 100
try:
    evaluate(["who is he"], ["who is he"])
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "'spacy'" in done.stdout
    assert "utterly[metrics]" in done.stdout
