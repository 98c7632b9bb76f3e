"""Copies of dialogues that show what a corpus lacks, and dialogues held out whole."""

import random
from pathlib import Path

import pytest
from recipes import mix, split
from recipes.mix import copies, headerless, preceded, rearranged, self_contained, switched, unpunctuated

from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.dialogues.jsonl import read_jsonl, write_jsonl

DUNE = Dialogue.of(["Dune", "Who wrote Dune?", "Frank Herbert.", "When?"], target="When did Frank Herbert write Dune?")


def turns(dialogue: Dialogue | None) -> tuple[list[str], str, str]:
    assert dialogue is not None
    assert dialogue.target is not None
    return [turn.text for turn in dialogue.context], dialogue.source.text, dialogue.target.text


def test_a_headerless_copy_drops_the_headers_if_the_target_does_not_need_them() -> None:
    needs_it = Dialogue.of(["Dune", "Who wrote it?", "Frank Herbert.", "When?"], target="When did he write Dune?")
    wrote = Dialogue.of(["Dune", "Who wrote it?", "Frank Herbert.", "And he?"], target="And Frank Herbert?")
    assert turns(headerless(wrote, headers=1)) == (["Who wrote it?", "Frank Herbert."], "And he?", "And Frank Herbert?")
    assert headerless(needs_it, headers=1) is None
    assert headerless(wrote, headers=0) is None


def test_a_self_contained_copy_has_its_target_as_its_source() -> None:
    target = "When did Frank Herbert write Dune?"
    assert turns(self_contained(DUNE))[1:] == (target, target)
    assert self_contained(Dialogue.of(["Hi", "Hello"], target="Hello")) is None


def test_a_switched_copy_has_an_unrelated_turn_to_be_left_alone() -> None:
    copy = switched(DUNE, others=[Turn("Is it raining in Oslo?")], rng=random.Random(0))  # noqa: S311 - no secret
    assert turns(copy)[1:] == ("Is it raining in Oslo?", "Is it raining in Oslo?")


def test_a_preceded_copy_begins_with_another_topic() -> None:
    tea = (Turn("Is tea healthy?"), Turn("Mostly."))
    copy = preceded(DUNE, openings=[tea], rng=random.Random(0))  # noqa: S311 - no secret
    context, *rest = turns(copy)
    assert context == ["Is tea healthy?", "Mostly.", *turns(DUNE)[0]]
    assert tuple(rest) == turns(DUNE)[1:]
    assert preceded(DUNE, openings=[], rng=random.Random(0)) is None  # noqa: S311 - no secret


def test_an_unpunctuated_copy_lacks_the_last_mark_of_source_and_target() -> None:
    assert turns(unpunctuated(DUNE))[1:] == ("When", "When did Frank Herbert write Dune")
    assert unpunctuated(Dialogue.of(["Hi", "when"], target="when?")) is None


ANSWER = """Three pans come up often. The Lodge is heavy. Le Creuset costs most. Staub has a dark lid.

- **Lodge**: seasoned
- **Staub**: enamelled
- **Le Creuset**: many colours

| pan | price |
| Lodge | 40 |"""


def test_a_rearranged_copy_has_the_answers_in_another_order_and_all_that_the_target_needs() -> None:
    dialogue = Dialogue.of(["which pan?", ANSWER, "how heavy is its lid?"], target="how heavy is the Staub lid?")
    seen = set()
    for seed in range(40):
        copy = rearranged(dialogue, rng=random.Random(seed))  # noqa: S311 - no secret
        if copy is None:  # by chance in the same order
            continue
        (asked, answer), *rest = turns(copy)
        assert (asked, *rest) == ("which pan?", "how heavy is its lid?", "how heavy is the Staub lid?")
        prose, items, table = answer.split("\n\n")
        assert prose.startswith("Three pans come up often.")
        assert "Staub has a dark lid." in prose
        assert "- **Staub**: enamelled" in items.splitlines()
        assert set(items.splitlines()) <= set(ANSWER.splitlines())
        assert table == "| pan | price |\n| Lodge | 40 |"
        seen.add(answer)
    assert len(seen) > 20
    assert any("Le Creuset costs most." not in answer for answer in seen)


def test_answers_with_code_or_items_that_the_turn_may_count_are_not_rearranged() -> None:
    dialogue = Dialogue.of(["which pan?", ANSWER, "is the second one heavy?"], target="is the Staub heavy?")
    assert rearranged(dialogue, rng=random.Random(0)) is None  # noqa: S311 - no secret
    code = Dialogue.of(["how?", f"{ANSWER}\n```\nfry()\n```", "is it heavy?"], target="is the Staub heavy?")
    assert rearranged(code, rng=random.Random(0)) is None  # noqa: S311 - no secret


def test_copies_are_as_many_as_the_share_says_and_named_for_their_kind() -> None:
    many = (Dialogue.of(["a", "b?"], target="a b?", id=str(number)) for number in range(400))
    made = list(copies(many, {"unpunctuated": (unpunctuated, 0.25)}, random.Random(3)))  # noqa: S311 - no secret
    assert 70 <= len(made) <= 130
    assert all(copy.id and copy.id.endswith("-unpunctuated") for copy in made)


def test_every_nth_dialogue_is_held_out_with_all_its_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [str(tmp_path / name) for name in ("in.jsonl", "train.jsonl", "held.jsonl")]
    ids = [f"news-{number}-turn{turn}" for number in range(5) for turn in (1, 2)]
    write_jsonl(files[0], (Dialogue.of(["a", "b"], target="c", id=each) for each in ids))
    monkeypatch.setattr("sys.argv", ["split.py", *files, "--every", "2"])
    split.main()
    train, held = ([dialogue.id for dialogue in read_jsonl(path)] for path in files[1:])
    assert held == [each for each in ids if each[5] in "024"]
    assert train == [each for each in ids if each[5] in "13"]


@pytest.mark.parametrize(
    ("script", "more", "problem"),
    [
        (split, ["held.jsonl", "--every", "1"], "--every must be at least 2, got 1"),
        (mix, ["--self-contained", "1.5"], "--self-contained must be between 0 and 1, got 1.5"),
    ],
)
def test_a_wrong_argument_is_refused(
    script: object, more: list[str], problem: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["script", "in.jsonl", "out.jsonl", *more])
    with pytest.raises(SystemExit):
        script.main()  # type: ignore[attr-defined]
    assert problem in capsys.readouterr().err


def test_a_missing_file_is_one_line_of_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["mix.py", str(tmp_path / "none.jsonl"), str(tmp_path / "out.jsonl")])
    with pytest.raises(SystemExit, match=r"none\.jsonl"):
        mix.main()
