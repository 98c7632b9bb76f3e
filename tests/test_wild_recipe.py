"""Data for chats with long answers: what is made of which rows, and that it repeats with its seed."""

import gzip
import json
import random
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

import pytest
from benchmarks.chats.chats import load_chats
from recipes.wild import rewritten
from recipes.wild.answers import dressed, lengthened, sentences
from recipes.wild.authored import records as authored
from recipes.wild.chosen import chosen
from recipes.wild.conversations import (
    Asked,
    canard_conversations,
    cast_conversations,
    qrecc_conversations,
    unlabelled_conversations,
)
from recipes.wild.corpora import lines
from recipes.wild.passages import read_passages
from recipes.wild.prompts import MEANS, USER, laid_out, to_rewrite
from recipes.wild.scenes import Scenes
from recipes.wild.shaped import shaped
from recipes.wild.shaped_zh import missing
from recipes.wild.shaped_zh import shaped as shaped_zh
from recipes.wild.written import WRITTEN, from_chats, is_sound, stands_alone

from utterly.dialogues.dialogue import Dialogue
from utterly.errors import DialogueError
from utterly.labels.extract import LabelExtractor
from utterly.labels.syntax import NoSyntax
from utterly.model.folder import ModelFolder

AUTHORED = Path(__file__).parent.parent / "recipes" / "wild" / "chats"
ANSWER = "Ann Lee was born in Rome. She moved to Oslo in 1990. Later she wrote two novels."
TALK = (
    Asked("Where was Ann Lee born?", "Where was Ann Lee born?", "In Rome."),
    Asked("When did she move?", "When did Ann Lee move?", "In 1990, to Oslo."),
    Asked("Why?", "Why did Ann Lee move?", "She found work there."),
)


def write_lines(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)


def rng() -> random.Random:
    return random.Random(0)  # noqa: S311 - no secret


def test_an_answer_goes_on_with_later_ones_and_repeats_none() -> None:
    longer = lengthened("In Rome.", ["In Rome.", "In 1990. To Oslo."], words=4)

    assert longer == "In Rome. In 1990."


@pytest.mark.parametrize("seed", range(12))
def test_dressed_answers_keep_every_sentence(seed: int) -> None:
    plain = dressed(ANSWER, random.Random(seed)).replace("**", "")  # noqa: S311 - no secret

    assert all(sentence in plain for sentence in sentences(ANSWER))


def test_canard_conversations_open_with_the_rewrite_of_their_first_question(tmp_path: Path) -> None:
    row = {
        "QuAC_dialog_id": "a",
        "Question_no": 1,
        "History": [],
        "Question": "Born where?",
        "Rewrite": "Where was Ann born?",
    }
    later = {
        **row,
        "Question_no": 2,
        "History": ["Born where?", "CANNOTANSWER"],
        "Question": "Why?",
        "Rewrite": "Why Ann?",
    }
    write_lines(tmp_path / "canard/train.jsonl.gz", [row, later])

    ((first, second),) = canard_conversations(tmp_path)

    assert first == Asked("Where was Ann born?", "Where was Ann born?", "I don't know.")
    assert second == Asked("Why?", "Why Ann?", "")


def test_qrecc_rows_become_their_longest_conversations(tmp_path: Path) -> None:
    short = {"history": ["q1", "a1"], "utterance": "q2", "rewrite": "r2"}
    long = {"history": ["q1", "a1", "q2", "a2"], "utterance": "q3", "rewrite": "r3"}
    write_lines(tmp_path / "wild/qrecc_human.jsonl.gz", [short])
    write_lines(tmp_path / "more/qrecc_sample.jsonl.gz", [long])

    (talk,) = qrecc_conversations(tmp_path)

    assert [asked.rewrite for asked in talk] == ["q1", "r2", "r3"]


