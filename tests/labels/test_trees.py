"""Algorithm 1 on hand-made trees."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utterly.labels.syntax import Range, nested
from utterly.labels.trees import Context, Match, Ranges, best_cover
from utterly.scripts.edits import Span

# "the puppy sleeps in the old red basket": the noun phrases, the prepositional phrase, the verb phrase
TREE = ((0, 8), (0, 2), (2, 8), (3, 8), (4, 8))
WORDS = "the puppy sleeps in the old red basket".split()


def has(*texts: str) -> Match:
    """A context that has these texts; characters count, blanks do not."""

    def match(start: int, stop: int) -> int:
        said = WORDS[start:stop]
        return sum(map(len, said)) if any(f" {' '.join(said)} " in f" {text} " for text in texts) else 0

    return match


def covered(constituents: tuple[Range, ...] | None, *texts: str, phrase: Range = (0, 8)) -> list[str]:
    return [" ".join(WORDS[start:stop]) for start, stop in best_cover(phrase, constituents, has(*texts))]


@pytest.mark.parametrize("tree", [TREE, None], ids=["tree", "no tree"])
@pytest.mark.parametrize(
    ("texts", "spans"),
    [
        ((), []),
        (("puppy",), ["puppy"]),
        (("puppy", "basket"), ["puppy", "basket"]),
        (("old red basket", "puppy sleeps"), ["puppy sleeps", "old red basket"]),
        (("the puppy", "sleeps in the old red basket"), ["the puppy", "sleeps in the old red basket"]),
        (("red", "old red basket"), ["old red basket"]),
    ],
    ids=["nothing", "paper's example", "two words", "across a border", "two constituents", "grown over a word"],
)
def test_the_best_spans_are_taken(tree: tuple[Range, ...] | None, texts: tuple[str, ...], spans: list[str]) -> None:
    assert covered(tree, *texts) == spans


def test_a_constituent_gives_way_to_children_that_cover_more() -> None:
    """The whole matches by lemma and covers little; its parts match to the letter."""
    worth = {(0, 8): 3, (0, 2): 8, (4, 8): 15}
    assert best_cover((0, 8), TREE, lambda start, stop: worth.get((start, stop), 0)) == ((0, 2), (4, 8))
    worth[0, 8] = 23
    assert best_cover((0, 8), TREE, lambda start, stop: worth.get((start, stop), 0)) == ((0, 8),)


def test_constituents_choose_where_greed_covers_as_much_in_more_pieces() -> None:
    """`in the old` is the longest piece, but takes the basket apart."""
    texts = ("in the old", "the old red basket", "in")
    assert covered(None, *texts, phrase=(3, 8)) == ["in", "the old red basket"]
    worth = {(0, 3): 5, (0, 1): 2, (1, 2): 2, (2, 4): 4}
    assert best_cover((0, 4), ((0, 2), (2, 4)), lambda start, stop: worth.get((start, stop), 0)) == (
        (0, 1),
        (1, 2),
        (2, 4),
    )


def test_literal_is_the_algorithm_as_printed() -> None:
    """No joining of neighbours, no growing over words beside a constituent, no greed instead of the tree."""

    def literal(*texts: str) -> list[str]:
        return [" ".join(WORDS[start:stop]) for start, stop in best_cover((0, 8), TREE, has(*texts), literal=True)]

    assert literal("the puppy sleeps") == ["the puppy", "sleeps", "the"]
    assert literal("old red basket") == ["old", "red", "basket"]
    assert literal("sleeps in the", "basket") == ["the", "sleeps", "in", "the", "basket"]


def test_constituents_are_cut_to_the_phrase() -> None:
    assert covered(TREE, "the old", "red", phrase=(4, 7)) == ["the old", "red"]


def test_a_tree_deeper_than_the_stack_is_no_trouble() -> None:
    deep = tuple((i, 1_500) for i in range(1_499))
    ranges = best_cover((0, 1_500), deep, lambda start, stop: int((start, stop) == (1_400, 1_500)))
    assert ranges == ((1_400, 1_500),)


SIZE = 7
TREES = st.lists(st.tuples(st.integers(0, SIZE), st.integers(0, SIZE)), max_size=8).map(nested)
WORTHS = st.dictionaries(
    st.tuples(st.integers(0, SIZE - 1), st.integers(1, SIZE)).filter(lambda r: r[0] < r[1]), st.integers(1, 9)
)


@given(TREES | st.none(), WORTHS)
def test_spans_match_lie_apart_and_cover_at_least_what_greed_does(
    tree: Ranges | None, worths: dict[Range, int]
) -> None:
    def match(start: int, stop: int) -> int:
        return worths.get((start, stop), 0)

    ranges = best_cover((0, SIZE), tree, match)
    assert all(match(*each) for each in ranges)
    assert all(left[1] <= right[0] for left, right in pairwise(ranges))
    greedy = best_cover((0, SIZE), None, match)
    assert sum(match(*each) for each in ranges) >= sum(match(*each) for each in greedy)


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
