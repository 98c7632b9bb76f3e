"""The chat recipe: dialogues that repeat with their seed, and rewrites that edits can reach."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from recipes.chat.__main__ import READERS
from recipes.chat.chinese import denied
from recipes.chat.compose import Material, Scene, compose
from recipes.chat.english import contrast, swapped
from recipes.chat.templates import TemplateError, read_sections, read_tables, scenes

from utterly.dialogues.dialogue import split_words
from utterly.dialogues.jsonl import dialogue_from_json

BY_SCENES = {which: {lang: read(which) for lang, read in READERS.items()} for which in ("all", "followups")}
MATERIALS = BY_SCENES["all"]
LONG = READERS["zh"]("long")
COUNT = 500
MOST_SPANS = 3
MOST_FUNCTION_WORDS = 3
FUNCTION_WORDS = {
    "en": frozenset("the a an of in on at to for from by with about besides other than or and is ' 's s ,".split()),
    "zh": frozenset("的了呢吗在是除了除以外之和跟与到去给把对，,？?"),
}


@pytest.fixture(scope="module", params=product(sorted(BY_SCENES), sorted(MATERIALS)), ids="-".join)
def material(request: pytest.FixtureRequest) -> Material:
    which, language = request.param
    return BY_SCENES[which][language]


@pytest.fixture(scope="module")
def records(material: Material) -> list[dict[str, object]]:
    return list(compose(material, COUNT, seed=7))


def words(text: str) -> list[str]:
    return [word.text.casefold() for word in split_words(text)]


def spans_and_function_words(
    source: Sequence[str], target: Sequence[str], history: Sequence[Sequence[str]], function_words: frozenset[str]
) -> tuple[int, int] | None:
    """The fewest spans, then function words, that with kept source words in order make the target; None if none do."""
    copied = {tuple(turn[i:j]) for turn in history for i in range(len(turn)) for j in range(i + 1, len(turn) + 1)}

    @cache
    def cheapest(at: int, kept: int) -> tuple[int, int] | None:
        if at == len(target):
            return 0, 0
        ways = []
        for step, (spans, function) in steps(at, kept):
            rest = cheapest(*step)
            if rest is not None:
                ways.append((rest[0] + spans, rest[1] + function))
        return min(ways, key=sum, default=None)

    def steps(at: int, kept: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        word = target[at]
        if word in source[kept:]:
            yield (at + 1, source.index(word, kept) + 1), (0, 0)
        if word in function_words:
            yield (at + 1, kept), (0, 1)
        for end in range(at + 1, len(target) + 1):
            if tuple(target[at:end]) in copied:
                yield (end, kept), (1, 0)

    return cheapest(0, 0)


@pytest.mark.parametrize(
    ("which", "language", "digest"),
    [
        ("all", "en", "83888dcde88f200d6d3a4dd68695d319a8fc333733fd5e69f810974d9e33c04e"),
        ("all", "zh", "8bdd23637b205284181e542d8581c299e51b3c47bc7182f2a0dc121d34323044"),
        ("followups", "en", "5a8a77a51d69b284a13e37b5153c7faf65261630dcf788368f7af9639a31b900"),
        ("followups", "zh", "15a12bb51731977997b61297e15932c7d8a644ed862c3dbf869f3604c1e184a5"),
    ],
)
def test_the_same_seed_and_templates_give_the_chats_they_always_gave(which: str, language: str, digest: str) -> None:
    """New templates change the digests; recipes/README.md then says which commit made the chats of a shipped model."""
    chats = compose(BY_SCENES[which][language], 300, seed=7)
    lines = "".join(json.dumps(chat, ensure_ascii=False) + "\n" for chat in chats)
    assert hashlib.sha256(lines.encode()).hexdigest() == digest


def test_the_same_seed_gives_the_same_dialogues_and_another_gives_others(
    material: Material, records: list[dict[str, object]]
) -> None:
    assert list(compose(material, 50, seed=7)) == records[:50]
    assert list(compose(material, 50, seed=8)) != records[:50]


def test_every_rewrite_is_reachable_by_copying_and_few_function_words(records: list[dict[str, object]]) -> None:
    for record in records:
        dialogue = dialogue_from_json(record)
        assert dialogue.target is not None
        history = [words(turn.text) for turn in dialogue.context]
        source, target = words(dialogue.source.text), words(dialogue.target.text)
        found = spans_and_function_words(source, target, history, FUNCTION_WORDS[dialogue.language])
        assert found is not None, record
        assert found[0] <= MOST_SPANS, record
        assert found[1] <= MOST_FUNCTION_WORDS, record


def test_a_rewrite_that_needs_new_words_is_not_reachable() -> None:
    assert spans_and_function_words(["why", "?"], ["why", "not", "?"], [["my", "order"]], FUNCTION_WORDS["en"]) is None


def test_between_half_and_three_fifths_of_the_turns_are_edited(records: list[dict[str, object]]) -> None:
    untouched = sum(record["utterance"] == record["rewrite"] for record in records)
    assert 0.4 <= untouched / len(records) <= 0.5


def test_dialogues_are_distinct_and_answer_two_to_eight_turns(records: list[dict[str, object]]) -> None:
    dialogues = [dialogue_from_json(record) for record in records]
    assert len({dialogue.id for dialogue in dialogues}) == COUNT
    assert len({(dialogue.context, dialogue.source) for dialogue in dialogues}) == COUNT
    assert {len(dialogue.context) for dialogue in dialogues} == {2, 4, 6, 8}


def test_no_template_is_left_unfilled(records: list[dict[str, object]]) -> None:
    for record in records:
        dialogue = dialogue_from_json(record)
        text = "".join(turn.text for turn in (*dialogue.context, dialogue.source))
        assert not set("{}|[]") & set(text), record


@pytest.mark.parametrize("language", sorted(MATERIALS))
def test_small_talk_is_distinct_and_plentiful(language: str) -> None:
    phrases = MATERIALS[language].small_talk
    assert len(phrases) == len(set(phrases)) >= {"en": 150, "zh": 100}[language]


@pytest.mark.parametrize("language", sorted(MATERIALS))
def test_frames_are_plentiful(language: str) -> None:
    frames = {frame for scene in MATERIALS[language].scenes for each in scene.frames.values() for frame in each}
    assert len(frames) >= {"en": 120, "zh": 80}[language]


def quiz(topics: tuple[Scene, ...], standalone: dict[str, tuple[str, ...]]) -> Material:
    """Material of few words, whose surface does not vary."""
    tables = {"city": tuple({"name": name} for name in "Oslo Rome Bern Kyiv Lima Doha Bonn Cork".split())}
    return Material(
        "en", tables, topics, standalone, ("hi",), (("hi", "hello"),), lambda _, draft: draft, lambda _, phrase: phrase
    )


def test_a_turn_that_resolves_its_own_pronoun_names_the_topic_again_half_of_the_time() -> None:
    scene = Scene((("Is {city} large?", "Yes."),), {"it": ("is [it|{city}] old?",)}, whole=("is {city} nice?",))
    material = quiz((scene,), {"resolved inside": ("how did {city} get its name?", "do bees know their hive?")})
    records = [record for record in compose(material, 300, seed=3) if record["phenomenon"] == "resolved inside"]
    again = []
    for record in records:
        dialogue = dialogue_from_json(record)
        topic = words(dialogue.context[-2].text)[1]
        again.append(topic in words(dialogue.source.text))
    assert 0.4 <= sum(again) / len(again) <= 0.7


def test_a_phenomenon_follows_the_scenes_that_lead_to_it_more_often() -> None:
    topics = tuple(Scene(((f"{topic} {{city}}", "ok"),), {"it": ("[it|{city}]?",)}, whole=("ok",)) for topic in "abcd")
    leading = (*topics, Scene((("lamp {city}", "on"),), {"it": ("[it|{city}]?",)}, leads_to="small talk"))
    records = [record for record in compose(quiz(leading, {}), 600, seed=3) if record["phenomenon"] == "small talk"]
    led = sum(dialogue_from_json(record).context[-1].text == "on" for record in records)
    assert 0.4 <= led / len(records) <= 0.75


def test_a_swapped_part_keeps_all_that_stands_around_it() -> None:
    who, where = swapped({"swapped": ("is <{bank}> open on Sundays <in:{city}>? => Yes.",)})
    assert "and [|is ]{bank4}[| open on Sundays in {city}]?" in who.frames["substitution"]
    assert "and [|is {bank} open on Sundays ]in {city4}[|]?" in where.frames["substitution"]
    assert "[what about |is {bank} open on Sundays in ]{city4}[|]?" in where.frames["substitution"]
    assert "is {bank4} open on Sundays in {city}?" in who.whole


def test_a_lead_that_is_always_said_is_never_inserted() -> None:
    _, other = swapped({"swapped": ("is <{metal}> heavier <than!:{metal2}>? => No.",)})
    assert all("]than {metal5}" in frame for frame in other.frames["substitution"])


def test_a_contrast_names_another_filler_of_the_table_or_the_one_that_is_given() -> None:
    weather, ride = contrast(
        {"contrast": ("is it cold <in:{city}> today? => Yes.", "how long is it <by:train/car>? => An hour.")}
    )
    assert weather.openings == (("Is it cold in {city} today?", "Yes."),)
    assert "and [|is it cold ]in {city2}[| today]?" in weather.frames["contrast"]
    assert "[what about|how long is it] by car[|]?" in ride.frames["contrast"]


def test_a_denial_completes_the_question_why() -> None:
    (scene,) = denied({"denied": ("{shop}|开门了吗|没开门 => #。",)})
    assert scene.openings == (("{shop}开门了吗？", "没开门。"),)
    assert "[|{shop}]为什么[|没开门]？" in scene.frames["why not"]


TEMPLATES = """== home -> small talk

