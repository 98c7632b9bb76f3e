"""Corpora in the formats they were released in, each on a small file written by hand."""

from pathlib import Path

import pytest

from tests.corpus_files import FIXTURES
from utterly.dialogues.corpora import read_corpus
from utterly.dialogues.dialogue import Dialogue
from utterly.errors import FileError

MURAL = ["Who painted the harbour mural?", "Ines Calder painted it."]
LOTUS = ["I want a cheap Thai place.", "Blue Lotus is cheap."]
PHONE = "What is the phone number of Blue Lotus?"


def english(id_: str, turns: list[str], target: str, domain: str | None = None) -> Dialogue:
    return Dialogue.of(turns, target, language="en", domain=domain, id=id_)


def chinese(id_: str, turns: list[str], target: str) -> Dialogue:
    return Dialogue.of(turns, target, language="zh", id=id_)


@pytest.mark.parametrize(
    ("corpus", "file", "dialogues"),
    [
        (
            "qrecc",
            "qrecc.json",
            [
                english("3_1", MURAL[:1], MURAL[0], "nq"),
                english(
                    "3_2",
                    [*MURAL, "When did she finish it?"],
                    "When did Ines Calder finish the harbour mural?",
                    "nq",
                ),
            ],
        ),
        (
            "task",
            "task.json",
            [
                english("7-0", LOTUS[:1], LOTUS[0]),
                english("7-1-ellipsis", [*LOTUS, "What is the phone number?"], PHONE),
                english("7-1-coreference", [*LOTUS, "What is its phone number?"], PHONE),
            ],
        ),
        (
            "cast",
            "cast.json",
            [
                english("501_1", ["What is a tide mill?"], "What is a tide mill?"),
                english(
                    "501_2",
                    ["What is a tide mill?", "A tide mill is driven by the tide.", "Where are some?"],
                    "Where are some tide mills?",
                ),
            ],
        ),
        (
            "cast",
            "cast2019_topics_v1.0.json",
            [
                english("9_1", ["How are kites made?"], "How are kites made?"),
                english("9_2", ["How are kites made?", "Who made them first?"], "Who made kites first?"),
            ],
        ),
        (
            "ikat",
            "ikat.json",
            [
                english("4-1_1", ["Can you help me buy a bicycle?"], "Can you help me buy a bicycle?"),
                english(
                    "4-1_2",
                    ["Can you help me buy a bicycle?", "Which kind do you want?", "A folding one."],
                    "I want a folding bicycle.",
                ),
            ],
        ),
        (
            "pacific",
            "pacific.json",
            [
                english("q1", ["Which costs rose?"], "Which costs rose?"),
                english("q2", ["Which costs rose?", "rent, wages", "And in total?"], "What was the rent in total?"),
                english(
                    "q3",
                    ["Which costs rose?", "rent, wages", "And in total?", "12.5", "In which year?"],
                    "In which year was the rent in total 12.5?",
                ),
            ],
        ),
        (
            "followup",
            "followup.tsv",
            [
                english("1", ["show the oldest ferries", "and the fastest ?"], "show the fastest ferries"),
                english(
                    "2",
                    ["which port has the most berths ?", "how many are there ?"],
                    "how many berths are there in the port ?",
                ),
            ],
        ),
        (
            "restoration",
            "restoration.sr",
            [
                chinese("1", ["你喜欢猫吗", "喜欢", "为什么"], "为什么喜欢猫"),
                chinese("2", ["我买了Blue Lotus的票", "真的", "真的", "给我看看"], "给我看看Blue Lotus的票"),
            ],
        ),
    ],
)
def test_a_release_is_read_turn_by_turn(corpus: str, file: str, dialogues: list[Dialogue]) -> None:
    assert list(read_corpus(corpus, FIXTURES / file)) == dialogues


def test_topics_without_their_rewrites_have_no_targets(tmp_path: Path) -> None:
    (tmp_path / "topics_v1.0.json").write_text((FIXTURES / "cast2019_topics_v1.0.json").read_text())
    assert [dialogue.target for dialogue in read_corpus("cast", tmp_path / "topics_v1.0.json")] == [None, None]


@pytest.mark.parametrize(
    ("sources", "targets", "problem"),
    [
        ("a || b |\nc || d |\n", "b\n", "has more; in the release, lines 3223 and 3224 of test.sr are one: join them"),
        ("a || b |\n", "b\nd\n", "has fewer; in the"),
        ("a | b\n", "b\n", "x.sr, line 1: a line must be 'turn <split> turn || source | restored words'; check"),
    ],
)
def test_sources_and_targets_must_fit_line_by_line(sources: str, targets: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "x.sr").write_text(sources)
    (tmp_path / "x.tr").write_text(targets)
    with pytest.raises(FileError) as raised:
        list(read_corpus("restoration", tmp_path / "x.sr"))
    assert problem in str(raised.value)


def test_targets_are_found_by_name_or_the_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"the file name must contain \.sr"):
        list(read_corpus("restoration", tmp_path / "valid.txt"))
    (tmp_path / "valid.sr").write_text("a || b |\n")
    with pytest.raises(FileError, match=r"valid\.tr: there is no such file"):
        list(read_corpus("restoration", tmp_path / "valid.sr"))


def test_a_line_with_other_columns_is_bad(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("a\tb\tc\n")
    with pytest.raises(FileError, match=r"line 1: a line must have 4 columns .* got 3"):
        list(read_corpus("followup", tmp_path / "x.tsv"))
