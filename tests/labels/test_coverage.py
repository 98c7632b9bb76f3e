"""The coverage report, counted by hand."""

from collections import Counter

from tests.labels.test_extract import FEDERER, PUPPY, Lemmas, label
from utterly.dialogues.dialogue import Dialogue
from utterly.labels.coverage import Coverage, MadeOf
from utterly.labels.labels import Labels

ALREADY_WHOLE = Dialogue.of(["So.", "Is Basel big?"], "Is Basel big?")
TWO_SPANS = Dialogue.of(["Ann", "Lee", "Why?"], "Why Ann Lee?")
FUNCTION_WORD = Dialogue.of(["Look at the cat.", "Why cat?"], "Why the cat?")
BY_LEMMA = Dialogue.of(["Red puppies.", "Why?"], "Why red puppy?")


def counted(*labels: Labels) -> Coverage:
    coverage = Coverage("syntax:none")
    for each in labels:
        coverage.add(each)
    return coverage


def test_phrases_are_counted_by_what_says_them() -> None:
    coverage = counted(*(label(d) for d in (FEDERER, PUPPY, ALREADY_WHOLE, TWO_SPANS, FUNCTION_WORD)))
    assert coverage == Coverage(
        "syntax:none",
        dialogues=5,
        covered=5,
        # FEDERER lacks "besides his back", PUPPY "the puppy" and "now", TWO_SPANS has "Ann Lee" in two pieces
        free_of_unaligned=2,
        phrases=Counter(
            {MadeOf.ONE_SPAN: 1, MadeOf.SEVERAL_SPANS: 1, MadeOf.SPANS_AND_WORDS: 2, MadeOf.WORDS: 2},
        ),
        slots=Counter({0: 2, 1: 3, 2: 1}),
        copied_words=1 + 2 + 1 + 2,
        rule_words=1 + 1 + 1 + 1,
    )
    assert coverage.words_per_phrase == 10 / 6


def test_a_target_said_in_another_form_is_not_covered_and_its_phrase_is_unaligned() -> None:
    coverage = counted(label(BY_LEMMA, Lemmas(puppies="puppy")))
    assert (coverage.dialogues, coverage.covered, coverage.free_of_unaligned) == (1, 0, 0)
    assert coverage.phrases == {MadeOf.ONE_SPAN: 1}


def test_counts_of_parts_add_up_to_those_of_the_whole() -> None:
    all_labels = [label(d) for d in (FEDERER, PUPPY, ALREADY_WHOLE, TWO_SPANS)]
    coverage = counted(*all_labels[:1])
    coverage.merge(counted(*all_labels[1:]))
    assert coverage == counted(*all_labels)


def test_nothing_has_no_words_per_phrase() -> None:
    assert counted().words_per_phrase == 0
