"""Batches: dialogues together say what each says by itself."""

from pathlib import Path

import pytest

from tests import tiny
from tests.networks.models import KINDS, untrained
from utterly.dialogues.dialogue import Dialogue
from utterly.model.scores import Query
from utterly.model.settings import DecodeSettings

DIALOGUES = [
    *(each.script.dialogue for each in tiny.labels()[:5]),
    Dialogue.of(["where ?"]),
    Dialogue.of(["", "where was he born in paris ?"]),
    Dialogue.of(["who is anna ?", ""]),
]


@pytest.mark.parametrize("kind", KINDS)
def test_padding_changes_no_score(encoder_folder: Path, kind: str) -> None:
    model = untrained(kind, encoder_folder)
    pieces = [model.encoder.encode(dialogue) for dialogue in DIALOGUES]
    for p, together in zip(pieces, model.scorer.read_many(pieces), strict=True):
        alone = model.scorer.read(p)
        assert together.tags.actions == pytest.approx(alone.tags.actions, abs=1e-4)
        assert (together.tags.rules is None) == (alone.tags.rules is None) == (kind != "hct")
        if alone.tags.rules is not None:
            assert together.tags.rules == pytest.approx(alone.tags.rules, abs=1e-4)
        if len(p.context) > 1:
            queries = [Query(word, 1, 1) for word in range(len(p.source))]
            for ours, theirs in zip(together.spans(queries), alone.spans(queries), strict=True):
                assert ours.shape == theirs.shape == (len(p.source), model.tagger.max_slots, len(p.context))
                assert ours == pytest.approx(theirs, abs=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_rewrites_do_not_depend_on_the_batch(encoder_folder: Path, kind: str) -> None:
    model = untrained(kind, encoder_folder)
    by_size = [[best[0].script for best in model.scripts_in_batches(DIALOGUES, batch_size=size)] for size in (1, 3, 64)]
    assert by_size[0] == by_size[1] == by_size[2]
    assert [script.dialogue for script in by_size[0]] == DIALOGUES
    assert any(script.has_changes for script in by_size[0])


@pytest.mark.parametrize("kind", KINDS)
def test_a_context_without_words_has_no_queries(
    encoder_folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = untrained(kind, encoder_folder)
    asked: list[object] = []
    monkeypatch.setattr(model.tagger, "spans", lambda tags, queries: asked.append((tags, queries)))
    eager = model.with_decode(DecodeSettings(null_bias=50.0))
    scripts = [eager.scripts(Dialogue.of(turns)) for turns in (["where ?"], ["", " ", "where ?"])]
    assert asked == []
    assert [edit.spans for best in scripts for edit in best[0].script.edits] == [()] * 6


def test_in_hct_only_words_whose_rule_has_slots_are_queries(encoder_folder: Path) -> None:
    model = untrained("hct", encoder_folder)
    pieces = model.encoder.encode(DIALOGUES[0])
    tags = model.scorer.read(pieces).tags
    queries = model.decoder.queries(pieces, tags)
    assert all(tiny.BOOK.slots[query.rule] == query.slots > 0 for query in queries)
    assert model.with_decode(DecodeSettings(null_bias=-99.0)).decoder.queries(pieces, tags) == []
