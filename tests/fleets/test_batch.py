"""`RewriteBatch`: rows of any engine come back whole and in order, and a bad one harms no other."""

import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from tests.fleets.conftest import DUNE, LONG, ROWS
from utterly import DialogueError, ModelError, Rewriter, RewriterError
from utterly.fleets import RewriteBatch
from utterly.rewriter import _loaded_in

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")

Columns = dict[str, list[Any]]


def columns(rows: list[dict[str, Any]]) -> Columns:
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_every_row_gets_what_the_rewriter_says_or_why_it_cannot(expected: list[dict[str, Any]]) -> None:
    rewriter = Rewriter.load()
    for row, made in zip(ROWS, expected, strict=True):
        assert {name: made[name] for name in row} == row
        if made["error"] is None:
            said = rewriter.rewrite([*(row["history"] or []), row["utterance"]])
            assert (made["rewrite"], made["changed"]) == (said.text, said.changed)
            assert made["confidence"] == pytest.approx(said.confidence, abs=1e-3)
    assert [made["id"] for made in expected if made["error"]] == [3, 5]
    assert [made["id"] for made in expected if made["changed"]] == [0, 4, None]
    assert expected[3]["rewrite"] is None
    assert (expected[5]["rewrite"], expected[5]["confidence"]) == ("Is it long?", 0)


@pytest.mark.parametrize(
    ("made", "rows_of"),
    [
        (pyarrow.Table.from_pylist, lambda made: made.to_pylist()),
        (pyarrow.RecordBatch.from_pylist, lambda made: made.to_pylist()),
        (lambda rows: pandas.DataFrame(rows, dtype=object), lambda made: made.to_dict("records")),
    ],
    ids=["an Arrow table", "an Arrow batch", "a pandas frame"],
)
def test_every_kind_of_batch_comes_back_as_its_kind(
    made: Callable[[Any], Any], rows_of: Callable[[Any], Any], expected: list[dict[str, Any]]
) -> None:
    given = made(ROWS)
    result = RewriteBatch()(given)
    assert type(result) is type(given)
    assert [
        {name: None if pandas.isna(cell) is True else cell for name, cell in row.items()} for row in rows_of(result)
    ] == expected


def test_arrow_columns_have_the_same_types_whatever_the_rows_say() -> None:
    for rows in ROWS[:1], ROWS[3:4], []:
        table = pyarrow.Table.from_pylist(rows, pyarrow.Table.from_pylist(ROWS).schema)
        assert [str(field.type) for field in RewriteBatch()(table).schema][3:] == ["string", "double", "bool", "string"]


def test_numpy_columns_as_engines_make_them_are_read(expected: list[dict[str, Any]]) -> None:
    frame = pyarrow.Table.from_pylist(ROWS).to_pandas()  # lists are arrays, a missing id makes all of them floats
    made = RewriteBatch()({name: frame[name].to_numpy() for name in frame})
    assert made["rewrite"] == [row["rewrite"] for row in expected]
    assert made["error"] == [row["error"] for row in expected]


CHAT = [{"role": "user", "content": DUNE[0]}, {"role": "assistant", "content": DUNE[1]}]
ASKED = {"role": "user", "content": "When was it published?"}


@pytest.mark.parametrize(
    ("given", "settings"),
    [
        ({"messages": [[*CHAT, ASKED]]}, {}),
        ({"messages": pyarrow.array([[*CHAT, ASKED]]).to_pandas()}, {}),
        ({"turns": [[*DUNE, "When was it published?"]]}, {}),
        ({"chat": ['["Who wrote Dune?", "Frank Herbert.", "When was it published?"]']}, {"field": "chat"}),
        ({"history": ['["Who wrote Dune?", "Frank Herbert."]'], "utterance": ["When was it published?"]}, {}),
        ({"history": ["Who wrote Dune?\nFrank Herbert."], "utterance": ["When was it published?"]}, {}),
    ],
    ids=["messages", "messages in arrays", "turns", "a named field", "history in JSON", "a turn a line"],
)
def test_every_way_a_file_may_hold_a_conversation_is_read(given: Columns, settings: dict[str, Any]) -> None:
    made = RewriteBatch(**settings)(given)
    assert (made["rewrite"], made["error"]) == (["When was Dune published?"], [None])


BAD: dict[str, tuple[object, object, str]] = {
    "a null turn": (DUNE, None, "the field 'utterance' must be a string, got null"),
    "a turn that is a number": (DUNE, 7, "the field 'utterance' must be a string, got a number"),
    "a turn that is bytes": (DUNE, b"so?", "the field 'utterance' must be a string, got bytes"),
    "a history that is a number": (7, "so?", "the field 'history' must be a list, got a number"),
    "a history with a null": ([None], "so?", "the field 'history' must be a list of strings, but element 1 is null"),
    "a history of lists": ([["a"]], "so?", "the field 'history' must be a list of strings, but element 1 is a list"),
    "a history that is an object": ({"a": 1}, "so?", "the field 'history' must be a list, got an object"),
    "broken JSON": ('["Who', "so?", "a 'history' that begins with [ must be JSON, but it is not valid"),
    "JSON of another kind": ('{"a": 1}', "so?", "the field 'history' must be a list, got an object"),
}
UNREAD: dict[str, tuple[object, object, str]] = {
    "a turn of 1 MB": (DUNE, LONG, "too long"),
    "a language that no model knows": (["Wer ist Federer?"], "Ist er Schweizer?", "the language is 'de'"),
}