def test_cast_conversations_have_questions_only(tmp_path: Path) -> None:
    rows = [
        {"history": [], "utterance": "q1", "rewrite": "q1"},
        {"history": ["q1"], "utterance": "q2", "rewrite": "r2"},
    ]
    write_lines(tmp_path / "more/cast2019.jsonl.gz", rows)
    write_lines(tmp_path / "more/cast2020.jsonl.gz", [])

    assert list(cast_conversations(tmp_path)) == [(Asked("q1", "q1", ""), Asked("q2", "r2", ""))]


def test_chats_that_ask_what_a_dev_chat_asks_are_left_out(tmp_path: Path) -> None:
    write_lines(
        tmp_path / "wild/mtrag_dev.jsonl.gz", [{"history": ["Where do guinea pigs sleep?", "."], "utterance": "Why?"}]
    )
    chats = [
        {"id": "a", "history": ["where do guinea pigs  sleep?", "."], "utterance": "And eat?"},
        {"id": "b", "history": ["What is a bond?", "A loan."], "utterance": "Why?"},
    ]
    write_lines(tmp_path / "wild/mtrag_un.jsonl.gz", chats)

    assert [name for name, _ in unlabelled_conversations(tmp_path)] == ["b"]


def test_shaped_chats_have_every_turn_with_a_rewrite_but_the_first() -> None:
    records = list(shaped("x", [TALK], rng(), share=1.0))

    assert [record["rewrite"] for record in records] == ["When did Ann Lee move?", "Why did Ann Lee move?"]
    assert [len(record["history"]) for record in records] == [2, 4]  # type: ignore[arg-type]
    assert records == list(shaped("x", [TALK], rng(), share=1.0))


def test_passages_lose_the_blanks_around_their_marks(tmp_path: Path) -> None:
    text = "Rome\n" + "The old city ( of Rome ) , which is the home of Ann 's whole family , is famous for food . " * 5
    write_lines(tmp_path / "wild/mtrag_pool.jsonl.gz", [{"id": "1", "domain": "clapnq", "text": text}])

    (passage,) = read_passages(tmp_path, rng())

    assert passage.title == "Rome"
    assert passage.text.startswith("The old city (of Rome), which is the home of Ann's whole family, is famous")


def test_questions_and_meanings_are_learned_and_answers_are_not() -> None:
    stretches = [each for line in laid_out("search", TALK[:2], rng(), meanings=1.0) for each in line]

    learned = "".join(stretch.text for stretch in stretches if stretch.learned)
    assert learned == " Where was Ann Lee born?\n" * 2 + " When did she move?\n When did Ann Lee move?\n"
    prompt = "".join(stretch.text for stretch in to_rewrite("rag", TALK[:1], "Why?"))
    assert prompt.endswith(f"Bot: In Rome.\n{USER} Why?\n{MEANS}")


@pytest.mark.parametrize(
    ("question", "rewrite", "log_probability", "sound"),
    [
        ("Why?", "Why did Ann move?", -0.1, True),
        ("Why?", "Why did Ann move?", -0.9, False),
        ("Anything else in this article?", "Anything else in the article on Ann?", -0.1, False),
        ("Why?", "Why did Ann move to why did Ann move?", -0.1, False),
        ("Why?", "", -0.1, False),
        ("So why did she move to Oslo then, and when?", "Why Ann?", -0.1, False),
    ],
)
def test_what_a_model_wrote_must_be_sound(question: str, rewrite: str, log_probability: float, sound: bool) -> None:
    assert is_sound(question, rewrite, log_probability) is sound


def test_an_opening_must_stand_alone() -> None:
    assert stands_alone("Where was Ann Lee born?")
    assert not stands_alone("Where was she born?")
    assert not stands_alone("Bonds?")


def test_written_chats_give_their_sound_follow_ups() -> None:
    turns = [
        {"q": "Where was Ann Lee born?", "r": "", "logp": 0.0, "passage": "a", "words": 6},
        {"q": "Why?", "r": "Why did Ann Lee move?", "logp": -0.1, "passage": "a", "words": 3},
        {"q": "And then?", "r": "And then?", "logp": -2.0},
    ]

    (record,) = from_chats([{"turns": turns}], {"a": ANSWER}, "w", rng())

    assert record["utterance"] == "Why?"
    assert record["history"] == ["Where was Ann Lee born?", "Ann Lee was born in Rome."]


