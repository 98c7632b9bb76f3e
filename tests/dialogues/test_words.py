"""The splitter: which words a text has, and that nothing of the text is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import TEXTS
from utterly.dialogues.dialogue import Word, is_cjk, split_words
from utterly.scripts.edits import gaps

# Characters that take part in some rule of the splitter, so that random texts reach all of them.
TRICKY_TEXTS = st.text(
    "aAnté\u0301't’s.,:/@#+-_*19 \t\n\u3000\u205f\u2028好。한א\u200d\ufe0f\u20e3👩🏽🇩🇪\x00\x1c", max_size=30
)


def words_of(text: str) -> list[str]:
    return [word.text for word in split_words(text)]


def joined(words: list[str], between: tuple[str, ...]) -> str:
    *before, after = between
    return "".join(gap + word for gap, word in zip(before, words, strict=True)) + after


@given(TEXTS | TRICKY_TEXTS)
def test_words_and_gaps_join_to_exactly_the_text(text: str) -> None:
    assert joined(words_of(text), gaps(text)) == text


@given(TEXTS | TRICKY_TEXTS)
def test_words_hold_no_white_space_and_gaps_nothing_else(text: str) -> None:
    assert not any(character.isspace() for word in split_words(text) for character in word.text)
    assert "".join(gaps(text)).strip() == ""


@given(TEXTS | TRICKY_TEXTS, st.integers(0, 20), st.sampled_from([1, 200]))
def test_the_first_words_are_those_of_the_whole_text(text: str, count: int, times: int) -> None:
    text *= times  # short, and too long to be remembered with many others
    assert split_words(text, count) == split_words(text)[:count]


@given(TEXTS | TRICKY_TEXTS)
def test_offsets_point_at_the_word(text: str) -> None:
    assert all(text[word.start : word.stop] == word.text != "" for word in split_words(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("café olé", "café|olé", id="composed accents"),
        pytest.param("cafe\u0301 ole\u0301", "cafe\u0301|ole\u0301", id="decomposed accents"),
        pytest.param("👩‍👩‍👧‍👦ok", "👩‍👩‍👧‍👦|ok", id="emoji joined to one"),
        pytest.param("👍🏽👍 🏃🏿‍♀️", "👍🏽|👍|🏃🏿‍♀️", id="emoji with skin tones"),
        pytest.param("🇩🇪🇫🇷", "🇩🇪|🇫🇷", id="flags"),
        pytest.param("1️⃣ #️⃣ *️⃣", "1️⃣|#️⃣|*️⃣", id="keycaps"),
        pytest.param("❤️‍🔥❤️", "❤️‍🔥|❤️", id="emoji with variation selector"),
        pytest.param("“Hi”, ‘he’ said", "“|Hi|”|,|‘|he|’|said", id="curly quotes"),
        pytest.param("a  b \t c\n", "a|b|c", id="repeated blanks"),
        pytest.param("don't Don’t DON'T can't", "do|n't|Do|n’t|DO|N'T|ca|n't", id="not"),
        pytest.param("I'll we've they're I'd I'm", "I|'ll|we|'ve|they|'re|I|'d|I|'m", id="clitics"),
        pytest.param("wouldn't've", "would|n't|'ve", id="two clitics"),
        pytest.param("it's Federer’s", "it|'s|Federer|’s", id="possessive or is"),
        pytest.param("players' rights", "players|'|rights", id="plural possessive"),
        pytest.param("O'Brien’s ma'am", "O'Brien|’s|ma'am", id="apostrophes inside names"),
        pytest.param("3.5 1,000 12:30 1/2", "3.5|1,000|12:30|1/2", id="numbers"),
        pytest.param("$5, 50%. 1.", "$|5|,|50|%|.|1|.", id="numbers beside punctuation"),
        pytest.param("20th 90s 4k", "20th|90s|4k", id="numbers with letters"),
        pytest.param("U.S. e.g. i.e., U.S.A.", "U.S.|e.g.|i.e.|,|U.S.A.", id="abbreviations"),
        pytest.param("mail a.b+c@d-e.co.uk.", "mail|a.b+c@d-e.co.uk|.", id="e-mail address"),
        pytest.param("see https://x.org/a?b=c#d, www.y.com.", "see|https://x.org/a?b=c#d|,|www.y.com|.", id="URLs"),
        pytest.param("well-known", "well|-|known", id="hyphen"),
        pytest.param("so... -- ……", "so|...|--|……", id="runs of the same mark"),
        pytest.param("他说：“你好，世界！”", "他|说|：|“|你|好|，|世|界|！|”", id="Chinese punctuation"),
        pytest.param("iPhone不好用3.5次", "iPhone|不|好|用|3.5|次", id="mixed Chinese and English"),
        pytest.param("@bob你好 #tag话题", "@bob|你|好|#tag|话|题", id="handles beside Chinese"),
        pytest.param("你\u3000好", "你|好", id="ideographic blank"),
        pytest.param("日本カナ 한국어", "日|本|カ|ナ|한국어", id="Japanese and Korean"),
        pytest.param(
            "foo_bar obj.attr() __init__ node.js C++ C#",
            "foo_bar|obj.attr|(|)|__init__|node.js|C++|C#",
            id="code",
        ),
        pytest.param("שלום, עולם! مرحبا، كيف؟", "שלום|,|עולם|!|مرحبا|،|كيف|؟", id="right to left"),
        pytest.param("हिन्दी ที่นี่", "हिन्दी|ที่นี่", id="vowel signs"),
        pytest.param("a\x00b \x07", "a|\x00|b|\x07", id="NUL and control characters"),
        pytest.param("\u200b \ufeff", "\u200b|\ufeff", id="invisible characters"),
        pytest.param(" \n\t\u00a0", "", id="only blanks"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_a_text_splits_into_these_words(text: str, words: str) -> None:
    assert words_of(text) == (words.split("|") if words else [])


def test_offsets_count_characters_not_bytes() -> None:
    assert split_words("é 👍 x") == (Word("é", 0, 1), Word("👍", 2, 3), Word("x", 4, 5))


def test_long_texts_split_like_short_ones() -> None:
    assert words_of("Don't go. " * 500) == ["Do", "n't", "go", "."] * 500


@pytest.mark.parametrize("unit", ["é.", "a.A.", "a@", "a'", "1.", "http://!", "a-", "👩\u200d", "\u0301"])
def test_texts_made_to_slow_the_splitter_down_still_split(unit: str) -> None:
    text = unit * (200_000 // len(unit)) + "éé"
    assert joined(words_of(text), gaps(text)) == text


@pytest.mark.parametrize(("word", "cjk"), [("好", True), ("カ", True), ("。", True), ("a", False), ("한", False)])
def test_words_written_without_blanks_are_known(word: str, cjk: bool) -> None:
    assert is_cjk(word) is cjk
