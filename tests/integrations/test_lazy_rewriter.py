"""What all integrations share: the model is loaded when needed, and a chat is never broken."""

import asyncio
import logging
import os
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from utterly import DialogueError, ModelError, RewriterError
from utterly.integrations.lazy_rewriter import LazyRewriter
from utterly.rewriter import Rewriter, _loaded_in

HISTORY = ["who is anna ?", "a singer in oslo ."]
QUESTION = "where was he born ?"
REWRITTEN = "where was anna born ?"
ABSENT = "/no/such/model"


@pytest.fixture
def rewriter(model: str) -> LazyRewriter:
    return LazyRewriter(model=model)


def test_a_question_is_rewritten_and_the_raw_one_kept(rewriter: LazyRewriter) -> None:
    rewrite = rewriter.rewrite(QUESTION, HISTORY)
    assert (rewrite.text, rewrite.source, rewrite.error) == (REWRITTEN, QUESTION, None)
    assert [edit.inserted for edit in rewrite.edits] == ["anna"]


def test_it_does_not_matter_whether_the_history_ends_with_the_question(rewriter: LazyRewriter) -> None:
    assert rewriter.rewrite(QUESTION, [*HISTORY, QUESTION]) == rewriter.rewrite(QUESTION, HISTORY)


@pytest.mark.parametrize("history", [None, []])
def test_a_first_question_stays_as_it_is(rewriter: LazyRewriter, history: object) -> None:
    rewrite = rewriter.rewrite(QUESTION, history)
    assert (rewrite.text, rewrite.confidence, rewrite.error) == (QUESTION, 1.0, None)


def test_event_loops_are_answered_alike(rewriter: LazyRewriter) -> None:
    assert asyncio.run(rewriter.arewrite(QUESTION, HISTORY)) == rewriter.rewrite(QUESTION, HISTORY)


def test_what_is_less_sure_than_asked_for_is_held_back(rewriter: LazyRewriter) -> None:
    rewrite = replace(rewriter, min_confidence=1.0).rewrite(QUESTION, HISTORY)
    assert (rewrite.text, rewrite.abstained) == (QUESTION, True)


@pytest.mark.parametrize("least", [-0.1, 1.1, "high", float("nan")])
def test_a_confidence_out_of_range_is_refused_at_once(least: Any) -> None:
    with pytest.raises(RewriterError, match="min_confidence must be a number from 0 to 1, got"):
        LazyRewriter(min_confidence=least)


def test_a_model_that_cannot_be_loaded_gives_the_question_back_and_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rewriter = LazyRewriter(model=ABSENT)
    with caplog.at_level(logging.WARNING):
        rewrite = rewriter.rewrite(QUESTION, HISTORY)
    assert (rewrite.text, rewrite.confidence) == (QUESTION, 0.0)
    assert isinstance(rewrite.error, ModelError)
    assert [record.getMessage() for record in caplog.records] == [
        f"question left unchanged: {rewrite.error}",
    ]


def test_where_it_was_asked_for_errors_are_raised(model: str) -> None:
    with pytest.raises(ModelError):
        LazyRewriter(model=ABSENT, raise_errors=True).rewrite(QUESTION, HISTORY)
    with pytest.raises(DialogueError, match="a conversation must be a list of turns or messages, got a string"):
        LazyRewriter(model=model, raise_errors=True).rewrite(QUESTION, "a string")


def test_also_what_nobody_foresaw_gives_the_question_back(
    rewriter: LazyRewriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def burn(*_: object, **__: object) -> None:
        raise OSError("the disk is on fire")

    monkeypatch.setattr(Rewriter, "rewrite", burn)
    rewrite = rewriter.rewrite(QUESTION, HISTORY)
    assert (rewrite.text, str(rewrite.error)) == (QUESTION, "OSError: the disk is on fire")
    assert rewrite.error is not None
    assert isinstance(rewrite.error.__cause__, OSError)


def test_rewriters_of_one_model_share_it_and_travel_without_it(rewriter: LazyRewriter, model: str) -> None:
    rewriter.warm_up()
    misses = _loaded_in.cache_info().misses
    pickled = pickle.dumps(rewriter)
    assert len(pickled) < 1000
    again = pickle.loads(pickled)  # noqa: S301 - made a line above
    assert again == rewriter
    assert again.rewrite(QUESTION, HISTORY).text == REWRITTEN
    assert LazyRewriter(model=model, min_confidence=0.1).rewrite(QUESTION, HISTORY).text == REWRITTEN
    assert _loaded_in.cache_info().misses == misses


def test_warming_up_without_a_model_warns_and_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    LazyRewriter(model=ABSENT).warm_up()
    assert len(caplog.records) == 1


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # from Python 3.12 on
def test_a_forked_process_has_a_model_of_its_own(rewriter: LazyRewriter, tmp_path: Path) -> None:
    rewriter.warm_up()
    answer = tmp_path / "answer"
    child = os.fork()
    if not child:
        answer.write_text(rewriter.rewrite(QUESTION, HISTORY).text)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert answer.read_text() == REWRITTEN
