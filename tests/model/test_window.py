"""What of a long dialogue is read: the newest turns, or the sentences that matter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import tiny
from utterly.dialogues.dialogue import Dialogue, Turn
from utterly.model.encode import PieceEncoder, Pieces
from utterly.model.model import ModelConfig
from utterly.model.window import WINDOWS
from utterly.scripts.edits import Span

FILLER = "who did live in oslo besides any friends ?\n"  # nine pieces


def encode(turns: list[str], max_length: int, window: str = "relevant") -> Pieces:
    return PieceEncoder(tiny.tokenizer(), max_length=max_length, window=window).encode(Dialogue.of(turns))


def read(turns: list[str], max_length: int, window: str = "relevant") -> list[str]:
    """The text of each turn that is read."""
    pieces = encode(turns, max_length, window)
    said: dict[int, list[str]] = {}
    for turn, place in zip(pieces.turns[1:].tolist(), pieces.words[1:].tolist(), strict=True):
        said.setdefault(turn, []).append(Turn(turns[turn]).words[place].text)
    return [" ".join(words) for _, words in sorted(said.items())]


def test_a_dialogue_that_fits_is_read_whole() -> None:
    turns = ["who is anna ?", f"a singer .\n{FILLER}", "is she born ?"]
    assert read(turns, 64) == [" ".join(text.split()) for text in turns[:-1]]


def test_of_a_long_answer_the_sentence_about_what_is_asked_is_read() -> None:
    answer = FILLER * 6 + "any singer is born in paris .\n" + FILLER * 6
    question, answered = read(["who is anna ?", answer, "is a singer ?"], 40)
    assert question == "who is anna ?"
    assert "any singer is born in paris ." in answered


def test_what_the_asker_said_is_read_before_old_answers() -> None:
    turns = ["who is anna ?", FILLER * 4, "is she a singer ?", FILLER * 4, "was she born ?", FILLER * 4, "where ?"]
    said = read(turns, 64)
    assert [turn for turn in turns[:-1:2] if turn in said] == turns[:-1:2]


def test_a_span_across_what_was_left_out_is_no_span() -> None:
    answer = "anna is a singer .\n" + FILLER * 8 + "any singer is born in paris ."
    pieces = encode(["who is anna ?", answer, "is a singer ?"], 40)
    words = Turn(answer).words
    assert pieces.ends_of(Span(1, 0, 2)) is not None
    assert pieces.ends_of(Span(1, len(words) - 3, len(words))) is not None
    assert pieces.ends_of(Span(1, 0, len(words))) is None


@pytest.mark.parametrize("window", WINDOWS)
@given(
    sizes=st.lists(st.lists(st.integers(1, 30), max_size=5), max_size=8),
    source=st.integers(1, 20),
    max_length=st.integers(32, 80),
)
def test_whatever_is_read_fits_and_is_in_order(
    window: str, sizes: list[list[int]], source: int, max_length: int
) -> None:
    turns = [" ".join("who " * size + "." for size in turn) for turn in sizes]
    pieces = encode([*turns, "is " * source], max_length, window)
    assert len(pieces.ids) <= max_length
    places = list(zip(pieces.turns.tolist(), pieces.words.tolist(), strict=True))
    assert places == sorted(set(places))


def test_of_ten_thousand_turns_the_first_and_the_newest_are_looked_at() -> None:
    turns = [f"who is anna ? {number}" for number in range(10_000)]
    pieces = encode([*turns, "where ?"], 64)
    seen = set(pieces.turns.tolist()) - {-1}
    assert seen <= {0, 1, *range(9_900, 10_000)}
    assert {9_998, 9_999} <= seen


def test_an_unknown_window_is_refused() -> None:
    with pytest.raises(ValueError, match="window must be one of newest, relevant, got 'oldest'"):
        ModelConfig(tagger="hct", window="oldest")
