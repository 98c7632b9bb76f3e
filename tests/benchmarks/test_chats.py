"""The chats of `benchmarks/chats`: that they are well made, and that judging tells good, harmless and harmful apart."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.chats.chats import FILES, Chat, load_chats
from benchmarks.chats.faults import faults, words_of
from benchmarks.chats.judging import Verdict, judge

from tests.acceptance.reachability import crowded_insertions, foreign_words
from tests.acceptance.scoring import Case
from utterly import UtterlyError

CHATS = load_chats()
COUNTS = Counter((chat.lang, chat.kind) for chat in CHATS)
each_chat = pytest.mark.parametrize("chat", CHATS, ids=lambda chat: chat.id)
ANSWERS = {"en": range(60, 201), "zh": range(100, 351)}  # words, characters; clarifying answers may be shorter


def chat(**fields: object) -> Chat:
    filled: dict[str, object] = {
        "id": "candidates-01",
        "half": "choose",
        "domain": "sport",
        "turns": ("Why did Federer withdraw?", "He hurt his back."),
        "marked": "Is {he} well again?",
        "examples": ("Is Federer well again?",),
        "good": (r"is federer well",),
    }
    return Chat(**{**filled, **fields})  # type: ignore[arg-type]


def verdict(chat: Chat, text: str) -> Verdict:
    return judge(chat, text).verdict


def test_ids_and_turns_come_once() -> None:
    assert [name for name, count in Counter(chat.id for chat in CHATS).items() if count > 1] == []
    turns = Counter(turn for chat in CHATS for turn in (*chat.turns, chat.source) if len(turn) > 25)
    assert [turn for turn, count in turns.items() if count > 1] == []


def test_there_are_enough_chats_and_a_quarter_must_stay() -> None:
    languages = Counter(chat.lang for chat in CHATS)
    assert languages["en"] >= 110
    assert languages["zh"] >= 50
    assert 0.2 <= sum(chat.stays for chat in CHATS) / len(CHATS) <= 0.3


def test_both_halves_have_as_many_chats_of_every_kind_and_language() -> None:
    choosing = Counter((chat.lang, chat.kind) for chat in CHATS if chat.half == "choose")
    assert {chat.half for chat in CHATS} == {"choose", "report"}
    assert {group: count for group, count in COUNTS.items() if abs(count - 2 * choosing[group]) > 1} == {}
    assert load_chats(half="choose") == [chat for chat in CHATS if chat.half == "choose"]


def test_there_are_harmful_examples_enough() -> None:
    assert sum(bool(chat.harmful) for chat in CHATS) >= 40


def test_the_page_gives_the_counts() -> None:
    page = FILES[0].with_name("README.md").read_text(encoding="utf-8")
    kinds = dict.fromkeys(kind for _, kind in COUNTS)
    rows = [f"| `{kind}` | {COUNTS['en', kind]} | {COUNTS['zh', kind]} |" for kind in kinds]
    assert [row for row in rows if row not in page] == []


@each_chat
def test_a_chat_is_well_formed(chat: Chat) -> None:
    assert chat.half in ("choose", "report")
    assert all(text and text == text.strip() for text in (*chat.turns, chat.source, *chat.examples))
    assert 1 <= len(chat.turns) // 2 <= 6
    assert (re.search(r"[\u4e00-\u9fff]", " ".join(chat.turns)) is not None) == (chat.lang == "zh")
    lengths = [len(words_of(answer, marks=False)) for answer in chat.turns[1::2]]
    assert max(lengths) in ANSWERS[chat.lang]
    assert all(length <= ANSWERS[chat.lang].stop for length in lengths)
    for pattern in (*chat.good, *chat.fair, *chat.bad):
        re.compile(pattern)


@each_chat
def test_the_turn_left_alone_is_good_where_it_must_stay_and_harmless_elsewhere(chat: Chat) -> None:
    assert verdict(chat, chat.source) == (Verdict.GOOD if chat.stays else Verdict.HARMLESS)


@each_chat
def test_examples_are_good(chat: Chat) -> None:
    assert [(text, judge(chat, text)) for text in chat.examples if verdict(chat, text) is not Verdict.GOOD] == []


@each_chat
def test_the_first_example_is_one_an_editor_can_write(chat: Chat) -> None:
    case = Case(chat.id, chat.kind, chat.lang, chat.domain, chat.turns, chat.source, chat.examples)
    assert [foreign_words(case, text) for text in chat.examples[:1]] in ([], [[]])
    assert [crowded_insertions(case, text) for text in chat.examples[:1]] in ([], [[]])


@each_chat
def test_harmful_examples_are_harmful(chat: Chat) -> None:
    assert [text for text in chat.harmful if verdict(chat, text) is not Verdict.HARMFUL] == []


@each_chat
def test_a_rewrite_that_adds_an_answer_is_harmful(chat: Chat) -> None:
    assert verdict(chat, f"{chat.source} {chat.turns[-1]}") is Verdict.HARMFUL


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Is he well again", Verdict.HARMLESS),  # the final mark does not count
        ("is  federer well again?", Verdict.GOOD),
        ("Is **Federer** well again?", Verdict.GOOD),
        ("Is *Federer* well `again`?", Verdict.GOOD),
        ("Is Federer's back better again?", Verdict.HARMFUL),
        ("Is Nadal well again?", Verdict.HARMFUL),
        ("", Verdict.HARMFUL),
    ],
)
def test_patterns_decide(text: str, expected: Verdict) -> None:
    assert verdict(chat(bad=("nadal",), good=("well",)), text) == expected


def test_a_part_of_what_was_meant_is_harmless_and_an_unknown_change_harmful() -> None:
    asked = chat(good=("roger federer",), fair=("federer",))
    assert verdict(asked, "Is Roger Federer well again?") is Verdict.GOOD
    assert verdict(asked, "Is Federer well again?") is Verdict.HARMLESS
    assert verdict(asked, "Is the Swiss well again?") is Verdict.HARMFUL


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Is **Federer well again?", "has a part of markup"),
        ("Is *Federer well again?", "has a part of markup"),
        ("Is Federer | well again?", "has a part of markup"),
        ("Is Federer (his back well again?", "has half a pair of marks"),
        ('Is "Federer well again?', "has half a pair of marks"),
        ("Is Federer withdraw? He hurt his back well again?", "has a sentence more than the turn"),
        ("Why did Federer withdraw? Is he well again?", "asks an earlier question again"),
        ("Is Federer again?", None),  # "well" says little
        ("Is Federer he well again?", "keeps he beside what it stands for"),
        ("Is Federer well again.?", "reads '.?'"),
        ("Is he well again the?", "reads 'the'"),
        ("Is the Federer's the back well again?", None),
        ("Is the the Federer well again?", "reads 'the the'"),
        ("Is a his back well again?", "reads 'a his'"),
        (f"Is Federer {'very ' * 5}{'a b ' * 13} well again?", "adds too much"),
    ],
)
def test_what_is_wrong_whatever_the_chat_is_about(text: str, fault: str | None) -> None:
    assert next(faults(chat(), text), None) == fault


def test_words_of_the_asker_must_survive_but_may_be_spelt_otherwise() -> None:
    asked = chat(marked="how mcuh does {the second one} weigh")
    assert list(faults(asked, "how much does the racket weigh")) == []
    assert list(faults(asked, "how much is the racket")) == ["loses weigh"]


def test_small_words_may_be_replaced_but_not_dropped() -> None:
    asked = chat(marked="and how do i restring {it}?")
    assert list(faults(asked, "how can i restring the racket?")) == []
    assert list(faults(asked, "and how i restring the racket?")) == ["drops do"]


def test_a_turn_without_its_fillers_is_hardly_changed() -> None:
    asked = chat(marked="and is he well again, please?")
    assert judge(asked, "Is he well again?") == (Verdict.HARMLESS, "hardly changed")
    assert verdict(asked, "is well again?") is Verdict.HARMFUL


def test_chinese_characters_of_the_asker_must_survive() -> None:
    asked = chat(id="zh-candidates-01", marked="{后者}的价格呢", turns=("选哪个", "甲和乙"), examples=("乙的价格呢",))
    assert list(faults(asked, "乙的价格是多少")) == []
    assert list(faults(asked, "乙呢")) == ["loses 价, 格"]


def test_abbreviations_end_no_sentence() -> None:
    assert list(faults(chat(), "Is Dr. Federer well again?")) == []


def test_a_chat_with_an_answer_missing_is_refused() -> None:
    with pytest.raises(UtterlyError, match="questions and answers must alternate, got 1 turns"):
        chat(turns=("Why did Federer withdraw?",))


def test_a_turn_that_needs_a_rewrite_needs_patterns() -> None:
    with pytest.raises(UtterlyError, match="`good` and `examples` must be given exactly for turns"):
        chat(good=())


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.chats", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])


def test_leaving_every_turn_alone_does_no_harm_and_is_good_only_where_turns_must_stay() -> None:
    stays = sum(chat.stays for chat in load_chats(half="choose"))
    total = len(load_chats(half="choose"))
    table = run("--baseline", "unchanged").stdout
    assert f"| must stay | {stays} | {stays} (100%) | 0 (0%) | 0 (0%) |" in table
    assert f"| need a rewrite | {total - stays} | 0 (0%) | {total - stays} (100%) | 0 (0%) |" in table


def test_a_file_of_rewrites_must_be_complete(tmp_path: Path) -> None:
    (tmp_path / "rewrites.jsonl").write_text('{"id": "hidden-01", "rewrite": "Do night splints help?"}\n')
    done = run("--rewrites", str(tmp_path / "rewrites.jsonl"))
    assert done.returncode == 1
    assert "must have a rewrite of every chat" in done.stderr