def test_the_chats_that_are_kept_name_passages_and_give_many_sound_turns() -> None:
    chats = list(lines(WRITTEN))
    sound = [turn for chat in chats for turn in chat["turns"][1:] if is_sound(turn["q"], turn["r"], turn["logp"])]

    assert len(chats) == 6144
    assert len(sound) > 30_000
    assert all("passage" in turn for chat in chats for turn in chat["turns"][:-1])


def test_rewrites_find_the_turns_before_them_unless_the_chat_asks_what_dev_asks(tmp_path: Path) -> None:
    write_lines(
        tmp_path / "wild/mtrag_un.jsonl.gz",
        [
            {"id": "b", "history": ["What is a bond?", "A loan."], "utterance": "Why?"},
            {"id": "dev", "history": ["What is an index fund?", "A basket."], "utterance": "Why?"},
        ],
    )
    write_lines(
        tmp_path / "wild/mtrag_dev.jsonl.gz", [{"id": "c", "history": [], "utterance": "What is an index fund?"}]
    )
    rows = [{"id": f"{chat}@2", "rewrite": "Why buy it?"} for chat in ("b", "dev", "gone")]

    (record,) = rewritten.records(rows, tmp_path)

    assert (record["history"], record["utterance"]) == (["What is a bond?", "A loan."], "Why?")


def test_the_rewrites_that_are_kept_are_of_different_follow_ups() -> None:
    rows = list(lines(rewritten.REWRITTEN))

    assert len({row["id"] for row in rows}) == len(rows) > 1_500
    places = [int(row["id"].partition("@")[2]) for row in rows]
    assert all(place >= 2 and place % 2 == 0 for place in places)  # the asker's turns after the first
    assert all(row["rewrite"].strip() for row in rows)


def test_scenes_repeat_with_their_seed_and_say_what_the_chat_says() -> None:
    chats = list(Scenes(3).chats(300))

    assert chats == list(Scenes(3).chats(300))
    assert {str(chat["id"]).split("-")[1] for chat in chats} == {
        "ordinal",
        "pair",
        "latter",
        "hidden",
        "offer",
        "asked",
        "advice",
        "stays",
    }
    for chat in chats:
        known = " ".join([*chat["history"], str(chat["utterance"])]).casefold()  # type: ignore[misc]
        said = str(chat["rewrite"]).casefold().rstrip("?.").split()
        assert all(word.strip(",.") in known or word in {"the", "of", "for", "on", "and", "to"} for word in said), chat


def test_labels_with_spans_that_nobody_would_copy_are_not_chosen() -> None:
    model = ModelFolder.find("en")
    answer = "She is a poet who wrote so many long books that no one has ever counted all of them."
    targets = {
        "When did Ann Lee die?": True,
        "When did she die?": False,  # stays, and none of those are wanted
        "When did a poet who wrote so many long books that no one has ever counted all of them die?": False,  # too long
        "When did is a die?": False,  # function words only
        "When did the famous lady die?": False,  # no script says this
    }

    for target, wanted in targets.items():
        dialogue = Dialogue.of(["Who is Ann Lee?", answer, "When did she die?"], target)
        labels = LabelExtractor(NoSyntax()).extract([dialogue])
        found = list(chosen(labels, model.book(), model.encoder(), rng(), unchanged=0.0))
        assert bool(found) == wanted, target


