"""Argmax, as in the paper: the best tag at each position, whatever the costs of our search."""

import pytest
from hypothesis import given

from tests import tiny
from tests.model.test_decode import (
    DIALOGUE,
    ENCODER,
    SHORT_BOOK,
    GoldEnds,
    RandomEnds,
    book_of,
    decoded,
    gold_actions,
    random_tags,
    sure,
    with_glue,
)
from tests.strategies import scripts
from utterly.model.scores import Query, TagScores
from utterly.model.settings import DecodeSettings
from utterly.scripts.edits import EditScript, Span

ARGMAX = DecodeSettings(argmax=True, null_bias=9.0, repeat_cost=99.0, empty_delete_cost=9.0)  # costs do not count


@pytest.mark.parametrize("seed", range(20))
def test_argmax_takes_the_best_tag_at_each_position_as_the_paper_does(seed: int) -> None:
    tags, ends = random_tags(seed, 3, len(SHORT_BOOK)), RandomEnds(seed, slots=1)
    (found,) = decoded(DIALOGUE, tags, ends, SHORT_BOOK, ARGMAX, n=5)
    pieces = ENCODER.encode(DIALOGUE)
    places = [Span(turn, start, stop) for turn in range(2) for start, stop in ((0, 1), (1, 2), (0, 2))]
    assert tags.rules is not None
    score = 0.0
    for i, edit in enumerate(found.script.edits):
        number = int(tags.rules[i].argmax())
        assert edit.rule == SHORT_BOOK.rules[number]
        assert edit.keep == (i == 2 or tags.actions[i, 1] > tags.actions[i, 0])
        score += float(tags.rules[i].max()) + (0.0 if i == 2 else float(tags.actions[i].max()))
        if edit.spans:
            start, end = ends(pieces, Query(i, number, 1))
            both = {place: start[0, a] + end[0, b] for place in places for a, b in [pieces.ends_of(place) or (0, 0)]}
            assert edit.spans == (max(both, key=both.__getitem__),)
            score += float(max(both.values()))
    assert found.log_probability == pytest.approx(score, abs=1e-4)


@given(scripts())
def test_argmax_gives_back_any_script_even_what_decoding_never_says(script: EditScript) -> None:
    book = book_of(script)
    tags = TagScores(gold_actions(script), sure([book.number(edit.rule) for edit in script.edits], len(book)))
    (best,) = decoded(script.dialogue, tags, GoldEnds(script, book.max_slots), book, ARGMAX)
    assert best.script == script
    glued = with_glue(script, most=2)
    (best,) = decoded(glued.dialogue, TagScores(gold_actions(glued), None), GoldEnds(glued, 2), tiny.BOOK, ARGMAX)
    assert best.script == glued
    assert best.log_probability == pytest.approx(0.0)
