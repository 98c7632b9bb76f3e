"""The acceptance set itself: that its cases are well made, and that scoring counts what it should."""

import json
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.acceptance.reachability import crowded_insertions, foreign_words
from tests.acceptance.scoring import DIALOGUES, Case, Tally, load_cases, normalised, passes, summary
from utterly.dialogues.dialogue import Dialogue

CASES = load_cases()
COUNTS = Counter(case.kind for case in CASES)
LEAST = dict.fromkeys(
    "pronoun possessive ellipsis besides several-antecedents topic-switch typos lower-case accents numbers "
    "code-identifiers demonstrative mixed-zh-en zh-pronoun zh-ellipsis".split(),
    8,
) | {"self-contained": 35, "greeting-thanks": 25}
ALWAYS_STAY = {"self-contained", "greeting-thanks"}
SETTINGS = {"chat search", "support", "voice", "small talk"}
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def federer(*accept: str) -> Case:
    history = ("Why did Federer withdraw?", "He hurt his back.")
    return Case("federer", "pronoun", "en", "chat search", history, "Is he well?", accept)


def test_ids_are_unique_and_name_their_kind() -> None:
    assert [name for name, count in Counter(case.id for case in CASES).items() if count > 1] == []
    assert [case.id for case in CASES if case.id.rpartition("-")[0] != case.kind] == []


def test_no_dialogue_comes_twice() -> None:
    assert [turns for turns, count in Counter(tuple(case.turns) for case in CASES).items() if count > 1] == []


def test_there_are_enough_dialogues_of_every_kind() -> None:
    assert set(COUNTS) == set(LEAST)
    assert {kind: COUNTS[kind] for kind in LEAST if COUNTS[kind] < LEAST[kind]} == {}


def test_there_are_enough_dialogues_of_every_language() -> None:
    counts = Counter(case.lang for case in CASES)
    assert set(counts) == {"en", "zh"}
    assert counts["en"] >= 125
    assert counts["zh"] >= 55


def test_the_page_gives_the_counts() -> None:
    page = DIALOGUES.with_name("README.md").read_text(encoding="utf-8")
    rows = [f"| `{kind}` | {count} |" for kind, count in COUNTS.items()]
    assert [row for row in rows if row not in page] == []
    assert f"{len(CASES)} short dialogues" in page


def test_the_file_has_one_form() -> None:
    lines = DIALOGUES.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if json.dumps(json.loads(line), ensure_ascii=False) != line] == []


@each_case
def test_a_case_is_well_formed(case: Case) -> None:
    assert case.setting in SETTINGS
    assert case.accept
    assert all(text and text == text.strip() for text in (*case.turns, *case.accept))
    assert Dialogue.of(case.turns).language == case.lang


@each_case
def test_a_turn_stays_or_is_rewritten_and_never_both(case: Case) -> None:
    if case.kind in ALWAYS_STAY:
        assert case.must_stay
    if not case.must_stay:
        assert normalised(case.utterance) not in case.wordings
        assert len(case.wordings) == len(case.accept), "a wording comes twice"


@each_case
def test_every_wording_is_one_an_editor_can_write(case: Case) -> None:
    assert {text: foreign for text in case.accept if (foreign := foreign_words(case, text))} == {}
    assert {text: crowded for text in case.accept if (crowded := crowded_insertions(case, text))} == {}


def test_an_editor_cannot_write_what_the_dialogue_lacks() -> None:
    assert foreign_words(federer(), "Is Federer healthy?") == ["healthy"]
    assert crowded_insertions(federer(), "Is Federer well?") == []
    assert crowded_insertions(federer(), "Is he back hurt Federer why well?") == ["back hurt federer why"]


@pytest.mark.parametrize("text", ["Is Federer well?", "is federer  well", "Is Federer well ?", "Is Federer well."])
def test_case_white_space_and_the_final_mark_do_not_count(text: str) -> None:
    assert passes(federer("Is Federer well?"), text)


@pytest.mark.parametrize("text", ["Is he well?", "Is Federer well??", "Federer well?", ""])
def test_another_wording_does_not_pass(text: str) -> None:
    assert not passes(federer("Is Federer well?"), text)


@pytest.mark.parametrize("text", ["is he well?", "Is he well", "Is he well? "])
def test_a_turn_that_must_stay_passes_only_untouched(text: str) -> None:
    case = federer("Is he well?")
    assert passes(case, case.utterance)
    assert not passes(case, text)


def test_blanks_beside_chinese_and_the_width_of_marks_do_not_count() -> None:
    assert normalised("iPhone 15 支持快充吗？") == normalised("iphone 15支持快充吗?")


def test_leaving_every_turn_alone_passes_what_must_stay_and_nothing_else() -> None:
    def leave(turns: Sequence[str]) -> str:
        return turns[-1]

    kinds = summary(leave)
    assert all(kinds[kind] == Tally(COUNTS[kind], COUNTS[kind]) for kind in ALWAYS_STAY)
    assert sum(tally.passed for tally in kinds.values()) == sum(case.must_stay for case in CASES)