def test_chinese_dialogues_get_long_answers_about_the_same_thing() -> None:
    first = Dialogue.of(["你知道洛天依吗", "知道", "她几岁了"], "洛天依几岁了", id="a")
    others = [Dialogue.of([f"洛天依的第{i}首歌好听", "是吗", "是的"], "是的", id=str(i)) for i in range(4)]

    made = {each.id: each for each in shaped_zh([first, *others], rng(), share=1.0)}

    assert missing(first) == "洛天依"
    assert len(made) == 5
    long = made["shaped-a"]
    assert (long.source, long.target) == (first.source, first.target)
    assert long.context[-2].text == "你知道洛天依吗"
    assert long.context[-1].text.startswith("知道。")
    assert len(long.context[-1].text) > 20
    assert any("首歌好听" in each.context[-1].text for each in shaped_zh([first] * 9 + others, rng(), share=1.0))
    assert not list(shaped_zh([first], rng(), share=0.0))


AUTHORED_CHAT = """===
U: which kettle is good for tea?
A: Two come up often:

1. **Bonavita**
2. **Cosori**
? ordinal | is the second one loud? | is the Cosori loud?
? stay | thanks!
U: does it beep?
R: pronoun | does the Cosori beep?
A: No.
U: Who invented tea bags?
R: stay
===
U: hello
A: Hi.
? stay | How old is Rome?
"""


def test_an_authored_chat_gives_a_record_for_every_labelled_turn(tmp_path: Path) -> None:
    path = tmp_path / "en" / "tea.txt"
    path.parent.mkdir()
    path.write_text(AUTHORED_CHAT, encoding="utf-8")
    made = list(authored(path))
    opening, answer = "which kettle is good for tea?", "Two come up often:\n\n1. **Bonavita**\n2. **Cosori**"
    assert [(row["id"], row["phenomenon"], row["utterance"], row["rewrite"]) for row in made] == [
        ("tea-1-turn7", "ordinal", "is the second one loud?", "is the Cosori loud?"),
        ("tea-1-turn8", "stay", "thanks!", "thanks!"),
        ("tea-1-turn10", "pronoun", "does it beep?", "does the Cosori beep?"),
        ("tea-1-turn13", "stay", "Who invented tea bags?", "Who invented tea bags?"),
        ("tea-2-turn17", "stay", "How old is Rome?", "How old is Rome?"),
    ]
    assert [row["history"] for row in made] == [
        [opening, answer],
        [opening, answer],
        [opening, answer],
        [opening, answer, "does it beep?", "No."],
        ["hello", "Hi."],
    ]
    assert {row["lang"] for row in made} == {"en"}


@pytest.mark.parametrize("label", ["plural | a | b", "stay | a | b", "ordinal | a"])
def test_a_label_of_another_shape_is_refused(tmp_path: Path, label: str) -> None:
    path = tmp_path / "tea.txt"
    path.write_text(f"===\nU: a\nA: b\n? {label}\n", encoding="utf-8")
    with pytest.raises(DialogueError, match=re.escape("tea.txt, line 4: a label must be `kind | turn | rewrite`")):
        list(authored(path))


@pytest.mark.parametrize("text", ["? stay | a", "===\nU: a\nb", "===\nU: a\nA: b\nU: c\n?? stay | d"])
def test_a_line_that_belongs_to_no_turn_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tea.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DialogueError, match=r"a line must begin with ===, U:, A:, R: or \?, got '"):
        list(authored(path))


@pytest.mark.parametrize(("language", "word", "long"), [("en", r"\w+", 8), ("zh", r"\w", 14)])
def test_authored_chats_share_no_long_run_of_words_with_the_realistic_chats(
    language: str, word: str, long: int
) -> None:
    def runs(text: str) -> set[tuple[str, ...]]:
        words = re.findall(word, text.casefold())
        return {tuple(words[i : i + long]) for i in range(len(words) - long + 1)}

    made = [row for path in sorted(AUTHORED.glob(f"{language}/*.txt*")) for row in authored(path)]
    assert len(made) > 2000
    chats = [chat for chat in load_chats() if chat.lang == language]
    measured = set().union(*(runs(text) for chat in chats for text in (*chat.turns, chat.source)))
    said = {str(text) for row in made for text in (*cast("list[str]", row["history"]), row["utterance"])}
    assert not measured & set().union(*map(runs, said))
