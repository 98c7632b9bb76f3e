"""Where words stand in the context."""

from hypothesis import given
from hypothesis import strategies as st

from utterly.labels.context import Context
from utterly.scripts.edits import Span

TURNS = st.lists(st.lists(st.sampled_from("abc"), max_size=6), max_size=4)


def test_mentions_come_newest_turn_first_and_never_inside_a_word() -> None:
    context = Context([["new", "york", "is", "new", "york"], ["newyork"], ["new", "york"]])
    assert context.mentions(["new", "york"]) == (Span(2, 0, 2), Span(0, 0, 2), Span(0, 3, 5))


@given(TURNS, st.lists(st.sampled_from("abc"), min_size=1, max_size=4))
def test_mentions_are_all_places_that_say_the_words(turns: list[list[str]], words: list[str]) -> None:
    size = len(words)
    places = {
        Span(t, i, i + size) for t, turn in enumerate(turns) for i in range(len(turn)) if turn[i : i + size] == words
    }
    found = Context(turns).mentions(words)
    assert set(found) == places
    assert len(found) == len(places)
    assert [span.turn for span in found] == sorted((span.turn for span in found), reverse=True)


@given(TURNS, st.lists(st.sampled_from("abc"), max_size=5))
def test_the_longest_run_is_the_longest_range_with_a_mention(turns: list[list[str]], words: list[str]) -> None:
    context = Context(turns)
    ranges = [words[i:k] for i in range(len(words)) for k in range(i + 1, len(words) + 1)]
    assert context.longest_run(words) == max((len(r) for r in ranges if context.mentions(r)), default=0)