@pytest.mark.parametrize(("history", "utterance", "problem"), [*BAD.values(), *UNREAD.values()], ids=[*BAD, *UNREAD])
def test_a_bad_row_says_why_and_harms_no_other(history: object, utterance: object, problem: str) -> None:
    good = "When was it published?"
    made = RewriteBatch()({"history": [DUNE, history, DUNE], "utterance": [good, utterance, good]})
    assert problem in made["error"][1]
    assert made["rewrite"][1] == (utterance if isinstance(utterance, str) else None)
    assert (made["confidence"][1], made["changed"][1]) == (0, False)
    assert [made["rewrite"][i] for i in (0, 2)] == ["When was Dune published?"] * 2


@pytest.mark.parametrize(("history", "utterance", "problem"), BAD.values(), ids=BAD)
def test_if_strict_it_stops_with_row_and_reason(history: object, utterance: object, problem: str) -> None:
    rows = {"history": [DUNE, history], "utterance": ["When was it published?", utterance]}
    with pytest.raises(DialogueError, match="row 2 of 2 in a batch cannot be rewritten: ") as stopped:
        RewriteBatch(strict=True)(rows)
    assert problem in str(stopped.value)


def test_mixed_languages_and_long_turns_stop_no_job_not_even_a_strict_one() -> None:
    good: Columns = {
        "history": [[LONG, *DUNE], ["谁写了三体？", "三体是刘慈欣写的。"], DUNE],
        "utterance": ["When was it published?", "它是哪年出版的？", "它 is what?"],
    }
    unread = [{"history": history, "utterance": utterance} for history, utterance, _ in UNREAD.values()]
    made = RewriteBatch(strict=True)({name: [*good[name], *(row[name] for row in unread)] for name in good})
    assert made["rewrite"][:2] == ["When was Dune published?", "三体是哪年出版的？"]
    assert [error is None for error in made["error"]] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"text": ["a"]}, "the column 'history' is missing; add it (columns: 'text')"),
        ({"history": [[]]}, "the column 'utterance' is missing; add it (columns: 'history')"),
        ({"history": [[]], "utterance": []}, "the columns of a batch must be equally long"),
        ([{"history": []}], "a batch must be a dict of columns, a pandas frame, or an Arrow batch or table, got list"),
    ],
)
def test_what_is_no_batch_of_dialogues_is_refused_as_a_whole(given: Any, problem: str) -> None:
    with pytest.raises(DialogueError) as refused:
        RewriteBatch()(given)
    assert problem in str(refused.value)


@pytest.mark.parametrize("given", [{}, {"history": [], "utterance": []}], ids=["no columns", "no rows"])
def test_an_empty_batch_gets_empty_columns(given: Columns) -> None:
    added: Columns = {"rewrite": [], "confidence": [], "changed": [], "error": []}
    assert RewriteBatch()(given) == given | added


def test_an_existing_rewrite_is_kept_as_target() -> None:
    made = RewriteBatch()({"history": [DUNE], "utterance": ["thanks!"], "rewrite": ["theirs"], "error": ["old"]})
    assert (made["target"], made["rewrite"], made["error"]) == (["theirs"], ["thanks!"], [None])


def test_what_is_less_sure_than_asked_for_is_held_back_and_is_no_error() -> None:
    made = RewriteBatch(min_confidence=1.0)({"history": [DUNE], "utterance": ["When was it published?"]})
    assert (made["rewrite"], made["changed"], made["error"]) == (["When was it published?"], [False], [None])


def test_several_workers_give_the_same(expected: list[dict[str, Any]]) -> None:
    made = RewriteBatch(workers=2)(columns(ROWS))
    assert [made["rewrite"], made["error"]] == [[row[name] for row in expected] for name in ("rewrite", "error")]


def test_it_travels_as_its_settings_and_is_a_value() -> None:
    rewrite = RewriteBatch(min_confidence=0.1)
    rewrite(columns(ROWS[:1]))  # has loaded a model
    pickled = pickle.dumps(rewrite)
    assert len(pickled) < 500
    assert pickle.loads(pickled) == rewrite  # noqa: S301 - made a line above
    assert hash(rewrite) == hash(RewriteBatch(min_confidence=0.1)) != hash(RewriteBatch())
    with pytest.raises(FrozenInstanceError):
        rewrite.strict = True  # type: ignore[misc]


def test_a_process_loads_a_model_once_and_not_before_it_is_needed() -> None:
    _loaded_in.cache_clear()
    rewrite = RewriteBatch()
    assert _loaded_in.cache_info().misses == 0
    for _ in range(2):
        rewrite(columns(ROWS[:1]))
    RewriteBatch(strict=True)(columns(ROWS[:1]))
    assert _loaded_in.cache_info().misses == 1


def test_another_model_under_the_same_name_is_another_value(tmp_path: Path) -> None:
    from utterly.model.folder import bundled_folders

    for file in bundled_folders()["en"].iterdir():
        (tmp_path / file.name).symlink_to(file)
    first = RewriteBatch(model=str(tmp_path))
    assert RewriteBatch(model=str(tmp_path)) == first
    config = tmp_path / "config.json"
    changed = config.read_text().replace('"beam": ', '"beam": 1')
    config.unlink()
    config.write_text(changed)
    assert RewriteBatch(model=str(tmp_path)) != first


@pytest.mark.parametrize(
    ("settings", "error"),
    [({"min_confidence": 2}, RewriterError), ({"workers": 0}, RewriterError), ({"model": "/nowhere"}, ModelError)],
)
def test_wrong_settings_are_refused_before_a_job_begins(settings: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        RewriteBatch(**settings)
