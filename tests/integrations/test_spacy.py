"""spaCy's own pipelines around our pipe."""

import json
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.tokens import Doc, DocBin

from utterly import ModelError, RewriterError

QUESTION, REWRITTEN = "where was he born ?", "where was anna born ?"
HISTORY = ["who is anna ?", "a singer in oslo ."]
MESSAGES = [{"role": "user", "content": HISTORY[0]}, {"role": "assistant", "content": HISTORY[1]}]
ABSENT = "/no/such/model"


def pipeline(model: str, **config: Any) -> Any:
    nlp = spacy.blank("en")
    nlp.add_pipe("utterly", config={"model": model, **config})
    return nlp


def doc_in(nlp: Any, history: object) -> Any:
    doc = nlp.make_doc(QUESTION)
    doc._.history = history
    return doc


def test_the_factory_is_found_without_an_import() -> None:
    (found,) = entry_points(group="spacy_factories", name="utterly")
    assert found.value == "utterly.integrations.spacy:make_rewrite_pipe"


@pytest.mark.parametrize("history", [HISTORY, MESSAGES, [*HISTORY, QUESTION]], ids="turns messages with-itself".split())
def test_a_doc_is_rewritten_beside_its_text(model: str, history: object) -> None:
    nlp = pipeline(model)
    doc = nlp(doc_in(nlp, history))
    assert (doc.text, doc._.rewrite) == (QUESTION, REWRITTEN)
    assert [edit["insert"] for edit in doc._.rewrite_edits] == ["anna"]
    assert 0 < doc._.rewrite_confidence <= 1
    assert doc._.rewrite_error is None


def test_a_doc_without_a_history_keeps_its_text(model: str) -> None:
    doc = pipeline(model)(QUESTION)
    assert (doc._.rewrite, doc._.rewrite_edits, doc._.rewrite_confidence) == (QUESTION, [], 1.0)


@pytest.mark.parametrize("batch_size", [1, 2, 128])
def test_the_history_may_be_the_context_of_a_stream(model: str, batch_size: int) -> None:
    asked: list[Any] = [(QUESTION, HISTORY), (QUESTION, {"history": MESSAGES, "id": 7}), (QUESTION, None)]
    answers = list(pipeline(model).pipe(asked, as_tuples=True, batch_size=batch_size))
    assert [doc._.rewrite for doc, _ in answers] == [REWRITTEN, REWRITTEN, QUESTION]
    assert [context for _, context in answers] == [context for _, context in asked]


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # from Python 3.12 on
def test_several_processes_do_the_same(model: str) -> None:
    nlp = pipeline(model)
    nlp(doc_in(nlp, HISTORY))  # the model is loaded before the fork
    answers = nlp.pipe([(QUESTION, HISTORY)] * 4, as_tuples=True, n_process=2, batch_size=2)
    assert [doc._.rewrite for doc, _ in answers] == [REWRITTEN] * 4


def test_a_pipeline_survives_disk_and_bytes_with_its_settings(model: str, tmp_path: Path) -> None:
    nlp = pipeline(model, min_confidence=0.1)
    nlp.to_disk(tmp_path / "nlp")
    from_bytes = spacy.blank("en", config=nlp.config).from_bytes(nlp.to_bytes())
    for again in (spacy.load(tmp_path / "nlp"), from_bytes):
        assert again.get_pipe_config("utterly").items() >= {"model": model, "min_confidence": 0.1}.items()
        assert again(doc_in(again, HISTORY))._.rewrite == REWRITTEN


def test_rewrites_travel_with_their_docs(model: str) -> None:
    nlp = pipeline(model)
    doc = nlp(doc_in(nlp, HISTORY))
    (again,) = DocBin(docs=[doc], store_user_data=True).get_docs(nlp.vocab)
    assert again._.rewrite == REWRITTEN
    assert json.dumps(again._.rewrite_edits) == json.dumps(doc._.rewrite_edits)  # spaCy reads lists as tuples
    assert Doc(nlp.vocab).from_bytes(doc.to_bytes())._.rewrite == REWRITTEN


def test_it_says_what_it_assigns(model: str) -> None:
    assert "doc._.rewrite" in pipeline(model).get_pipe_meta("utterly").assigns


def test_initializing_loads_the_model() -> None:
    with pytest.raises(ModelError):
        pipeline(ABSENT, raise_errors=True).initialize()


@pytest.mark.parametrize(("model_name", "history"), [(ABSENT, HISTORY), (None, "a string"), (None, [7])])
def test_a_failure_keeps_the_text_and_says_so(model: str, model_name: str | None, history: object) -> None:
    nlp = pipeline(model_name or model)
    doc = nlp(doc_in(nlp, history))
    assert (doc._.rewrite, doc._.rewrite_confidence) == (QUESTION, 0.0)
    assert doc._.rewrite_error


def test_errors_are_raised_where_that_was_asked_for() -> None:
    nlp = pipeline(ABSENT, raise_errors=True)
    with pytest.raises(ModelError):
        nlp(doc_in(nlp, HISTORY))


def test_wrong_settings_are_refused_when_it_is_made() -> None:
    with pytest.raises(RewriterError, match="min_confidence"):
        pipeline(ABSENT, min_confidence=2.0)