open: Is the {lamp} on? => Yes. / No.
open: hi => hello => lamp? => Which one?
more: Nice. => Thanks.
it: turn [it|the {lamp}] off
  is [it|the {lamp}] new? / [|the {lamp}] please
whole: turn the {lamp} off

open: a => b
whole: c
leads to: new topic

== travel

open: d => e
leads to: new topic
"""


def test_a_block_is_a_scene_and_a_section_says_what_often_follows(tmp_path: Path) -> None:
    path = tmp_path / "scenes.txt"
    path.write_text(TEMPLATES)
    home, travel = read_sections(path)
    lamp, other = scenes(home, {})
    assert lamp == Scene(
        openings=(("Is the {lamp} on?", "Yes."), ("Is the {lamp} on?", "No."), ("hi", "hello", "lamp?", "Which one?")),
        frames={"it": ("turn [it|the {lamp}] off", "is [it|the {lamp}] new?", "[|the {lamp}] please")},
        more=(("Nice.", "Thanks."),),
        whole=("turn the {lamp} off",),
        leads_to="small talk",
    )
    assert (other.leads_to, scenes(travel, {})[0].leads_to) == ("small talk", "new topic")


def test_tables_have_names_or_columns(tmp_path: Path) -> None:
    path = tmp_path / "tables.txt"
    path.write_text(
        "planet: Mars;\n  Venus\nmetal: tin\n\nmate: name | sex\nAnna | f; Tom | m\nMei | f\n\nday: today\n"
    )
    tables = read_tables(path, lambda row: {"long": str(len(row["name"]))})
    assert tables["planet"] == ({"name": "Mars", "long": "4"}, {"name": "Venus", "long": "5"})
    assert [row["name"] for row in tables["mate"]] == ["Anna", "Tom", "Mei"]
    assert [row["sex"] for row in tables["mate"]] == ["f", "m", "f"]
    assert list(tables) == ["planet", "metal", "mate", "day"]


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text("== home\n\nopen: a => b\nand so on\n")
    with pytest.raises(TemplateError, match=r"some.txt: a line must be `key: text`, got 'and so on'$"):
        list(read_sections(path))
    path.write_text("mate: name | sex\nAnna | f | 3\n")
    with pytest.raises(
        TemplateError, match=r"some.txt: a row of mate must have 2 cells \(name, sex\), got 'Anna \| f \| 3'$"
    ):
        read_tables(path, lambda row: row)
    with pytest.raises(TemplateError, match=r"^a pattern must be `question => answer / answer`, got 'is it\?'$"):
        swapped({"swapped": ("is it?",)})


@pytest.mark.parametrize("language", sorted(MATERIALS))
def test_every_filler_that_a_template_names_is_in_the_tables(language: str) -> None:
    material = MATERIALS[language]
    templates = [text for each in material.standalone.values() for text in each]
    for scene in material.scenes:
        templates += [turn for exchange in scene.openings + scene.more for turn in exchange]
        templates += [*scene.whole, *(frame for frames in scene.frames.values() for frame in frames)]
    for template in templates:
        for name, column in re.findall(r"\{([a-z_]+)\d?\.?([a-z]*)\}", template):
            assert all((column or "name") in row for row in material.tables[name]), template
        assert template.count("{") == len(re.findall(r"\{[a-z_]+\d?(?:\.[a-z]+)?\}", template)), template


def test_chats_with_long_answers_are_long_and_say_only_what_was_said() -> None:
    chats = list(compose(LONG, COUNT, seed=7))
    assert chats[:50] == list(compose(LONG, 50, seed=7))
    answers = [str(chat["history"][-1]) for chat in chats]  # type: ignore[index]
    assert sum(map(len, answers)) / len(answers) > 120
    assert sum("\n" in answer for answer in answers) > COUNT / 2
    assert {"ordinal", "pair", "latter", "hidden", "it", "offer", "clarify", "why", "why not", "return"} <= {
        chat["phenomenon"] for chat in chats
    }
    for chat in chats:
        dialogue = dialogue_from_json(chat)
        assert dialogue.target is not None
        assert not set("{}[]|#") & set(dialogue.source.text + dialogue.target.text), chat
        known = "".join(turn.text for turn in (*dialogue.context, dialogue.source)).casefold()
        assert all(word in known or word == "和" for word in words(dialogue.target.text)), chat


def test_a_list_is_answered_by_the_place_of_its_items() -> None:
    lists = [chat for chat in compose(LONG, 3000, seed=3) if chat["phenomenon"] == "ordinal"]
    item = re.compile(r"^(?:\d[.、]|-|（\d）) ?(?:\*\*|【)?(.+?)(?:\*\*|】)?：", re.MULTILINE)
    checked = 0
    for chat in lists:
        (place,) = re.findall(r"第([一二三四五12345])[个种款门道]", str(chat["utterance"])) or ("",)
        rows = item.findall(str(chat["history"][-1]))  # type: ignore[index]
        if place and len(rows) >= 3:
            wanted = rows["一二三四五12345".index(place) % 5]
            assert wanted in str(chat["rewrite"]), chat
            checked += 1
    assert checked > 100


def test_scenes_that_a_language_lacks_are_refused() -> None:
    with pytest.raises(TemplateError, match=r"en has no scenes called 'long'; see README.md$"):
        READERS["en"]("long")
